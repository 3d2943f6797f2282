import type { Atom } from '../find/atoms.ts'
import type { Node, TermNode } from '../language/query.ts'

/** A query as conditions in SQL: whether a row matches, and what that costs (a number or an expression). */
export type Compiled = { where: string; cost: string }

type Conditions = {
  meanings: Map<TermNode, Atom[]>
  /** The ways of a term that count here, with what they cost. */
  fitting: (atom: Atom) => Atom | undefined
  anyOf: (atoms: Atom[]) => string
  /** The term that found the rows, which have its cost. */
  found?: { term: TermNode; cost: string }
}

/** Makes conditions of a query. What is excluded is excluded by what it is, not by what it is like. */
export const compile = (node: Node, conditions: Conditions): Compiled => {
  if (node.op === 'term') return compileTerm(node, conditions)
  if (node.op === 'not') {
    const { where } = compile(node.of, exactly(conditions))
    return { where: where === 'false' ? 'true' : `(${where}) is not true`, cost: '0' }
  }
  const parts = node.of.map((one) => compile(one, conditions))
  if (node.op === 'and') {
    const costs = parts.map(({ cost }) => cost).filter((cost) => cost !== '0')
    const wheres = parts.map(({ where }) => where).filter((where) => where !== 'true')
    if (wheres.includes('false')) return nothing
    return {
      where: wheres.length > 0 ? wheres.join(' and ') : 'true',
      cost: costs.length > 0 ? costs.join(' + ') : '0',
    }
  }
  const some = parts.filter(({ where }) => where !== 'false')
  const [only, ...more] = some
  if (!only) return nothing
  if (more.length === 0) return only
  const cost = some.every((one) => one.cost === only.cost)
    ? only.cost
    : `least(${some.map((one) => `case when ${one.where} then ${one.cost} end`).join(', ')})`
  return { where: `(${some.map(({ where }) => `(${where})`).join(' or ')})`, cost }
}

const nothing: Compiled = { where: 'false', cost: '0' }

const exactly = (conditions: Conditions): Conditions => ({
  ...conditions,
  found: undefined,
  fitting: (atom) => {
    const fitted = conditions.fitting(atom)
    return atom.isNear ? undefined : fitted
  },
})

const compileTerm = (node: TermNode, { meanings, fitting, anyOf, found }: Conditions): Compiled => {
  if (found?.term === node) return { where: 'true', cost: found.cost }
  const atoms = (meanings.get(node) ?? []).flatMap((atom) => fitting(atom) ?? [])
  if (atoms.length === 0) return nothing
  const groups = [...Map.groupBy(atoms, ({ cost }) => cost)].toSorted(([a], [b]) => a - b)
  const where = anyOf(atoms)
  const last = groups.at(-1)?.[0] ?? 0
  if (groups.length === 1) return { where, cost: String(last) }
  const cases = groups.slice(0, -1).map(([cost, some]) => `when ${anyOf(some)} then ${cost}`)
  return { where, cost: `(case ${cases.join(' ')} else ${last} end)` }
}

/** The terms that find the fewest candidates of a query; undefined where it can match nothing. */
export type Driver = { terms: TermNode[]; cards: number }

export const driverOf = (node: Node, atomsOf: (term: TermNode) => Atom[]): Driver | 'all' | undefined => {
  if (node.op === 'not') return 'all'
  if (node.op === 'term') {
    const atoms = atomsOf(node)
    return atoms.length > 0 ? { terms: [node], cards: atoms.reduce((sum, { cards }) => sum + cards, 0) } : undefined
  }
  const parts = node.of.map((one) => driverOf(one, atomsOf))
  if (node.op === 'and') {
    if (parts.includes(undefined)) return undefined
    const some = parts.filter((part): part is Driver => typeof part === 'object')
    return some.toSorted((a, b) => a.cards - b.cards)[0] ?? 'all'
  }
  if (parts.includes('all')) return 'all'
  const some = parts.filter((part): part is Driver => typeof part === 'object')
  if (some.length === 0) return undefined
  return { terms: some.flatMap(({ terms }) => terms), cards: some.reduce((sum, { cards }) => sum + cards, 0) }
}
