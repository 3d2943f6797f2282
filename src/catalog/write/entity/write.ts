import type { Transaction } from '../../../../db/client.ts'
import { ApiError, conflict } from '../../../jsonapi/errors.ts'
import { Audience } from '../../../lib/audience.ts'
import { counted } from '../../../lib/counted.ts'
import { sizes } from '../../../limits.ts'
import { everything, lists } from '../../model/counts.ts'
import { moveAttached } from '../counts/attached.ts'
import { type Changes, note, writeChanges } from '../counts/changes.ts'
import { type Crossed, noteChildYears, notePairs } from '../counts/children.ts'
import { noteEdits } from '../history/audit.ts'
import { readCurated } from '../history/curated.ts'
import { entityFields } from '../history/fields.ts'
import { markImported } from '../history/imported.ts'
import { writeRevisions } from '../history/revisions.ts'
import { lostRace, pendingOf, type Tallies } from '../locks/order.ts'
import { lockRows, rowsOfRename } from '../locks/rows.ts'
import { lockSets } from '../locks/sets.ts'
import { applyTallies, count, difference, lockNames } from '../locks/tallies.ts'
import type { EntityChange, EntityPlan, EntityRecord, EntityState, EntityType, Outcome, Writer } from '../record.ts'
import { parentLocks, parentsOf, refuseParents } from './parent-years.ts'
import { rename } from './rename.ts'
import { insertEntities, readEntities, updateEntities } from './rows.ts'
import { entityTables } from './tables.ts'

/** A name on more live cards than this is changed in chunks, by `cardstock rename`. */
export const cardsInOneRename = sizes.renamedCards.most

/**
 * Writes plain entities of one type in the caller's transaction (player-teams have player-teams.ts). Locks each entity's tally
 * first, since every writer of something that refers to it waits for that. Throws if a constraint is violated.
 */
