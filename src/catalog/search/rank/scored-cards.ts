import type { Atom } from '../find/atoms.ts'
import { type Node, type TermNode, termsOf } from '../language/query.ts'
import type { Builder } from './builder.ts'
import type { RankRequest } from './request.ts'
import { bases, costMost, distanceSql, popularity, weights, wordsLeft } from './score.ts'

/** The hits with their scores and what an order asks for, and the tables that this takes. */
export const scoredCards = ({ order, node, resolved }: RankRequest, free: string, builder: Builder) => {
  const left = wordsLeft(free)
  const people = peopleOf(node, resolved.meanings)
  // An object, read once, is looked into without a join, whose order the planner would have to guess.
  const shares =
    people && builder.table(`select ${builder.args.add(JSON.stringify(people.shares), 'text')}::jsonb as shares`)
  const share = shares
    ? `coalesce((
        select max(((select shares from ${shares}) ->> o.${people.column}::text)::numeric) from oncard o where o.card_id = h.id
      ), 0)`
    : '0::numeric'
  const needsCard = order === 'name' || order === 'newest'
  return {
    tables: [
      `set_scores as materialized (
        select d.set_no, ${distanceSql('left_own + left_above')} as distance,
          case when kind in ('parallel', 'variation') and left_own > 0 then ${weights.parallel} else 0 end as parallel, year
        from (
          select s.no as set_no, s.kind, ${left.own} as left_own, ${left.above} as left_above,
            ${order === 'year' || order === '-year' ? "(select substring(y.name from '^ *([0-9]{4})')::int from years y where y.id = s.year_id)" : 'null::int'} as year
          from (select distinct set_no from card_hits) d join sets s on s.no = d.set_no ${left.from}
        ) d
      )`,
    ],
    from: `(
      select id, set_no, number_key, year, number_place, name, newest,
        round(${bases.card} - words - distance - parallel + popularity, 6)::float8 as score,
        json_build_object('base', ${bases.card}, 'words', -words, 'set', -round(distance, 6), 'parallel', -parallel,
          'popularity', round(popularity, 6)) as parts
      from (
        select h.id, h.set_no, h.number_key, x.year, h.number_key || ' ' || lpad(h.set_no::text, 9, '0') as number_place,
          ${needsCard ? 'left(lower(t.name), 600) as name, (extract(epoch from t.created_at) * 1000)::float8 as newest,' : "'' as name, 0::float8 as newest,"}
          least(${costMost}, h.cost) as words, x.distance, x.parallel, ${share} * ${weights.popularity} as popularity
        from card_hits h join set_scores x on x.set_no = h.set_no ${needsCard ? 'join cards t on t.id = h.id' : ''} offset 0
      ) h
    ) h`,
  }
}

/** The players that a query may mean, or else the teams, and how popular each is; undefined where there are not several. */
const peopleOf = (node: Node, meanings: Map<TermNode, Atom[]>) => {
  for (const column of ['player_id', 'team_id'] as const) {
    const found = new Map<string, number>()
    for (const atom of termsOf(node, false).flatMap((term) => meanings.get(term) ?? []))
      if (atom.of === 'subject' && atom.column === column && !atom.named.cut)
        for (const [no, id] of atom.named.ids.entries()) found.set(id, popularity(atom.named.counts?.[no] ?? 0))
    if (found.size > 1) return { column, shares: Object.fromEntries(found) }
  }
  return undefined
}
