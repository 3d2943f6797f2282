import { type Atom, isSubject, type SubjectAtom } from '../match/term-matches.ts'
import { cardsOf, firstCards } from './candidates.ts'
import { compile, type Driver, sumOf } from './compile.ts'
import { cardIs, hasSeveral, type Through } from './conditions.ts'
import type { RankRequest } from './request.ts'
import type { People } from './scored-cards.ts'
import type { Builder } from './statement-builder.ts'

/** How the candidates of a query are found, and whether there are more than are ranked. */
export type Found = Driver & { isMany: boolean }

type Wanted = {
  found: Found
  request: RankRequest
  /** The name of the table of candidates, and the most that it may have. */
  name: string
  most: number
  /** Selects of candidates that come before the others, and the players and teams through whom some of them are found. */
  best?: string[]
  firsts?: Atom[]
  /** The people whose popularity each candidate carries as its share. */
  people?: People
}

/**
 * A table of the candidates of a query, and a select of those that match it, each card once with its lowest cost. For a facet of players,
 * it also has the `only_player` of a card that was found through them. `areOnce`: each candidate is another card. `areAll`: all candidates
 * match, each at the cost that it was found with. `counts`: tables with the number of `candidates` and of `hits`, for when nothing else
 * about them is asked. `candidateFacts`: what is known about the candidates.
 */
export const matchingCards = (
  { found, request, name, most, best = [], firsts = [], people }: Wanted,
  builder: Builder,
) => {
  const { node, resolved } = request
  const { isMany, atoms, terms, cards } = found
  // If there are too many candidates, near misses come last.
  const classes = isMany ? [atoms.filter(({ isNear }) => !isNear), atoms.filter(({ isNear }) => isNear)] : [atoms]
  const driven = classes.flatMap((some) => cardsOf(some, firstCards(most), builder, people))
  const selects = [...best, ...driven].map(
    (from, no) =>
      `(select id, set_no, number_key, cost, player_id, team_id, share, ${no >= best.length} as driven from (${from}) d)`,
  )
  const [only, ...more] = atoms
  const candidateFacts = {
    candidates: Math.min(cards, most),
    numberKeys: more.length === 0 && !isMany && only?.of === 'number' ? only.keys : undefined,
    through: throughOf(atoms, firsts),
  }
  const [term] = terms
  const parts = compile(node, {
    meanings: resolved.meanings,
    fitting: (atom) => atom,
    anyOf: (some) => cardIs(some, builder, candidateFacts),
    // Candidates aren't checked again for the term that found them: that would double the lookups.
    ...(term && terms.length === 1
      ? { found: { term, cost: foundAt, ...(best.length > 0 ? { which: 'c.driven' } : {}) } }
      : {}),
  })
  const { from, cost } = costsOf(parts ?? ['null::float8'])
  const read = `${selects.join(' union all ')} limit ${most}`
  const table = `${name} as materialized (${read})`
  const areOnce = selects.length === 1 && atoms.every(findsOnce) && atoms.filter(isSubject).length <= 1
  const matches = `count(${areOnce ? '*' : 'distinct c.id'})`
  const isByPlayer = best.length === 0 && atoms.every(isPlayer)
  const onlyPlayer = isByPlayer ? `case when not ${hasSeveral} then c.player_id end` : 'null::uuid'
  const [column, its] = request.facets.includes('player')
    ? [', only_player', `, ${onlyPlayer} as only_player`]
    : ['', '']
  const hits = `select c.id, c.set_no, c.number_key, ${cost} as cost, c.share${its} from ${name} c ${from}`
  const grouped = `select id, set_no, number_key, min(cost) as cost, max(share) as share${column} from (${hits}) h
    group by id, set_no, number_key${column}`
  return {
    table,
    hits: areOnce ? hits : grouped,
    counts: from
      ? [
          table,
          `counts as (select (select count(*) from ${name}) as candidates, ${matches} as hits from ${name} c ${from})`,
        ]
      : [`counts as (select count(*) as candidates, ${matches} as hits from (${read}) c)`],
    areOnce,
    areAll: from === '',
    candidateFacts,
  }
}

/**
 * The sum of what the parts of a query cost the candidate `c`, and what to join for it. A candidate without a match of one part is dropped
 * before the next part is computed, so parts that look up each candidate come last.
 */
const costsOf = (parts: string[]) => {
  const computed = parts.filter((part) => part !== foundAt).toSorted((a, b) => lookupsIn(a) - lookupsIn(b))
  const ifMatched = (no: number) => (no > 0 ? `where part_${no - 1}.cost is not null` : '')
  return {
    cost: sumOf([...parts.filter((part) => part === foundAt), ...computed.map((_, no) => `part_${no}.cost`)]),
    from: [
      ...computed.map((part, no) => `cross join lateral (select ${part} as cost ${ifMatched(no)} offset 0) part_${no}`),
      ifMatched(computed.length),
    ].join(' '),
  }
}

/** Through whom atoms find cards. `firsts` find some of the same. */
const throughOf = (atoms: Atom[], firsts: Atom[]): Through => {
  const columns = new Set(atoms.filter(isSubject).map(({ column }) => column))
  const ids = (column: SubjectAtom['column']) => {
    const some = [...atoms, ...firsts].filter(isSubject).filter((one) => one.column === column)
    return some.some(({ named }) => named.cut) ? 'many' : some.flatMap(({ named }) => named.ids)
  }
  return Object.fromEntries([...columns].map((column) => [column, ids(column)]))
}

const isPlayer = (atom: Atom) => isSubject(atom) && atom.column === 'player_id'

/** The column with the cost of the term that found a candidate. */
const foundAt = 'c.cost'

/** In how many places a part looks up each candidate. */
const lookupsIn = (part: string) => part.split('exists (').length - 1

/** Whether an atom finds each card only once. Two players may be on the same card. */
const findsOnce = (atom: Atom) =>
  atom.of === 'attribute'
    ? atom.ids.length === 1
    : atom.of !== 'subject' || (!atom.named.cut && atom.named.ids.length === 1)
