import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { idsOf } from '../../../../db/rows.ts'
import { type Fault, notFound } from '../../../jsonapi/errors.ts'
import { claimsOf } from '../../write/locks/claims.ts'
import { moveAttached } from '../../write/merge/attached.ts'
import type { CardPlan, SetPlan, SetState, Writer } from '../../write/record.ts'
import { writeSets } from '../../write/set/write.ts'
import { childrenOf, mergeCards } from './cards.ts'
import { joinAliases, refuseFailed } from './entities.ts'
import { audiencesOf } from './live.ts'
import { writeManyCards } from './many-cards.ts'
import type { Merger, Merging, Redirect } from './record.ts'

/**
 * Sets: the cards, children, sources and values of one become those of the other. If both have a card, the two are merged into
 * the older.
 */
export const setMerger: Merger = {
  claims: async (tx, { from, into }) => {
    const cards: string[] = []
    for (const set of from)
      cards.push(...(await matchCards(tx, set, into)).flatMap((one) => [one.id, one.same ?? []].flat()))
    const named = [
      ...[...from, into, ...(await childSets(tx, from))].map((id) => ({ type: 'sets', id })),
      ...[...cards, ...(await childrenOf(tx, cards))].map((id) => ({ type: 'cards', id })),
    ]
    return claimsOf(
      tx,
      named,
      from.map((id) => ({ type: 'sets', id, isRenamed: false, isMoved: true })),
    )
  },
  faults: async (tx, { from, into }) => {
    const related = await relatedSets(tx, [...from, into])
    return from.flatMap((id, index): Fault[] =>
      related.has(id)
        ? [{ pointer: `/from_ids/${index}`, detail: 'A set cannot be merged with an ancestor or a descendant.' }]
        : [],
    )
  },
  work: async (tx, merging, writer) => {
    const { from, into } = merging
    const children = (await childSets(tx, from)).map(
      (id): SetPlan => ({ id, change: (now) => (now ? { ...now, parent_id: into } : notFound()) }),
    )
    if (children.length > 0) refuseFailed(await writeSets(tx, children, writer))
    const joined: Redirect[] = []
    for (const set of from) joined.push(...(await moveCards(tx, set, into, writer)))
    const targets = new Map(from.map((id) => [id, into]))
    await moveAttached(tx, 'sets', { targets, audiences: await audiencesOf(tx, 'sets', [into]) }, writer)
    await closeSets(tx, merging, writer)
    return joined
  },
}

type Match = { id: string; same: string | null; isOlder: boolean }

/**
 * The live cards of a set, each with the same card in another set: same number, entries, title, attributes and serial number.
 * Equal ones are told apart by their order.
 */
const matchCards = (tx: Transaction, from: string, into: string): Promise<Match[]> => {
  const columns = tx.sql`number, oncard_ids, title, attribute_ids, serial_number`
  const cardsOf = (set: string) => tx.sql`
    select id, created_at, ${columns}, row_number() over (partition by ${columns} order by created_at, id) as place
    from cards where set_id = ${set} and deleted_at is null`
  return tx.sql<Match[]>`
    with moving as (${cardsOf(from)}), there as (${cardsOf(into)})
    select m.id, t.id as same, coalesce((m.created_at, m.id) < (t.created_at, t.id), false) as "isOlder"
    from moving m left join there t on t.place = m.place
      and (t.number, t.oncard_ids, t.title, t.attribute_ids, t.serial_number)
        is not distinct from (m.number, m.oncard_ids, m.title, m.attribute_ids, m.serial_number)`
}

/** Moves a set's cards to another set, and merges those that both have into the older. Returns the newer ones. */
const moveCards = async (tx: Transaction, from: string, into: string, writer: Writer): Promise<Redirect[]> => {
  const matches = await matchCards(tx, from, into)
  const targets = new Map(
    matches.flatMap(({ id, same, isOlder }) => (same === null ? [] : [isOlder ? [same, id] : [id, same]])) as [
      string,
      string,
    ][],
  )
  const moved = new Set(matches.flatMap(({ id }) => (targets.has(id) ? [] : [id])))
  if (targets.size > 0) await mergeCards(tx, targets, writer, { cards: moved, setId: into })
  const done = new Set(targets.values())
  const others = [...moved].filter((id) => !done.has(id))
  const change: CardPlan['change'] = (now) => (now ? { ...now, set_id: into } : notFound())
  const plans = others.map((id) => ({ id, setId: into, change }))
  await writeManyCards(tx, plans, writer)
  return [...targets].map(([id, to]) => ({ type: 'cards', id, into: to }))
}

const childSets = (tx: Transaction, ids: string[]) =>
  idsOf(tx.sql<{ id: string }[]>`
    select id from sets where parent_id = any(${arrayOf(ids)}::text::uuid[]) and audience >= 1 order by no`)

/** The sets among these that are an ancestor or a descendant of another. */
const relatedSets = async (tx: Transaction, ids: string[]): Promise<Set<string>> => {
  const rows = await tx.sql<{ id: string; ancestor: string }[]>`
    with recursive line (id, ancestor) as (
      select id, parent_id from sets where id = any(${arrayOf(ids)}::text::uuid[])
      union
      select l.id, s.parent_id from line l join sets s on s.id = l.ancestor
    )
    select id, ancestor from line where ancestor = any(${arrayOf(ids)}::text::uuid[])`
  return new Set(rows.flatMap(({ id, ancestor }) => [id, ancestor]))
}

/** Deletes the merged sets. The other one takes over their names as aliases. */
const closeSets = async (tx: Transaction, { from, into }: Merging, writer: Writer) => {
  const merged = await tx.sql<{ name: string; aliases: string | null }[]>`
    select name, aliases from sets where id = any(${arrayOf(from)}::text::uuid[]) order by no`
  const aliased = (now: SetState): SetState => ({ ...now, aliases: joinAliases(now.name, now.aliases, merged) })
  const plans: SetPlan[] = [
    ...from.map((id): SetPlan => ({ id, change: (now) => (now ? { ...now, deleted: true } : notFound()) })),
    { id: into, change: (now) => (now ? aliased(now) : notFound()) },
  ]
  refuseFailed(await writeSets(tx, plans, writer))
}
