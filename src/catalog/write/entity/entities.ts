import type { Transaction } from '../../../../db/client.ts'
import { ApiError, conflict } from '../../../jsonapi/errors.ts'
import { counted } from '../../../lib/counted.ts'
import { sizes } from '../../../limits.ts'
import { everything, lists } from '../../model/counts.ts'
import type { Writer } from '../card/cards.ts'
import { type Changes, note, writeChanges } from '../counts/changes.ts'
import { setDependents } from '../counts/dependents.ts'
import { applyTallies, count, countsOf, type Tallies } from '../counts/tallies.ts'
import { keepWords } from '../counts/words.ts'
import { lockNames } from '../locks/names-locked.ts'
import { lateOf } from '../locks/order.ts'
import { lockRows } from '../locks/rows-locked.ts'
import { lockSets } from '../locks/sets-locked.ts'
import { lostRace } from '../race.ts'
import { notePairs } from '../set/children.ts'
import { rename, rowsOfRename } from './rename.ts'
import { insertEntities, readEntities, updateEntities } from './rows.ts'
import { type EntityType, entityTables } from './tables.ts'

/** The stored columns of an entity, by name. */
export type Columns = Record<string, string | null>
export type EntityRecord = { id: string; columns: Columns; deleted: boolean; audience: number; revision: string }
/** What an entity shall be: its columns, or deleted. */
export type EntityState = { columns: Columns; deleted: boolean }
export type EntityPlan = { id: string; change: (before: EntityRecord | undefined) => EntityState | ApiError }
export type EntityOutcome = { id: string; result: 'created' | 'updated' | 'unchanged' | 'failed'; error?: ApiError }
export type EntityChange = { id: string; before: EntityRecord | undefined; after: EntityState; audience: number }

/** More live cards than this bear a name: it is changed in chunks, by `cardstock rename`. */
export const cardsInOneRename = sizes.renamedCards.most

/**
 * Writes plain entities of one type in the caller's transaction; player-teams go through player-teams.ts. Locks each
 * entity's tally first, which every writer of what bears it waits for. Throws where a constraint is violated.
 */
export const writeEntities = async (
  tx: Transaction,
  type: EntityType,
  plans: EntityPlan[],
  writer: Writer,
): Promise<EntityOutcome[]> => {
  const { usedBy } = entityTables[type]
  const sets = type === 'years' ? await lockSetsOf(tx, plans) : undefined
  const locks: Tallies = new Map()
  for (const plan of plans) count(locks, usedBy, type, plan.id)
  const counted = new Map((await applyTallies(tx, locks)).map((one) => [one.id, one]))
  if (sets && (await setsOfYears(tx, plans)).some((id) => !sets.has(id))) throw lostRace('a set got the year')
  const values =
    type === 'attributes'
      ? await valuesOf(
          tx,
          plans.map((plan) => plan.id),
        )
      : new Map<string, number>()
  const stored = await readEntities(
    tx,
    type,
    plans.map((plan) => plan.id),
  )

  const outcomes = new Map<string, EntityOutcome>()
  const changes: EntityChange[] = []
  for (const plan of plans) {
    const before = stored.get(plan.id)
    const uses = counted.get(plan.id)
    const after = plan.change(before)
    const refusal =
      after instanceof ApiError
        ? after
        : refusalOf(type, before, after, writer.cardsFollow ? 0 : (uses?.live ?? 0), values.get(plan.id) ?? 0)
    if (refusal) outcomes.set(plan.id, { id: plan.id, result: 'failed', error: refusal })
    else if (before && sameEntity(before, after as EntityState))
      outcomes.set(plan.id, { id: plan.id, result: 'unchanged' })
    else {
      const state = after as EntityState
      changes.push({ id: plan.id, before, after: state, audience: audienceOfEntity(type, state, uses?.published ?? 0) })
    }
  }
  await commitEntities(tx, type, changes, writer)
  for (const { id, before } of changes) outcomes.set(id, { id, result: before ? 'updated' : 'created' })
  return plans.map((plan) => outcomes.get(plan.id) as EntityOutcome)
}

/** The name of a year stands in its sets: they are locked before the year, in the order in which everyone locks sets. */
const lockSetsOf = async (tx: Transaction, years: EntityPlan[]) => {
  const ids = await setsOfYears(tx, years)
  await lockSets(tx, ids)
  return new Set(ids)
}

const setsOfYears = async (tx: Transaction, years: EntityPlan[]) => {
  const rows = await tx.sql<{ id: string }[]>`
    select id from sets where year_id = any(${years.map(({ id }) => id)}::uuid[])`
  return rows.map(({ id }) => id)
}

