import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { type ApiError, conflict } from '../../../jsonapi/errors.ts'
import { typesByDocument } from '../../model/attached.ts'
import type { StoredType } from '../../model/tables.ts'
import { writeCards } from '../../write/card/write.ts'
import { restorePlayerTeams } from '../../write/entity/restore-player-teams.ts'
import { entityTables } from '../../write/entity/tables.ts'
import { writeEntities } from '../../write/entity/write.ts'
import { cardFields, entityFields, type Fields, setFields, withCardFields } from '../../write/history/fields.ts'
import type { EntityType, Outcome, Pair, SetState, Writer } from '../../write/record.ts'
import { writeSets } from '../../write/set/write.ts'
import { enter } from '../../write/write-transaction.ts'
import { addLeft, newReport } from '../write/report.ts'
import { putBackAttached } from './attached.ts'
import { sayGone } from './gone.ts'
import { readNames } from './names.ts'
import { type Made, type Revision, readMade } from './revised.ts'
import type { Step, Undoing } from './step.ts'
import { inParts, leaveOne } from './walk.ts'

/** How many changes one transaction looks at. */
const changesPerTransaction = 300

/** The result for one record: whether any fields were restored, and which ones stay as they are. */
type Result = { changed: boolean; left: string[] }

/** Restores fields that the import changed and nobody has changed since, for the next records of one type. */
export const putBack = async (after: string | null, { db, importId, writer, keep }: Undoing): Promise<Step> => {
  const rows = await db.sql<Pick<Revision, 'id' | 'object_id' | 'object_type'>[]>`
    select id, object_id, object_type from revisions
    where cause_id = ${importId} and cause in ('import', 'prune') and id > ${after ?? '0'}::bigint
    order by id limit ${changesPerTransaction}`
  const type = rows[0]?.object_type
  if (!type) return undefined
  const end = rows.findIndex((row) => row.object_type !== type)
  const all = end < 0 ? rows : rows.slice(0, end)
  return inParts(all.length, (size) => {
    const some = all.slice(0, size)
    const ids = [...new Set(some.map((row) => row.object_id))]
    const last = some.at(-1)?.id as string
    const leave = (reason: string) =>
      db.transaction(async (tx) => {
        const done = { after: last, part: newReport() }
        await leaveOne(tx, type, ids[0] as string, reason, done.part)
        await keep(tx, done)
        return done
      })
    return { write: () => putBackSome(ids, type, last, { db, importId, writer, keep }), leave }
  })
}

const putBackSome = (ids: string[], type: string, last: string, { db, importId, writer, keep }: Undoing) =>
  enter(db, async (tx) => {
    const made = await readMade(tx, ids, importId)
    const results = new Map<string, Result>()
    const outcomes = await write(tx, type, made, results, writer)
    const part = newReport()
    const before = new Map(made.map((one) => [one.id, one.before]))
    const staying = outcomes.flatMap(({ id, error }) => (error || results.get(id)?.left.length ? [id] : []))
    const names = staying.length > 0 ? await readNames(tx, type as StoredType, staying) : new Map<string, string>()
    for (const { id, error } of outcomes) {
      const { changed, left } = results.get(id) ?? { changed: false, left: [] }
      const name = names.get(id) ?? id
      if (error) addLeft(part, { type, id, name, reason: (await sayGone(tx, before.get(id) ?? {})) ?? detailOf(error) })
      else if (changed) part.putBack++
      if (left.length > 0) addLeft(part, { type, id, name, reason: `Changed since: ${left.join(', ')}.` })
    }
    const done = { after: last, part }
    await keep(tx, done)
    return done
  })

const detailOf = (error: ApiError) => error.errors[0]?.detail ?? error.message

/** The old values to restore, given a record's current fields. */
const fieldsBack = ({ before, after, touched }: Made, now: Fields): Result & { fields: Fields } => {
  const changed = Object.keys(after).filter((field) => !Bun.deepEquals(now[field] ?? null, before[field] ?? null))
  const back = changed.filter(
    (field) => !touched.get(field)?.size && Bun.deepEquals(now[field] ?? null, after[field] ?? null),
  )
  return {
    changed: back.length > 0,
    left: changed.filter((field) => !back.includes(field)),
    fields: Object.fromEntries(back.map((field) => [field, before[field]])),
  }
}

const write = async (
  tx: Transaction,
  type: string,
  made: Made[],
  results: Map<string, Result>,
  writer: Writer,
): Promise<Outcome[]> => {
  const back = (one: Made, now: Fields) => {
    const { fields, ...result } = fieldsBack(one, now)
    results.set(one.id, result)
    return fields
  }
  if (type === 'cards')
    return writeCards(
      tx,
      made.map((one) => ({
        id: one.id,
        change: (before) => {
          if (!before) throw new Error('A card no longer exists.')
          return withCardFields(before, back(one, cardFields(before)))
        },
      })),
      writer,
    )
  if (type === 'sets')
    return writeSets(
      tx,
      made.map((one) => ({
        id: one.id,
        change: (before) => {
          if (!before) throw new Error('A set no longer exists.')
          return { ...before, ...(back(one, setFields(before)) as Partial<SetState>) }
        },
      })),
      writer,
    )
  if (type === 'playerteams') return writePairs(tx, made, back, writer)
  const attached = typesByDocument.find((one) => one === type)
  if (attached) {
    const byId = new Map(made.map((one) => [one.id, one]))
    return putBackAttached(tx, attached, [...byId.keys()], (id, now) => back(byId.get(id) as Made, now), writer)
  }
  if (!(type in entityTables)) return []
  return writeEntities(
    tx,
    type as EntityType,
    made.map((one) => ({
      id: one.id,
      change: (before) => {
        if (!before) throw new Error('A record no longer exists.')
        const { deleted = before.deleted, ...columns } = back(one, entityFields(before))
        return { deleted: deleted === true, columns: { ...before.columns, ...(columns as Record<string, string>) } }
      },
    })),
    writer,
  )
}

/** Player-teams have nothing to restore except whether they exist. */
const writePairs = async (
  tx: Transaction,
  made: Made[],
  back: (one: Made, now: Fields) => Fields,
  writer: Writer,
): Promise<Outcome[]> => {
  const rows = await tx.sql<(Pair & { id: string; deleted: boolean })[]>`
    select id, player_id as "playerId", team_id as "teamId", deleted_at is not null as deleted from player_teams
    where id = any(${arrayOf(made.map(({ id }) => id))}::text::uuid[]) and not is_yielded`
  const stored = new Map(rows.map((row) => [row.id, row]))
  const pairs = made.flatMap((one) => {
    const now = stored.get(one.id)
    return now ? [{ ...now, deleted: (back(one, { deleted: now.deleted }).deleted ?? now.deleted) === true }] : []
  })
  const outcomes = await restorePlayerTeams(tx, pairs, writer)
  return outcomes.map(({ id, result, reason }) => ({
    ...{ id, result },
    ...(result === 'failed' ? { error: conflict(reason ?? 'It is in use.') } : {}),
  }))
}
