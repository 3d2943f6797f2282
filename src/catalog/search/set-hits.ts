import { allOf } from '../list/statement.ts'
import { type Atom, isOfSet, rankedMost } from './atoms.ts'
import type { Builder } from './builder.ts'
import { setIs } from './conditions.ts'
import { nearOf, rarest, setAt } from './judge.ts'
import type { Meaning } from './resolve.ts'
import { nearFactor, scores } from './scores.ts'
import { setsOf } from './sources.ts'

/** A select of the sets that have every term, as `id`, `no`, `name_key`, `near` and `score`; undefined where none can. */
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

/** The condition that the set `d` has every term in its name, not by its labels alone. */
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
