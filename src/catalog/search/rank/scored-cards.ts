import type { Atom } from '../find/atoms.ts'
import { type Node, type TermNode, termsOf } from '../language/query.ts'
import type { Builder } from './builder.ts'
import type { Source } from './order.ts'
import type { RankRequest } from './request.ts'
import { bases, costMost, distanceSql, popularity, readSets, rounded, tieSpread, weights, wordsLeft } from './score.ts'

/** The popularity of the people that a query may mean: the players, or else the teams. */
export type People = { column: 'player_id' | 'team_id'; shares: Map<string, number> }

/** The parts of a card's score, from the columns of a scored card, in SQL. */
const cardParts = `json_build_object('base', ${bases.card}, 'words', -words, 'set', -distance, 'parallel', -parallel, 'popularity', popularity)`

/** What is known about the candidates: about how many there are, the numbers that all of them have, and people not in their shares. */
type Known = { candidates: number; numberKeys?: string[]; people?: People }

/** The hits with their scores and the columns that an order needs, and the tables for that. */
export const scoredCards = (
  request: RankRequest,
  free: string,
  known: Known,
  builder: Builder,
): Source & { tables: string[] } => {
  const { order } = request
  const share = shareOf(known, builder)
  const needsCard = order === 'name' || order === 'newest'
  const columns = `h.id, h.set_no, h.number_key,
    ${order === 'number' ? "h.number_key || ' ' || lpad(h.set_no::text, 9, '0')" : "''"} as number_place,
    ${needsCard ? 'left(lower(t.name), 600) as name, (extract(epoch from t.created_at) * 1000)::float8 as newest' : "'' as name, 0::float8 as newest"}`
  const parts = (
    hit: string,
    set: string,
  ) => `least(${costMost}, ${hit}.cost) as words, ${set}.distance, ${set}.parallel,
    ${rounded(`${share.of(hit)} * ${weights.popularity}`)} as popularity`
  const score = `${rounded(`${bases.card} - words - distance - parallel + popularity`)} as score`
  if (needsCard || order === 'number')
    return {
      tables: [],
      from: `(select ${columns}, h.cost, h.share from card_hits h ${needsCard ? 'join cards t on t.id = h.id' : ''}) h`,
      scored: `cross join lateral (
        select words, distance, parallel, popularity, ${score} from (
          select ${parts('f', 's')} from (${setScore(free, 'f.set_no')}) s ${share.join('f')}
        ) x offset 0
      ) x`,
      parts: cardParts,
    }
  const year = "(select substring(y.name from '^ *([0-9]{4})')::int from years y where y.id = s.year_id)"
  const shown = order === 'relevance' ? 'null::int' : year
  return {
    tables: [`set_scores as materialized (${setScores(free, shown, known.candidates, costsOfPage(request))})`],
    from: `(
      select id, set_no, number_key, year, number_place, name, newest, words, distance, parallel, popularity, ${score}
      from (
        select ${columns}, x.year, ${parts('h', 'x')}
        from card_hits h join set_scores x on x.set_no = h.set_no ${share.join('h')} offset 0
      ) h
    ) h`,
    parts: cardParts,
  }
}

/**
 * The condition that a hit's words are cheap enough for the first page, since sets and people change a score by less than many
 * matches cost. Only the sets of such hits are read.
 */
const costsOfPage = ({ order, after, before, size }: RankRequest) => {
  if (order !== 'relevance' || after || before) return 'true'
  const last = `select least(${costMost}, n.cost) from card_hits n order by n.cost offset ${size} limit 1`
  return `least(${costMost}, h.cost) <= coalesce((${last}), ${costMost}) + ${tieSpread}`
}

const setScores = (free: string, year: string, candidates: number, ofPage: string) => {
  const left = wordsLeft(free)
  const found = `(select distinct h.set_no from card_hits h where ${ofPage})`
  const columns = `s.no as set_no, s.kind, ${left.own} as left_own, ${left.above} as left_above, ${year} as year`
  return `select set_no, ${takenBySet}, year from (${readSets(columns, found, 's.no = d.set_no', candidates)}) d`
}

const setScore = (free: string, no: string) => {
  const left = wordsLeft(free)
  const columns = `s.kind, ${left.own} as left_own, ${left.above} as left_above`
  return `select ${takenBySet} from (${readSets(columns, `(select ${no} as set_no)`, 's.no = d.set_no', 1)}) d`
}

/** What a set subtracts from the score of its cards. */
const takenBySet = `${rounded(distanceSql('left_own + left_above'))} as distance,
  case when kind in ('parallel', 'variation') and left_own > 0 then ${weights.parallel} else 0 end::float8 as parallel`

/** The popularity of the best-known person on a hit, and the join it needs. */
const shareOf = ({ people, numberKeys }: Known, builder: Builder) => {
  if (!people) return { of: (hit: string) => `${hit}.share`, join: () => '' }
  // One object, read once: with a join, the planner would have to guess the order.
  const shares = JSON.stringify(Object.fromEntries(people.shares))
  const table = builder.table(`select ${builder.args.add(shares, 'text')}::jsonb as shares`)
  const most = `max(((select shares from ${table}) ->> o.${people.column}::text)::float8)`
  if (!numberKeys)
    return {
      of: (hit: string) => `coalesce((select ${most} from oncard o where o.card_id = ${hit}.id), 0)`,
      join: () => '',
    }
  const ofNumber = builder.table(`select o.card_id, ${most} as share from oncard o
    where o.number_key collate "C" = any(${builder.args.add(numberKeys, 'text[]')}) group by 1`)
  return { of: () => 'coalesce(n.share, 0)', join: (hit: string) => `left join ${ofNumber} n on n.card_id = ${hit}.id` }
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
