import { lists } from '../../model/counts.ts'
import { type Atom, isOfSet, rankedMost } from '../find/atoms.ts'
import { cardsInSet, tallied } from '../find/lookup.ts'
import { costs } from '../find/meaning.ts'
import { nameSelects } from '../find/pattern.ts'
import type { Persons } from '../find/persons.ts'
import type { TermNode } from '../language/query.ts'
import { type Builder, listOf } from './builder.ts'
import { setsOf } from './candidates.ts'
import { compile, driverOf, sumOf } from './compile.ts'
import { setIs } from './conditions.ts'
import { type HitRow, lastPlace, numberOf } from './order.ts'
import type { RankRequest } from './request.ts'
import {
  bases,
  costMost,
  distanceSql,
  popularity,
  popularitySql,
  readSets,
  round,
  rounded,
  weights,
  wordsLeft,
} from './score.ts'

/** An atom as it applies to a set. A word in a set's own name or labels costs it less than it costs its cards. */
const ofSet = (atom: Atom): Atom | undefined => {
  // Replacing the team only makes sense for cards.
  if (!isOfSet(atom) || (atom.of === 'any' && atom.isNear)) return undefined
  const isPlace = atom.of === 'set' && atom.column !== 'year_id'
  return { ...atom, cost: isPlace ? round(Math.max(0, atom.cost - costs.inSet)) : atom.cost }
}

/** The parts of a set's score, from the columns of a hit, in SQL. */
export const setParts = `json_build_object('base', ${bases.set}, 'whole', whole, 'words', -words, 'set', -distance, 'below', -below, 'parallel', -parallel)`

/** The same for players and teams, if there are too many to list. */
export const personParts = "json_build_object('base', base, 'words', 0, 'popularity', popularity)"

/** A select of the sets that match a query, best first, with the columns that orders need. Undefined if none can match. */
export const setHits = (
  { node, resolved, name, order }: RankRequest,
  free: string,
  builder: Builder,
): string | undefined => {
  const atomsOf = (term: TermNode) => (resolved.meanings.get(term) ?? []).flatMap((atom) => ofSet(atom) ?? [])
  const driver = driverOf(node, atomsOf, resolved.all)
  if (!driver) return undefined
  const atoms: Atom[] = driver === 'all' ? [{ of: 'any', cards: 0, cost: 0 }] : driver.atoms
  const parts = compile(node, {
    meanings: resolved.meanings,
    fitting: ofSet,
    anyOf: (some) => setIs(some.filter(isOfSet), builder),
  })
  if (!parts) return undefined
  const left = wordsLeft(free)
  const columns = `s.id, s.no, s.name_key, s.created_at, s.parent_id, s.year_id, s.kind, ${sumOf(parts)} as cost,
    ${left.own} as own, ${left.above} as above`
  const found = `(${setsOf(atoms.filter(isOfSet), builder)})`
  const sets = driver === 'all' ? resolved.all : driver.cards / cardsInSet
  const isWhole = `d.name_key = ${builder.args.add(name, 'text')}`
  const year =
    order === 'year' || order === '-year'
      ? "(select substring(y.name from '^ *([0-9]{4})')::int from years y where y.id = d.year_id)"
      : 'null::int'
  return `select id, no, name_key, year, newest, whole, words, distance, below, parallel,
      ${rounded(`${bases.set} + whole - words - distance - below - parallel`)} as score
    from (
      select d.id, d.no, d.name_key, ${year} as year, (extract(epoch from d.created_at) * 1000)::float8 as newest,
        case when ${isWhole} then ${weights.whole} else 0 end::float8 as whole, least(${costMost}, d.cost)::float8 as words,
        ${rounded(distanceSql('d.own + d.above'))} as distance, case when d.parent_id is null then 0 else ${weights.below} end as below,
        case when d.kind in ('parallel', 'variation') and d.own > 0 then ${weights.parallel} else 0 end as parallel
      from (
        select * from (${readSets(columns, found, 's.id = d.id', sets)}) s where cost is not null limit ${rankedMost + 1}
      ) d
    ) d order by score desc, no`
}

/** The listed players or teams as hits. */
export const personHits = ({ type, some }: Persons, order: RankRequest['order']): HitRow[] =>
  some.map(({ id, key, cost, isWhole, cards }) => {
    const parts = {
      base: isWhole ? bases.whole : bases.person,
      words: -Math.min(costMost, cost),
      popularity: round(popularity(cards) * weights.fame),
    }
    const score = round(parts.base + parts.words + parts.popularity)
    return { type, place: [order === 'relevance' ? score : lastPlace, numberOf(type), 0, key, id], score, parts }
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
        then ${rounded(`${popularitySql(tallied(lists.cards)(level))} * ${weights.fame}`)} else 0 end::float8 as popularity, t.name_key, t.id
    from (select t.id, t.name_key, row_number() over () as place from (
      select id, name_key from by_name union all select id, name_key from (${byAlias}) a where id not in (select id from by_name)
    ) t) t
    offset 0
  ) t`
}
