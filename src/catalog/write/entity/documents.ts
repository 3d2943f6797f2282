import type { Transaction } from '../../../../db/client.ts'
import { conflict, type Fault, notFound, validationFailed } from '../../../jsonapi/errors.ts'
import { characters } from '../../../jsonapi/text-faults.ts'
import { refuseManyAliases } from '../../model/more.ts'
import { personName, splitFullName } from '../../model/person-name.ts'
import { columnNames, columnOf } from '../../model/record-columns.ts'
import type { Input } from '../../model/resource.ts'
import { isAsExpected } from '../locks/expected.ts'
import type { Columns, EntityPlan, EntityType, Writer, Writes } from '../record.ts'
import { changePlayerTeam } from './change-player-team.ts'
import { deletePlayerTeam, postPlayerTeam } from './player-teams.ts'
import { writeEntities } from './write.ts'

/** The three writes of a plain entity. They differ only in how a document becomes columns. */
const plainWrites = (
  type: EntityType,
  columnsOf: (input: Input, before: Columns) => Columns = (input, before) => givenColumns(type, input, before),
): Writes => {
  const write = async (tx: Transaction, plan: EntityPlan, writer: Writer) => {
    const [outcome] = await writeEntities(tx, type, [plan], writer).catch((error) => {
      throw takenName(error) ?? error
    })
    if (outcome?.error) throw outcome.error
  }
  return {
    create: async (tx, id, input, writer) => {
      await write(tx, { id, change: () => ({ columns: columnsOf(input, {}), deleted: false }) }, writer)
      return id
    },
    update: (tx, id, input, writer) => {
      const change: EntityPlan['change'] = (before) =>
        isAsExpected(before, writer)
          ? { columns: { ...before.columns, ...columnsOf(input, before.columns) }, deleted: false }
          : notFound()
      return write(tx, { id, change }, writer)
    },
    remove: (tx, id, writer) => {
      const change: EntityPlan['change'] = (before) =>
        isAsExpected(before, writer) ? { columns: before.columns, deleted: true } : notFound()
      return write(tx, { id, change }, writer)
    },
  }
}

/** The 422 for a name or code that another live record has. Undefined for any other error. */
const takenName = (error: unknown) => {
  const constraint = (error as { constraint_name?: string }).constraint_name ?? ''
  const taken = /_(name|attribute)_taken$/.exec(constraint)
  return taken ? validationFailed([nameTaken(taken[1] as 'name' | 'attribute')]) : undefined
}

/** The fault of a name or code that another live record has. */
export const nameTaken = (field: 'name' | 'attribute'): Fault => ({
  pointer: `/data/attributes/${field}`,
  detail: `Another record already has this ${field}.`,
})

/** The columns of a type in a document. An attribute is the column with the same name. */
const givenColumns = (type: EntityType, { attributes }: Input, before: Columns): Columns => {
  const given: Columns = Object.fromEntries(
    columnNames(type).flatMap((name) => (name in attributes ? [[name, columnOf(attributes[name])]] : [])),
  )
  refuseManyAliases(given.aliases, before.aliases)
  return given
}

/** Names from a document. On creation, `full_name` is split. 422 if it has neither names nor `full_name` (decisions.md §4). */
const playerColumns = (input: Input, before: Columns): Columns => {
  const { full_name: whole } = input.attributes
  const given = givenColumns('players', input, before)
  const split = typeof whole === 'string' ? splitFullName(whole) : undefined
  if (split && Math.max(characters(split.firstName), characters(split.lastName)) > 255)
    throw validationFailed([
      {
        pointer: '/data/attributes/full_name',
        detail: 'The first and the last name must each have at most 255 characters.',
      },
    ])
  const firstName = given.first_name ?? split?.firstName ?? before.first_name ?? ''
  const lastName = given.last_name ?? split?.lastName ?? before.last_name ?? ''
  if (!firstName.trim() && !lastName.trim())
    throw validationFailed([
      { pointer: '/data/attributes/last_name', detail: 'A player needs a first or last name, or a full_name.' },
    ])
  const name = lastName ? personName({ firstName, lastName }) : firstName
  return { ...given, first_name: firstName, last_name: lastName, name }
}

/**
 * The columns of a team. Without a `name`, its `mascot` makes one: behind the location that the document gives it, or in the place
 * of what is behind the location now. 422 if it has neither, or makes a name that is too long.
 */
const teamColumns = (input: Input, before: Columns): Columns => {
  const given = givenColumns('teams', input, before)
  const { name, mascot } = input.attributes
  if (name !== undefined || (mascot === undefined && before.name)) return given
  const pointer = `/data/attributes/${mascot === undefined ? 'name' : 'mascot'}`
  if (typeof mascot !== 'string') throw validationFailed([{ pointer, detail: 'Is required.' }])
  const isBehind = 'location' in given || !before.name || before.name.startsWith(`${before.location} `)
  const location = isBehind ? ('location' in given ? given.location : before.location) : undefined
  const made = location ? `${location} ${mascot}` : mascot
  if (characters(made) > 255) throw validationFailed([{ pointer, detail: 'Makes a name of more than 255 characters.' }])
  return { ...given, name: made }
}

/** The 409 for a player and a team that are a live player-team. */
export const pairTaken = () => conflict('The player already has this team.')

const pairWrites: Writes = {
  create: async (tx, id, { attributes }, writer) => {
    const pair = { id, playerId: attributes.player_id as string, teamId: attributes.team_id as string }
    const made = await postPlayerTeam(tx, pair, writer)
    if (made?.outcome === 'taken') throw pairTaken()
    return made?.id ?? id
  },
  update: async (tx, id, { attributes }, writer) => {
    const change = {
      ...(attributes.player_id ? { playerId: attributes.player_id as string } : {}),
      ...(attributes.team_id ? { teamId: attributes.team_id as string } : {}),
    }
    await changePlayerTeam(tx, id, change, writer).catch((error) => {
      throw error.constraint_name === 'player_teams_pair'
        ? conflict('The player already has this team. If the player-team was deleted, create it again to restore it.')
        : error
    })
  },
  remove: (tx, id, writer) => deletePlayerTeam(tx, id, writer),
}

/** POST, PATCH and DELETE of entities, by type. */
export const entityWrites: Record<EntityType, Writes> = {
  attributes: plainWrites('attributes'),
  brands: plainWrites('brands'),
  genres: plainWrites('genres'),
  manufacturers: plainWrites('manufacturers'),
  years: plainWrites('years'),
  players: plainWrites('players', playerColumns),
  teams: plainWrites('teams', teamColumns),
  playerteams: pairWrites,
}
