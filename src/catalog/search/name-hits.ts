import { allOf } from '../list/statement.ts'
import { type Atom, isOfSet, rankedMost } from './atoms.ts'
import type { Builder } from './builder.ts'
import { nearOf, rarest, setAt, setsOf } from './candidates.ts'
import { setIs } from './conditions.ts'
import { type HitPlace, nearFactor, numberOf, scores } from './order.ts'
import type { Meaning, Persons } from './resolve.ts'
import { indexedWords } from './words.ts'

/** A select of the sets that match every term, as `id`, `no`, `name_key`, `near` and `score`; undefined if none can. */
export const setHits = (meanings: Meaning[], name: string, builder: Builder): string | undefined => {
  if (!meanings.every(({ excludes, isOfSets }) => excludes || isOfSets)) return undefined
  const driver = rarest(meanings, isOfSet)
  if (!driver) return undefined
  const { exact, near } = driver.meaning
  const source = (atoms: Atom[], nearness: number) =>
    atoms.some(isOfSet)
      ? [`select d.id, d.no, d.name_key, ${nearness} as near from (${setsOf(atoms.filter(isOfSet), builder)}) d`]
      : []
  const [first, second] = [...source(exact, 0), ...source(near, 1)]
  const sources = second
    ? `select d.id, d.no, d.name_key, min(d.near) as near from (${first} union all ${second}) d group by d.id, d.no, d.name_key`
    : first
  const others = nearOf(meanings, driver.meaning, (atoms) => setIs(atoms.filter(isOfSet), builder), isOfSet)
  const isWhole = `d.name_key = ${builder.args.add(name, 'text')}`
  const base = `case when ${isWhole} then ${scores.whole} when ${isNamedBy(meanings, builder)} then ${scores.name} else ${scores.label} end`
  return `select d.id, d.no, d.name_key, d.near${others.near} as near, ${nearFactor(`d.near${others.near}`)} * (${base}) as score
    from (${sources}) d ${others.isPlain ? '' : setAt('s.id = d.id')}
    where ${others.where} limit ${rankedMost + 1}`
}

/** The condition that the set `d` matches every term by its name, not only by its labels. */
const isNamedBy = (meanings: Meaning[], builder: Builder): string => {
  const names = meanings
    .filter(({ excludes }) => !excludes)
    .map(({ exact, near }) =>
      [...exact, ...near].filter(isOfSet).filter((atom) => atom.of === 'set' && atom.column === 'id'),
    )
  return names.every(({ length }) => length > 0)
    ? allOf(names.map((atoms) => setIs(atoms, builder))).replaceAll('s.id', 'd.id')
    : 'false'
}

/** The listed players or teams, as hits. */
export const personHits = ({ type, some }: Persons): HitPlace[] =>
  some.map(({ id, key, near, isWhole }) => [
    (isWhole ? scores.whole : scores.name) * scores.near ** near,
    ...[numberOf(type), 0],
    ...[key, id],
  ]) as HitPlace[]

/** A select of those that are too many to list. */
export const manyPersons = (
  type: Persons['type'],
  cut: NonNullable<Persons['cut']>,
  { level, args }: Builder,
): string => `
  select (case when t.name_key = ${args.add(cut.name, 'text')} then ${scores.whole} else ${scores.name} end)::float8 as score,
    0 as a, t.name_key as b, t.id
  from ${type} t where t.audience >= ${level} and ${indexedWords('t.name')} @@ ${args.add(cut.query, 'tsquery')}
  limit ${rankedMost + 1}`
