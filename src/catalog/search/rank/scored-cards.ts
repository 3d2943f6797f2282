import type { OrderName } from '../../../lib/search-language.ts'
import { type Node, type TermNode, termsOf } from '../language/query.ts'
import type { Atom } from '../match/term-matches.ts'
import type { Distances } from '../sets/distances.ts'
import { type HitRow, keysOf, numberOf, type PageOfHits, selectFirst } from './order.ts'
import type { RankRequest } from './request.ts'
import { bases, costMost, popularity, popularityMost, round, rounded, weights } from './score.ts'
import { type Builder, sharesOf } from './statement-builder.ts'

/** The popularity of the people that a query may mean: the players, or else the teams. */
export type People = { column: 'player_id' | 'team_id'; shares: Map<string, number> }

/**
 * A card as a statement returns it: what its words cost, and the popularity of the best-known person on it. In orders except relevance,
 * also the parts of its place between its group and its id.
 */
export type CardRow = [
  ...[id: string, setNo: number, numberKey: string, cost: number, share: number],
  ...[first?: number, group?: number, a?: number, b?: string],
]

/** What is known about the candidates: the numbers that all of them have, and people not in their shares. */
type Known = { numberKeys?: string[]; people?: People }

/** A select of the hits on a page and one more, as one JSON array of rows. */
export const selectCards = (request: RankRequest, known: Known, distances: Distances, builder: Builder): string => {
  const { order } = request
  const share = shareOf(known, builder)
  if (order !== 'relevance') {
    const keys = keysOf(order)
    const page = selectFirst({ from: `(${hitsFor[order]}) h`, columns }, keys, request, builder.args)
    return `(select json_agg(json_build_array(f.id, f.set_no, f.number_key, f.cost, ${share.of('f')}, f.first, ${keys.group}, f.a, f.b))
      from (${page}) f ${share.join('f')})`
  }
  const scored = `select h.*, ${lowestScore(distances, builder)} as lowest from card_hits h`
  const likely = `select h.id, h.set_no, h.number_key, h.cost, h.lowest, ${share.of('h')} as share
    from scored h ${share.join('h')} where ${mayBeShown(request)} offset 0`
  const [table, hits] = share.isLookup ? [`with scored as materialized (${scored})`, likely] : ['', scored]
  // A score is the same as in `cardHitsOf`.
  const score = rounded(`lowest + ${rounded(`share * ${weights.popularity}`)}`)
  const keys = { first: score, group: numberOf('cards'), a: 'set_no', b: 'number_key' }
  const page = selectFirst({ from: `(${hits}) h`, columns }, keys, request, builder.args)
  return `(${table} select json_agg(json_build_array(f.id, f.set_no, f.number_key, f.cost, f.share)) from (${page}) f)`
}

/** The score of a hit by its `set_no` and `cost`, as if nobody knew the people on it, in SQL. */
const lowestScore = (distances: Distances, { args }: Builder) => {
  const { places, takes } = distances.all()
  const place = `get_byte((select decode(${args.add(places.toHex(), 'text')}, 'hex')), set_no)`
  const taken = `case when set_no < ${args.add(places.length, 'int')} then (${args.add(takes.map(String), 'float8[]')})[1 + ${place}] else 0 end`
  return `${bases.card} - least(${costMost}, cost) - ${taken}`
}

const columns = 'set_no, number_key, cost, share'

const withCards = (column: string) =>
  `select h.id, h.set_no, h.number_key, h.cost, h.share, ${column} from card_hits h join cards t on t.id = h.id`

const withYears = `
  select h.id, h.set_no, h.number_key, h.cost, h.share, y.year from card_hits h join (
    select s.no, (select substring(y.name from '^ *([0-9]{4})')::int from years y where y.id = s.year_id) as year
    from (select distinct set_no from card_hits) d join sets s on s.no = d.set_no
  ) y on y.no = h.set_no`

/** The hits with the columns that an order needs. */
const hitsFor: Record<Exclude<OrderName, 'relevance'>, string> = {
  year: withYears,
  '-year': withYears,
  newest: withCards('(extract(epoch from t.created_at) * 1000)::float8 as newest'),
  name: withCards('left(lower(t.name), 600) as name'),
  number: `select id, ${columns} from card_hits`,
}

/** The condition that a hit may be on the first page if people on it are well known. Nobody looks for the people on the others. */
const mayBeShown = ({ after, before, size }: PageOfHits) => {
  if (after || before) return 'true'
  const last = `select n.lowest from scored n order by n.lowest desc offset ${size} limit 1`
  return `h.lowest >= coalesce((${last}), 0) - ${popularityMost}`
}

/** The popularity of the best-known person on a hit, the join it needs, and whether it has to be looked up. */
const shareOf = ({ people, numberKeys }: Known, builder: Builder) => {
  if (!people) return { of: (hit: string) => `${hit}.share`, join: () => '', isLookup: false }
  const { column, shares } = people
  if (numberKeys) {
    // `offset 0`, or else the planner would read all cards of these people.
    const ofNumber = builder.table(`select o.card_id, max(n.share) as share from (
        select card_id, ${column} as id from oncard
        where number_key collate "C" = any(${builder.args.add(numberKeys, 'text[]')}) offset 0
      ) o join ${sharesOf([...shares.keys()], shares, builder)} n (id, share) on n.id = o.id group by 1`)
    return {
      of: () => 'coalesce(n.share, 0)',
      join: (hit: string) => `left join ${ofNumber} n on n.card_id = ${hit}.id`,
      isLookup: true,
    }
  }
  // One object, read once: with a join, the planner would have to guess the order.
  const all = JSON.stringify(Object.fromEntries(shares))
  const table = builder.table(`select ${builder.args.add(all, 'text')}::jsonb as shares`)
  const most = `max(((select shares from ${table}) ->> o.${column}::text)::float8)`
  return {
    of: (hit: string) => `coalesce((select ${most} from oncard o where o.card_id = ${hit}.id), 0)`,
    join: () => '',
    isLookup: true,
  }
}

/** What the set with a number subtracts from the score of its cards. */
type TakenBySet = (no: number) => ReturnType<Distances['of']>

/** Rows of cards as hits with their scores. */
export const cardHitsOf = (rows: CardRow[], takenBy: TakenBySet): HitRow[] => {
  const group = numberOf('cards')
  return rows.map(([id, no, key, cost, share, first, its = group, a = no, b = key]) => {
    const { distance, parallel } = takenBy(no)
    const words = Math.min(costMost, cost)
    const known = round(share * weights.popularity)
    const score = round(bases.card - words - distance - parallel + known)
    return {
      type: 'cards',
      score,
      place: [first ?? score, its, a, b, id],
      parts: () => ({ base: bases.card, words: -words, set: -distance, parallel: -parallel, popularity: known }),
    }
  })
}

/** The players that a query may mean, or else the teams, if there are several. */
export const peopleOf = (node: Node, meanings: Map<TermNode, Atom[]>): People | undefined => {
  for (const column of ['player_id', 'team_id'] as const) {
    const shares = new Map<string, number>()
    for (const atom of termsOf(node, false).flatMap((term) => meanings.get(term) ?? []))
      if (atom.of === 'subject' && atom.column === column && !atom.named.cut)
        for (const [no, id] of atom.named.ids.entries()) shares.set(id, popularity(atom.named.counts?.[no] ?? 0))
    if (shares.size > 1) return { column, shares }
  }
  return undefined
}