export const writeEntities = async (
  tx: Transaction,
  type: EntityType,
  plans: EntityPlan[],
  writer: Writer,
): Promise<Outcome[]> => {
  const { usedBy } = entityTables[type]
  const ids = plans.map((plan) => plan.id)
  const sets = type === 'years' ? await lockSetsOfYears(tx, ids) : undefined
  const locks: Tallies = new Map()
  for (const id of ids) count(locks, usedBy, type, id)
  const counted = new Map((await applyTallies(tx, locks)).map((one) => [one.id, one]))
  if (sets && (await findSetsOfYears(tx, ids)).some((id) => !sets.has(id))) throw lostRace('a set got the year')
  const values = type === 'attributes' ? await countValues(tx, ids) : new Map<string, number>()
  const stored = await readEntities(tx, type, ids)
  const curated = await readCurated(tx, [...stored.keys()], writer)

  const outcomes = new Map<string, Outcome>()
  const changes: EntityChange[] = []
  for (const plan of plans) {
    const before = stored.get(plan.id)
    const uses = counted.get(plan.id)
    const after = plan.change(before, curated.get(plan.id))
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
  if (type === 'years') await applyTallies(tx, parentsOf(changes))
  const unchanged = [...outcomes.values()].flatMap(({ id, result }) => (result === 'unchanged' ? [id] : []))
  await markImported(tx, entityTables[type].table, unchanged, writer)
  await commitEntities(tx, type, changes, writer)
  for (const { id, before, after } of changes) {
    const restored = before?.deleted === true && !after.deleted
    outcomes.set(id, { id, result: before ? 'updated' : 'created', restored })
  }
  return plans.map((plan) => outcomes.get(plan.id) as Outcome)
}

/** Sets store the name of their year, so they are locked before it, in the order of all sets. */
const lockSetsOfYears = async (tx: Transaction, ids: string[]) => {
  const setIds = await findSetsOfYears(tx, ids)
  await lockSets(tx, setIds)
  return new Set(setIds)
}

const findSetsOfYears = async (tx: Transaction, ids: string[]) => {
  const rows = await tx.sql<{ id: string }[]>`select id from sets where year_id = any(${ids}::uuid[])`
  return rows.map(({ id }) => id)
}

/** Everyone sees attributes, which are a vocabulary. Other entities are visible if something published refers to them. */
const audienceOfEntity = (type: EntityType, state: EntityState, published: number) =>
  state.deleted ? Audience.deleted : type === 'attributes' || published > 0 ? Audience.published : Audience.draft

const refusalOf = (
  type: EntityType,
  before: EntityRecord | undefined,
  after: EntityState,
  live: number,
  values: number,
) => {
  const { noun, usedBy, naming } = entityTables[type]
  if (after.deleted && live > 0)
    return conflict(`The ${noun} is used by ${counted(live, `live ${usedBy.slice(0, -1)}`)} and cannot be deleted.`)
  if (after.deleted && values > 0)
    return conflict(`The attribute has a value on ${counted(values, 'object')} and cannot be deleted.`)
  const isRename = before && usedBy === 'cards' && before.columns[naming] !== after.columns[naming]
  if (isRename && live > cardsInOneRename)
    return conflict(
      `The name is on ${counted(live, 'live card')}. Change it with \`cardstock rename ${type} ${before.id} NAME\`.`,
    )
  return undefined
}

/** How many live objects have a value of each attribute. The attribute's lock freezes that number. */
const countValues = async (tx: Transaction, ids: string[]) => {
  const rows = await tx.sql<{ id: string; live: string }[]>`
    select id, live from tallies where list = ${lists['object-attributes']} and id = any(${ids}::uuid[])`
  const pending = pendingOf(tx)?.tallies
  const coming = (id: string) => pending?.get(`object-attributes:${id}`)?.live ?? 0
  const live = new Map(rows.map((row) => [row.id, Number(row.live)]))
  return new Map(ids.map((id) => [id, (live.get(id) ?? 0) + coming(id)]))
}

const sameEntity = (before: EntityRecord, after: EntityState) =>
  before.deleted === after.deleted &&
  Object.entries(after.columns).every(([column, value]) => before.columns[column] === value)

const commitEntities = async (tx: Transaction, type: EntityType, entities: EntityChange[], writer: Writer) => {
  if (entities.length === 0) return
  const { now, cardsFollow } = writer
  const { naming } = entityTables[type]
  const isRenamed = ({ before, after }: EntityChange) => before?.columns[naming] !== after.columns[naming]
  const taken = entities.flatMap((one) => (isRenamed(one) || one.before?.deleted ? one.after.columns[naming] : []))
  await lockNames(tx, type, type === 'years' ? [...taken, ...parentLocks(entities)] : taken)
  const rows = entities.flatMap((entity) => rowsOf(type, entity, cardsFollow))
  await lockRows(tx, rows)
  const fresh = entities.filter((one) => !one.before)
  await insertEntities(tx, type, fresh, writer)
  const stored = entities.filter((one) => one.before)
  await updateEntities(tx, type, stored, writer)
  if (type === 'years') await refuseParents(tx, entities, writer)
  const changes: Changes = new Map()
  const tallies: Tallies = new Map()
  const crossed: Crossed[] = []
  for (const change of entities) {
    const { id, before, audience } = change
    const audienceBefore = before?.audience ?? Audience.deleted
    count(tallies, type, type, everything, ...difference(audienceBefore, audience))
    note(changes, type, audienceBefore, audience, [id])
    if (before && isRenamed(change)) await rename(tx, type, id, changes, now, cardsFollow)
    if (audienceBefore !== audience) crossed.push({ id, before: audienceBefore, after: audience })
    if (!before || audienceBefore === audience) continue
    const isTurned = (audienceBefore === Audience.deleted) !== (audience === Audience.deleted)
    if (isTurned && (type === 'players' || type === 'teams'))
      await notePairs(tx, type, { id, before: audienceBefore, after: audience }, changes)
    await moveAttached(tx, { entities: [type, [id]] }, audience, changes, tallies)
  }
  if (type === 'years') await noteChildYears(tx, crossed, changes)
  await applyTallies(tx, tallies)
  await writeChanges(tx, changes, now)
  await writeRevisions(tx, type, entities.flatMap(revised), writer)
  const created = fresh.flatMap(({ id, after }) => (after.deleted ? [] : [id]))
  noteEdits(tx, type, 'created', created, writer)
}

const revised = ({ id, before, after }: EntityChange) =>
  before ? [{ id, before: entityFields(before), after: entityFields(after) }] : []

/** The rows of other records that change along with an entity. */
const rowsOf = (type: EntityType, { id, before, after, audience }: EntityChange, cardsFollow: boolean | undefined) => {
  if (!before) return []
  const { naming } = entityTables[type]
  if (before.columns[naming] !== after.columns[naming]) return rowsOfRename(type, id, cardsFollow)
  return (before.audience === Audience.deleted) === (audience === Audience.deleted) ? [] : rowsOfRename(type, id, true)
}
