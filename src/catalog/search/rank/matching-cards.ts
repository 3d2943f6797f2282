import type { Atom } from '../find/atoms.ts'
import type { Builder } from './builder.ts'
import { cardsOf, firstCards } from './candidates.ts'
import { compile, type Driver } from './compile.ts'
import { cardIs } from './conditions.ts'
import type { RankRequest } from './request.ts'
import type { People } from './scored-cards.ts'

/** How the candidates of a query are found, and whether there are more than are ranked. */
export type Found = Driver & { isMany: boolean }

type Wanted = {
  found: Found
  request: RankRequest
  /** The name of the table of candidates, and the most that it may have. */
  name: string
  most: number
  /** Selects of candidates that come before the others. */
  best?: string[]
  /** The people whose popularity each candidate carries as its share. */
  people?: People
}

/**
 * A table of the candidates of a query, and a select of those that match it, with the cost. `isOnce`: the select has each card only
 * once. `counts`: a select of the number of `candidates` and of `hits`, for when nothing else about them is asked. `candidateFacts`: what
 * is known about the candidates.
 */
export const matchingCards = ({ found, request, name, most, best = [], people }: Wanted, builder: Builder) => {
  const { node, resolved } = request
  const { isMany, atoms, terms, cards } = found
  // If there are too many candidates, near misses come last.
  const classes = isMany ? [atoms.filter(({ isNear }) => !isNear), atoms.filter(({ isNear }) => isNear)] : [atoms]
  const driven = classes.flatMap((some) => cardsOf(some, firstCards(most), builder, people))
  const selects = [...best, ...driven].map(
    (from, no) =>
      `(select id, set_no, number_key, cost, player_id, share, ${no >= best.length} as driven from (${from}) d)`,
  )
  const [only, ...more] = atoms
  const candidateFacts = {
    candidates: Math.min(cards, most),
    numberKeys: more.length === 0 && !isMany && only?.of === 'number' ? only.keys : undefined,
    byPlayer: atoms.some((atom) => atom.of === 'subject' && atom.column === 'player_id'),
  }
  const [term] = terms
  const { where, cost } = compile(node, {
    meanings: resolved.meanings,
    fitting: (atom) => atom,
    anyOf: (some) => cardIs(some, builder, candidateFacts),
    // Candidates aren't checked again for the term that found them: that would double the lookups.
    ...(term && terms.length === 1
      ? { found: { term, cost: 'c.cost', ...(best.length > 0 ? { which: 'c.driven' } : {}) } }
      : {}),
  })
  const setAt = /\bs\./.test(`${where} ${cost}`)
    ? `cross join lateral (
        select s.id, s.brand_id, s.manufacturer_id, s.genre_id, s.year_id, s.kind from sets s where s.no = c.set_no offset 0
      ) s`
    : ''
  const isOnce = selects.length === 1 && atoms.every(findsOnce)
  const read = `${selects.join(' union all ')} limit ${most}`
  return {
    table: `${name} as materialized (${read})`,
    hits: `select c.id, c.set_no, c.number_key, (${cost})::float8 as cost, c.share from ${name} c ${setAt} where ${where}`,
    counts: `select count(*) as candidates, count(${isOnce ? '*' : 'distinct c.id'}) filter (where ${where}) as hits
      from (${read}) c ${setAt}`,
    isOnce,
    candidateFacts,
  }
}

/** Whether an atom finds each card only once. Two players may be on the same card. */
const findsOnce = (atom: Atom) =>
  atom.of === 'attribute'
    ? atom.ids.length === 1
    : atom.of !== 'subject' || (!atom.named.cut && atom.named.ids.length === 1)
