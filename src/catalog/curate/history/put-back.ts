import type { Transaction } from '../../../../db/client.ts'
import { type ApiError, conflict } from '../../../jsonapi/errors.ts'
import { type ByDocument, typesByDocument } from '../../model/attached.ts'
import type { ImageSide } from '../../model/image-formats.ts'
import { personName } from '../../model/person-name.ts'
import { columnNames } from '../../model/record-columns.ts'
import { changeImageType } from '../../write/attached/card-images.ts'
import { reviveAttached } from '../../write/attached/revive.ts'
import { deleteAttached, updateAttached } from '../../write/attached/write.ts'
import { writeCards } from '../../write/card/write.ts'
import { changePlayerTeam } from '../../write/entity/change-player-team.ts'
import { deletePlayerTeam, postPlayerTeam } from '../../write/entity/player-teams.ts'
import { entityTables } from '../../write/entity/tables.ts'
import { writeEntities } from '../../write/entity/write.ts'
import type { Fields } from '../../write/history/fields.ts'
import type {
  CardPlan,
  CardState,
  Columns,
  EntityPlan,
  EntityType,
  Outcome,
  SetPlan,
  Writer,
} from '../../write/record.ts'
import { writeSets } from '../../write/set/write.ts'

/** Gives a record these fields again, through the write floor, which checks them like any other write. */
type PutBack = (tx: Transaction, id: string, fields: Fields, writer: Writer) => Promise<void>

/** The state with these fields applied. Only a revision that deleted a record brings it back. */
const laidOver = <State extends { deleted: boolean }>(
  before: State | undefined,
  fields: Fields,
  own: Partial<State>,
): State | ApiError => {
  if (!before) return conflict('The record was permanently deleted.')
  if (before.deleted && fields.deleted !== false) return conflict('The record is deleted. Revert its deletion first.')
  return { ...before, ...own, deleted: fields.deleted === undefined ? before.deleted : fields.deleted === true }
}

const pick = (fields: Fields, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (name in fields ? [[name, fields[name]]] : [])))

const settled = ([outcome]: Outcome[]) => {
  if (outcome?.error) throw outcome.error
}

const card: PutBack = async (tx, id, fields, writer) => {
  const own = {
    ...pick(fields, columnNames('cards')),
    ...(fields.oncard ? { entries: fields.oncard } : {}),
    ...(fields.attributes ? { attributeIds: fields.attributes } : {}),
  } as Partial<CardState>
  const change: CardPlan['change'] = (before) => laidOver<CardState>(before, fields, own)
  settled(await writeCards(tx, [{ id, setId: own.set_id, change }], writer))
}

const set: PutBack = async (tx, id, fields, writer) => {
  const change: SetPlan['change'] = (before) => laidOver(before, fields, pick(fields, columnNames('sets')))
  settled(await writeSets(tx, [{ id, change }], writer))
}

const entity =
  (type: EntityType): PutBack =>
  async (tx, id, fields, writer) => {
    const own = pick(fields, entityTables[type].columns) as Columns
    const change: EntityPlan['change'] = (before) =>
      laidOver(before, fields, before ? { columns: named(type, { ...before.columns, ...own }) } : {})
    settled(await writeEntities(tx, type, [{ id, change }], writer))
  }

/** A player's name is made from the first and last names, which may have been changed separately. */
const named = (type: EntityType, columns: Columns): Columns => {
  if (type !== 'players') return columns
  const [firstName, lastName] = [columns.first_name ?? '', columns.last_name ?? '']
  return { ...columns, name: lastName ? personName({ firstName, lastName }) : firstName }
}

const playerTeam: PutBack = async (tx, id, fields, writer) => {
  if (fields.deleted === true) return deletePlayerTeam(tx, id, writer)
  if (fields.deleted === undefined) {
    const { player_id: playerId, team_id: teamId } = fields as { player_id?: string; team_id?: string }
    return changePlayerTeam(tx, id, { ...(playerId ? { playerId } : {}), ...(teamId ? { teamId } : {}) }, writer)
  }
  const [pair] = await tx.sql<{ playerId: string; teamId: string }[]>`
    select player_id as "playerId", team_id as "teamId" from player_teams where id = ${id}`
  if (!pair) throw conflict('The record was permanently deleted.')
  await postPlayerTeam(tx, { id, ...pair }, writer)
}

const attached =
  (type: ByDocument): PutBack =>
  async (tx, id, fields, writer) => {
    if (fields.deleted === false) await reviveAttached(tx, type, id, writer)
    else if (fields.deleted === true) await deleteAttached(tx, type, id, writer)
    else await updateAttached(tx, type, id, pick(fields, columnNames(type)) as Columns, writer)
  }

const cardImage: PutBack = async (tx, id, fields, writer) => {
  if ('image_type' in fields) return changeImageType(tx, id, fields.image_type as ImageSide, writer)
  throw conflict('The files of a deleted image are gone. Upload it again.')
}

/** How records of each type are restored. */
export const putBack: Record<string, PutBack> = {
  ...{ cards: card, sets: set, playerteams: playerTeam, card_images: cardImage },
  ...Object.fromEntries(typesByDocument.map((type) => [type, attached(type)])),
  ...Object.fromEntries(
    (['attributes', 'brands', 'genres', 'manufacturers', 'years', 'players', 'teams'] as const).map((type) => [
      type,
      entity(type),
    ]),
  ),
}
