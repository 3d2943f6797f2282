import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { conflict } from '../../../jsonapi/errors.ts'
import { tableOf } from '../../model/tables.ts'
import { writeCards } from '../../write/card/write.ts'
import { restorePlayerTeams } from '../../write/entity/restore-player-teams.ts'
import { writeEntities } from '../../write/entity/write.ts'
import type { Pair, Writer } from '../../write/record.ts'
import { writeSets } from '../../write/set/write.ts'
import { addLeft, type ImportReport } from '../write/report.ts'
import { eachMade } from './walk.ts'

/** The types that an import creates, each after the types that refer to it. */
export const madeTypes = [
  ...(['cards', 'sets', 'playerteams', 'players', 'teams'] as const),
  ...(['brands', 'manufacturers', 'genres', 'years', 'attributes'] as const),
] as const
type MadeType = (typeof madeTypes)[number]

/** Deletes the import's records of one type that nobody has touched, newest first. Those in use stay and are listed. */
export const deleteMade = (type: MadeType) =>
  eachMade(type, async (tx, ids, { importId, writer }, part) => {
    const free = await findUntouched(tx, type, ids, importId, part)
    for (const { id, name, reason } of await remove(tx, type, free, writer, part))
      addLeft(part, { type, id, name, reason })
  })

type Named = { id: string; name: string }

/** The live records that only this import, or imports since undone, have written. The others are listed. */
const findUntouched = async (
  { sql }: Transaction,
  type: MadeType,
  ids: string[],
  importId: string,
  part: ImportReport,
) => {
  const rows = await sql<(Named & { isTouched: boolean })[]>`
    select t.id, ${sql(type === 'attributes' ? 'attribute' : 'name')} as name,
      exists (
        select from revisions r where r.object_id = t.id and r.cause_id is distinct from ${importId}::uuid
          and (r.cause_id is null or not exists (
            select from revisions u where u.object_id = t.id and u.cause_id = r.cause_id and u.cause = 'undo' and u.id >= r.id
              and r.cause in ('import', 'prune', 'undo') and r.after - array(select jsonb_object_keys(u.after)) = '{}'
          ))
      ) or exists (
        select from object_attributes a where a.object_id = t.id and a.deleted_at is null
      ) or exists (select from identifiers i where i.object_id = t.id and i.audience >= 1 and i.created_at > t.created_at)
        as "isTouched"
    from ${sql(tableOf(type))} t where t.id = any(${arrayOf(ids)}::uuid[]) and t.deleted_at is null
    order by t.id desc`
  for (const { id, name, isTouched } of rows)
    if (isTouched) addLeft(part, { type, id, name, reason: 'Somebody has changed it since.' })
  return rows.filter(({ isTouched }) => !isTouched)
}

/** Deletes records, and returns those that are in use. */
const remove = async (tx: Transaction, type: MadeType, records: Named[], writer: Writer, part: ImportReport) => {
  if (records.length === 0) return []
  const outcomes = await write(tx, type, records, writer)
  const names = new Map(records.map(({ id, name }) => [id, name]))
  part.deleted += outcomes.filter(({ result }) => result === 'updated').length
  return outcomes.flatMap(({ id, result, reason }) =>
    result === 'failed' ? [{ id, name: names.get(id) ?? id, reason: reason ?? 'It is in use.' }] : [],
  )
}

const write = async (tx: Transaction, type: MadeType, records: Named[], writer: Writer) => {
  if (type === 'playerteams') return restorePlayerTeams(tx, await pairsOf(tx, records), writer)
  const plans = records.map(({ id }) => ({ id, change: gone }))
  const outcomes =
    type === 'cards'
      ? await writeCards(tx, plans, writer)
      : type === 'sets'
        ? await removeSets(tx, records, writer)
        : await writeEntities(tx, type, plans, writer)
  return outcomes.map(({ id, result, error }) => ({ id, result, reason: error?.errors[0]?.detail ?? error?.message }))
}

const gone = <R extends object>(before: R | undefined) => {
  if (!before) throw new Error('A record no longer exists.')
  return { ...before, deleted: true }
}

/** Deletes sets, except those with cards or child sets. */
const removeSets = async (tx: Transaction, records: Named[], writer: Writer) => {
  const ids = records.map(({ id }) => id)
  const rows = await tx.sql<{ id: string; parent_id: string }[]>`
    select id, parent_id from sets where parent_id = any(${arrayOf(ids)}::uuid[]) and audience >= 1`
  const going = new Set(ids)
  const parents = new Set(rows.filter(({ id }) => !going.has(id)).map((row) => row.parent_id))
  return writeSets(
    tx,
    ids.map((id) => ({
      id,
      change: (before) => {
        if (before && before.live_cards > 0) return conflict('It has cards.')
        return parents.has(id) ? conflict('It has child sets.') : gone(before)
      },
    })),
    writer,
  )
}

const pairsOf = async ({ sql }: Transaction, records: Named[]) => {
  const rows = await sql<(Pair & { id: string })[]>`
    select id, player_id as "playerId", team_id as "teamId" from player_teams
    where id = any(${arrayOf(records.map(({ id }) => id))}::uuid[]) and not is_yielded`
  return rows.map((row) => ({ ...row, deleted: true }))
}