/** Attributes are a vocabulary that everyone sees; of the others, what something published leads to. */
const audienceOfEntity = (type: EntityType, state: EntityState, published: number) =>
  state.deleted ? 0 : type === 'attributes' || published > 0 ? 2 : 1

const refusalOf = (
  type: EntityType,
  before: EntityRecord | undefined,
  after: EntityState,
  live: number,
  values: number,
) => {
  const { noun, usedBy, naming } = entityTables[type]
  if (after.deleted && live > 0)
    return conflict(`The ${noun} is used by ${counted(live, `live ${usedBy.slice(0, -1)}`)}: it cannot be deleted.`)
  if (after.deleted && values > 0)
    return conflict(`The attribute has a value on ${counted(values, 'object')}: it cannot be deleted.`)
  const isRename = before && usedBy === 'cards' && before.columns[naming] !== after.columns[naming]
  if (isRename && live > cardsInOneRename)
    return conflict(
      `The name is borne by ${counted(live, 'live card')}: change it with \`cardstock rename ${type} ${before.id} NAME\`.`,
    )
  return undefined
}

/** How many live objects have a value of each attribute; the attribute's lock keeps it so. */
const valuesOf = async (tx: Transaction, ids: string[]) => {
  const rows = await tx.sql<{ id: string; live: string }[]>`
    select id, live from tallies where list = ${lists['object-attributes']} and id = any(${ids}::uuid[])`
  const late = lateOf(tx)?.tallies
  const coming = (id: string) => late?.get(`object-attributes:${id}`)?.live ?? 0
  const live = new Map(rows.map((row) => [row.id, Number(row.live)]))
  return new Map(ids.map((id) => [id, (live.get(id) ?? 0) + coming(id)]))
}

const sameEntity = (before: EntityRecord, after: EntityState) =>
  before.deleted === after.deleted &&
  Object.entries(after.columns).every(([column, value]) => before.columns[column] === value)

const commitEntities = async (
  tx: Transaction,
  type: EntityType,
  entities: EntityChange[],
  { now, cardsFollow }: Writer,
) => {
  if (entities.length === 0) return
  const { naming } = entityTables[type]
  const renamed = entities.filter(({ before, after }) => before?.columns[naming] !== after.columns[naming])
  await lockNames(
    tx,
    type,
    entities.flatMap(({ before, after }) =>
      before?.columns[naming] !== after.columns[naming] || before?.deleted ? after.columns[naming] : [],
    ),
  )
  await lockRows(
    tx,
    entities.flatMap((entity) => rowsOf(type, entity, cardsFollow)),
  )
  await insertEntities(
    tx,
    type,
    entities.filter((one) => !one.before),
    now,
  )
  await updateEntities(
    tx,
    type,
    entities.filter((one) => one.before),
    now,
  )
  const changes: Changes = new Map()
  const tallies: Tallies = new Map()
  for (const { id, before, after, audience } of entities) {
    const audienceBefore = before?.audience ?? 0
    const [live, published] = countsOf(audience)
    const [liveBefore, publishedBefore] = countsOf(audienceBefore)
    count(tallies, type as 'brands', type, everything, live - liveBefore, published - publishedBefore)
    note(changes, type, audienceBefore, audience, [id])
    if (before && before.columns[naming] !== after.columns[naming])
      await rename(tx, type, id, changes, now, cardsFollow)
    if (before && (audienceBefore === 0) !== (audience === 0) && (type === 'players' || type === 'teams'))
      await notePairs(tx, type, { id, before: audienceBefore, after: audience }, changes)
    if (before && audience === 0 && (type === 'players' || type === 'teams'))
      await setDependents(tx, { objects: [type === 'players' ? 'player' : 'team', [id]] }, 0, changes, tallies)
  }
  await applyTallies(tx, tallies)
  await writeChanges(tx, changes, now)
  keepWords(
    tx,
    renamed.flatMap(({ after }) => after.columns[naming] ?? []),
  )
}

/** The rows of others that an entity's change writes or tells of. */
const rowsOf = (type: EntityType, { id, before, after, audience }: EntityChange, cardsFollow: boolean | undefined) => {
  if (!before) return []
  const { naming } = entityTables[type]
  if (before.columns[naming] !== after.columns[naming]) return rowsOfRename(type, id, cardsFollow)
  return (before.audience === 0) === (audience === 0) ? [] : rowsOfRename(type, id, true)
}
