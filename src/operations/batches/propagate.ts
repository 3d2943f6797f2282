import { arrayOf } from '../../../db/arrays.ts'
import type { Transaction } from '../../../db/client.ts'
import { blankCard } from '../../catalog/write/card/read.ts'
import { lockSets } from '../../catalog/write/locks/sets.ts'
import type { CardPlan, CardState } from '../../catalog/write/record.ts'
import { ApiError, notFound } from '../../jsonapi/errors.ts'

/** A plan for a card of the batch. After it has run, `state` is what its card will be. */
type Watched = { plan: CardPlan; state: () => CardState | undefined }

/** Records what a plan makes of its card, for later plans. */
export const watch = (plan: CardPlan): Watched => {
  let state: CardState | undefined
  const change: CardPlan['change'] = (before, audience) => {
    const after = plan.change(before, audience)
    state = after instanceof ApiError ? undefined : after
    return after
  }
  return { plan: { ...plan, change }, state: () => state }
}

/**
 * Plans for the cards of parallels (decisions.md §6): in each child set of kind `parallel`, the cards made from a card of the batch
 * get its number, title and entries. If there is none, one is created or restored. A card with its own row in the batch is left to
 * that row. Locks all sets first, including those that cards leave, so that two batches can't create the same card and no later
 * lock is out of order.
 */
export const planParallels = async (tx: Transaction, watched: Watched[]): Promise<CardPlan[]> => {
  const places = await placesOf(tx, watched)
  const parents = parentsOf(watched, places)
  const parallels = await parallelsOf(tx, [...new Set(parents.values())])
  await lockSets(tx, [...new Set([...places.values(), ...parents.values(), ...[...parallels.values()].flat()])])
  const children = await childrenOf(tx, [...parents.keys()], [...parallels.values()].flat())
  const own = new Set(watched.map(({ plan }) => plan.id))
  return watched.flatMap(({ plan, state }) =>
    (parallels.get(parents.get(plan.id) ?? '') ?? []).flatMap((setId) =>
      (children.get(`${plan.id} ${setId}`) ?? [Bun.randomUUIDv7()])
        .filter((id) => !own.has(id))
        .map((id) => ({ id, setId, follows: plan.id, change: likeParent(setId, plan.id, state) })),
    ),
  )
}

const likeParent =
  (setId: string, parentId: string, parent: Watched['state']): CardPlan['change'] =>
  (before) => {
    const state = parent()
    if (!state) return notFound()
    const { number, title, entries } = state
    return { ...(before ?? blankCard), set_id: setId, parent_id: parentId, number, title, entries, deleted: false }
  }

/** The current set of each existing card. */
const placesOf = async (tx: Transaction, watched: Watched[]): Promise<Map<string, string>> => {
  const rows = await tx.sql<{ id: string; set: string }[]>`
    select id, set_id as set from cards where id = any(${arrayOf(watched.map(({ plan }) => plan.id))}::uuid[])`
  return new Map(rows.map(({ id, set }) => [id, set] as const))
}

/** The new set of each card: the one its row names, otherwise its current one. */
const parentsOf = (watched: Watched[], places: Map<string, string>): Map<string, string> =>
  new Map(
    watched.flatMap(({ plan: { id, setId = places.get(id) } }) => (setId === undefined ? [] : [[id, setId] as const])),
  )

const parallelsOf = async (tx: Transaction, sets: string[]): Promise<Map<string, string[]>> => {
  const rows = await tx.sql<{ parent: string; ids: string }[]>`
    select parent_id as parent, string_agg(id::text, ',' order by no) as ids from sets
    where parent_id = any(${arrayOf(sets)}::uuid[]) and parent_id is not null and kind = 'parallel' and audience >= 1
    group by parent_id`
  return new Map(rows.map(({ parent, ids }) => [parent, ids.split(',')]))
}

/** The live cards made from each card in each set, otherwise the deleted one that can be restored. */
const childrenOf = async (tx: Transaction, parents: string[], sets: string[]): Promise<Map<string, string[]>> => {
  if (sets.length === 0) return new Map()
  const rows = await tx.sql<{ place: string; live: string | null; deleted: string | null }[]>`
    select parent_id || ' ' || set_id as place, string_agg(id::text, ',') filter (where deleted_at is null) as live,
      (array_agg(id order by id) filter (where deleted_at is not null))[1] as deleted
    from cards
    where parent_id = any(${arrayOf(parents)}::uuid[]) and set_id = any(${arrayOf(sets)}::uuid[])
    group by parent_id, set_id`
  return new Map(rows.map(({ place, live, deleted }) => [place, live?.split(',') ?? [deleted as string]]))
}
