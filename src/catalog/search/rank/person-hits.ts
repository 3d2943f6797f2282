import { lists } from '../../model/counts.ts'
import { rankedMost } from '../find/atoms.ts'
import { tallied } from '../find/lookup.ts'
import { nameSelects } from '../find/pattern.ts'
import type { Persons } from '../find/persons.ts'
import { type Builder, listOf } from './builder.ts'
import { type HitRow, lastPlace, numberOf } from './order.ts'
import type { RankRequest } from './request.ts'
import { bases, costMost, popularity, popularitySql, round, rounded, weights } from './score.ts'

/** The parts of the score of a player or team, if there are too many to list, in SQL. */
export const personParts = "json_build_object('base', base, 'words', 0, 'popularity', popularity)"

/** The listed players or teams as hits. */
export const personHits = ({ type, some }: Persons, order: RankRequest['order']): HitRow[] =>
  some.map(({ id, key, cost, isWhole, cards }) => {
    const parts = {
      base: isWhole ? bases.whole : bases.person,
      words: -Math.min(costMost, cost),
      popularity: round(popularity(cards) * weights.fame),
    }
    const score = round(parts.base + parts.words + parts.popularity)
    return {
      ...{ type, score, place: [order === 'relevance' ? score : lastPlace, numberOf(type), 0, key, id] },
      parts: () => parts,
    }
  })

/** How many namesakes have their cards counted. The rest rank after them, except the well-known ones. */
const comparedMost = 1000

/** A select of players or teams that are too many to list. */
export const manyPersons = (
  type: Persons['type'],
  cut: NonNullable<Persons['cut']>,
  known: string[],
  builder: Builder,
): string => {
  const { level, args } = builder
  const query = args.add(cut.query, 'tsquery')
  const [byName, byAlias] = nameSelects(type, 't.id, t.name_key', query, level, rankedMost + 1)
  return `
  with by_name as materialized (${byName})
  select ${rounded('base + popularity')} as score, base, popularity, name_key, id
  from (
    select case when t.name_key = ${args.add(cut.name, 'text')} then ${bases.whole} else ${bases.person} end::float8 as base,
      case when t.place <= ${comparedMost} or t.id in (select unnest(${listOf(known, builder)}))
        then ${rounded(`${popularitySql(tallied(lists.cards, level))} * ${weights.fame}`)} else 0 end::float8 as popularity, t.name_key, t.id
    from (select t.id, t.name_key, row_number() over () as place from (
      select id, name_key from by_name union all select id, name_key from (${byAlias}) a where id not in (select id from by_name)
    ) t) t
    offset 0
  ) t`
}
