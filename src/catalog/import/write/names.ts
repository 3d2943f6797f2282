import { arrayOf, arrayOfTexts } from '../../../../db/arrays.ts'
import type { Database } from '../../../../db/client.ts'
import { Audience } from '../../../lib/audience.ts'
import { enter } from '../../write/enter.ts'
import { writeEntities } from '../../write/entity/write.ts'
import type { Columns, EntityType } from '../../write/record.ts'

/** The types that a checklist names: found by their name (attributes by their code), made where they are missing. */
export type NamedType = Exclude<EntityType, 'playerteams'>

/** What was found or made before in this run; forgotten when there is much of it. */
export type Known = {
  /** Ids of live records, by type and name. */
  names: Record<NamedType, Map<string, string>>
  /** Whether a record with this id lives; those that do not exist are not in it. */
  ids: Map<string, boolean>
  /** Player-teams by `player:team`, and whether they live. */
  pairs: Map<string, { id: string; live: boolean }>
}
const knownAtMost = 200_000

/** Nothing is known yet. */
export const beginKnown = (): Known => ({ names: noNames(), ids: new Map(), pairs: new Map() })

const noNames = (): Known['names'] => ({
  attributes: new Map(),
  brands: new Map(),
  genres: new Map(),
  manufacturers: new Map(),
  years: new Map(),
  players: new Map(),
  teams: new Map(),
})

/** Forgets what was found once it is a lot. Call it between two chunks: each looks up what it needs. */
export const forgetMuch = ({ names, ids, pairs }: Known) => {
  for (const part of [...Object.values(names), ids, pairs]) if (part.size > knownAtMost) part.clear()
}

/** Finds the live entities with exactly these names and makes the missing ones; returns how many it made. */
export const ensureNamed = async (
  db: Database,
  type: NamedType,
  wanted: Map<string, Columns>,
  known: Known,
  now: Date,
): Promise<number> => {
  const missing = new Map([...wanted].filter(([name]) => !known.names[type].has(keyOf(type, name))))
  if (missing.size === 0) return 0
  await findNamed(db, type, [...missing.keys()], known)
  for (const name of missing.keys()) if (known.names[type].has(keyOf(type, name))) missing.delete(name)
  return missing.size === 0 ? 0 : enter(db, (tx) => make(tx, type, missing, known, now))
}

const make = async (
  tx: Parameters<typeof writeEntities>[0],
  type: NamedType,
  missing: Map<string, Columns>,
  known: Known,
  now: Date,
) => {
  const found = beginKnown()
  await findNamed(tx, type, [...missing.keys()], found)
  const fresh = new Map<string, { id: string; columns: Columns }>()
  for (const [name, columns] of missing) {
    const key = keyOf(type, name)
    if (!found.names[type].has(key) && !fresh.has(key)) fresh.set(key, { id: Bun.randomUUIDv7(), columns })
  }
  const plans = [...fresh.values()].map(({ id, columns }) => ({ id, change: () => ({ columns, deleted: false }) }))
  if (plans.length > 0) await writeEntities(tx, type, plans, { level: Audience.draft, now }).catch(orAgain)
  for (const [key, id] of found.names[type]) known.names[type].set(key, id)
  for (const [key, { id }] of fresh) known.names[type].set(key, id)
  return fresh.size
}

/** Another import made the name at the same moment: a fresh transaction finds it. */
const orAgain = (error: { code?: string }) => {
  throw error.code === '23505' ? Object.assign(new Error('a name was taken meanwhile'), { code: '40001' }) : error
}

/** Labels and codes are unique regardless of case, and found that way; players and teams are found exactly. */
const keyOf = (type: NamedType, name: string) => (type === 'players' || type === 'teams' ? name : name.toLowerCase())

/** The oldest of each name: ids grow with time. Lower case is the database's, as it is in the index. */
const findNamed = async ({ sql }: Pick<Database, 'sql'>, type: NamedType, names: string[], known: Known) => {
  const column = type === 'attributes' ? 'attribute' : 'name'
  const rows = await sql<{ id: string; name: string; wanted: string }[]>`
    select e.id, e.${sql(column)} as name, w.name as wanted
    from unnest(${arrayOfTexts(names)}::text[]) as w (name)
    join ${sql(type)} e on e.${sql(`${column}_key`)} collate "C" = lower(w.name) collate "C" and e.audience >= 1
    order by e.id desc`
  const isExact = type === 'players' || type === 'teams'
  for (const row of rows)
    if (!isExact || row.name === row.wanted) known.names[type].set(keyOf(type, row.wanted), row.id)
}

/** The id that `ensureNamed` found or made. */
export const namedId = (known: Known, type: NamedType, name: string) => known.names[type].get(keyOf(type, name))

/** Looks up which of these ids exist. */
export const findIds = async (
  { sql }: Pick<Database, 'sql'>,
  type: EntityType,
  ids: Iterable<string>,
  known: Known,
) => {
  const missing = [...new Set(ids)].filter((id) => !known.ids.has(id))
  if (missing.length === 0) return
  const table = type === 'playerteams' ? 'player_teams' : type
  const rows = await sql<{ id: string; live: boolean }[]>`
    select id, audience >= 1 as live from ${sql(table)} where id = any(${arrayOf(missing)}::uuid[])`
  for (const { id, live } of rows) known.ids.set(id, live)
}
