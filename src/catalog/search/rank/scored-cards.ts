import type { Atom } from '../find/atoms.ts'
import { type Node, type TermNode, termsOf } from '../language/query.ts'
import type { Builder } from './builder.ts'
import type { RankRequest } from './request.ts'
import { bases, costMost, distanceSql, popularity, rounded, weights, wordsLeft } from './score.ts'

/** How popular the people are whom a query may mean: the players, or else the teams. */
export type People = { column: 'player_id' | 'team_id'; shares: Map<string, number> }

/** What a card's score is made of, of the columns that a scored card has. */
export const cardParts = `json_build_object('base', ${bases.card}, 'words', -words, 'set', -distance, 'parallel', -parallel, 'popularity', popularity)`

/**
 * The hits with their scores and what an order asks for, and the tables that this takes. `people` are those whose popularity
 * the hits do not have in their `share` yet.
 */
export const scoredCards = ({ order }: RankRequest, free: string, people: People | undefined, builder: Builder) => {
  const left = wordsLeft(free)
  // An object, read once, is looked into without a join, whose order the planner would have to guess.
  const shares =
    people &&
    builder.table(
      `select ${builder.args.add(JSON.stringify(Object.fromEntries(people.shares)), 'text')}::jsonb as shares`,
    )
  const share = shares
    ? `coalesce((
        select max(((select shares from ${shares}) ->> o.${people.column}::text)::float8) from oncard o where o.card_id = h.id
      ), 0)`
    : 'h.share'
  const needsCard = order === 'name' || order === 'newest'
  const year =
    order === 'year' || order === '-year'
      ? "(select substring(y.name from '^ *([0-9]{4})')::int from years y where y.id = s.year_id)"
      : 'null::int'
  return {
    tables: [
      `set_scores as materialized (
        select d.set_no, ${rounded(distanceSql('left_own + left_above'))} as distance,
          case when kind in ('parallel', 'variation') and left_own > 0 then ${weights.parallel} else 0 end::float8 as parallel, year
        from (select distinct set_no from card_hits) d cross join lateral (
          select s.kind, ${left.own} as left_own, ${left.above} as left_above, ${year} as year
          from sets s ${left.from} where s.no = d.set_no offset 0
        ) s
      )`,
    ],
    from: `(
      select h.id, h.set_no, h.number_key, year, number_place, name, newest, words, distance, parallel, popularity,
        ${rounded(`${bases.card} - words - distance - parallel + popularity`)} as score
      from (
        select h.id, h.set_no, h.number_key, x.year, ${order === 'number' ? "h.number_key || ' ' || lpad(h.set_no::text, 9, '0')" : "''"} as number_place,
          ${needsCard ? 'left(lower(t.name), 600) as name, (extract(epoch from t.created_at) * 1000)::float8 as newest,' : "'' as name, 0::float8 as newest,"}
          least(${costMost}, h.cost) as words, x.distance, x.parallel, ${rounded(`${share} * ${weights.popularity}`)} as popularity
        from card_hits h join set_scores x on x.set_no = h.set_no ${needsCard ? 'join cards t on t.id = h.id' : ''} offset 0
      ) h
    ) h`,
  }
}

/** The players that a query may mean, or else the teams, where they are several. */
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
