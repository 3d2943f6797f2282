import type { HasName } from '../../../lib/search-language.ts'
import type { Arguments } from '../../list/statement.ts'
import { serialLimit } from '../../model/resources/card-criteria.ts'
import { cardNamed } from '../match/card-name.ts'
import { queryOf, sequenceCondition } from '../match/pattern.ts'
import {
  type Atom,
  type CardAtom,
  isOfSet,
  isSubject,
  type Named,
  type SetAtom,
  type SubjectAtom,
} from '../match/term-matches.ts'
import { bitsOf } from '../name-cache/bits.ts'
import { tsqueryOf } from '../name-query.ts'
import { type Builder, hasBit, idsOf, listOf } from './statement-builder.ts'

/** The columns of candidates with the player or team through whom they were found, if any were, and whom these columns may have. */
export type Through = Partial<Record<SubjectAtom['column'], string[] | 'many'>>

/** About how many candidates there are, through whom they were found, and the number keys that all of them have, if known. */
type Candidates = { candidates: number; through: Through; numberKeys?: string[] }

/**
 * The condition that the card `c` (id, set_no, number_key) or its set matches one of the atoms. A short list of cards is read whole and
 * hashed. If a list is too long for the number of candidates, each candidate is looked up instead, with one lookup for all players and
 * teams. If all candidates share a number, an index has the players and teams for it. A candidate isn't looked up if it was found through
 * one of these players or teams, or through its only player if only players are compared.
 */
export const cardIs = (atoms: Atom[], builder: Builder, given: Candidates): string => {
  const { candidates } = given
  const areByPlayer =
    given.through.player_id && atoms.every((atom) => atom.of !== 'subject' || atom.column === 'player_id')
  const ofSets = atoms.filter(isOfSet)
  const ofCards = atoms.filter((atom) => !isOfSet(atom)) as (Atom & CardAtom)[]
  const listed = ofCards.map((atom) =>
    atom.of === 'subject' && areByPlayer ? undefined : cardsWhole(atom, candidates, builder),
  )
  const others = ofCards.filter((_, no) => listed[no] === undefined)
  const probed = others.filter(isSubject)
  const lists = listed.filter((list) => list !== undefined)
  const first = others.filter(({ of }) => of === 'number')
  const rest = others.filter(({ of }) => of !== 'number')
  const ownConditions = (some: (Atom & CardAtom)[]) =>
    some.flatMap((atom) => (hasOwnCondition(atom) ? [atomMatches(atom, builder)] : []))
  return orOf([
    ...ownConditions(first),
    ...(ofSets.length > 0 ? [isInSets(ofSets, builder)] : []),
    ...ownConditions(rest),
    ...(lists.length > 0 ? [isAmong(lists.join(' union all '))] : []),
    ...isFoundThrough(probed, given, builder),
    ...(probed.length > 0 ? [`${areByPlayer ? `${mayHaveMore} and ` : ''}${isOnCard(probed, given, builder)}`] : []),
  ])
}

/** Up to this many sets are sent as a list. More are sent as a bit for each set of the catalog. */
const listedSetsMost = 256

/** The condition that the card is in one of the sets that match. */
const isInSets = (atoms: (Atom & SetAtom)[], builder: Builder): string => {
  const { sets, args } = builder
  if (atoms.some(({ of }) => of === 'any')) return 'true'
  const found = sets.matching(atoms)
  if (found.size > listedSetsMost) return hasBit(bitsOf(found), 'c.set_no', builder)
  const nos = args.add(
    Array.from(found, ({ no }) => String(no)),
    'int[]',
  )
  return found.size <= comparedMost ? `c.set_no = any(${nos})` : `c.set_no in (select unnest(${nos}))`
}

/** A select of all cards that match an atom, if reading it is faster than looking up each candidate. */
const cardsWhole = (atom: Atom & CardAtom, candidates: number, builder: Builder): string | undefined => {
  const { args } = builder
  if (atom.of === 'subject' && isRead(candidates)(atom)) {
    const isListed = `o.lists_${atom.column.slice(0, -3)}`
    return `select o.card_id from oncard o where o.${atom.column} = any(${listOf(atom.named.ids, builder)}) and ${isListed}`
  }
  if (atom.of === 'attribute' && isRead(candidates)(atom))
    return `select m.card_id from card_attributes m where m.attribute_id = any(${listOf(atom.ids, builder)})`
  if (atom.of === 'text') {
    const column = `t.${atom.column}`
    const sequence = sequenceCondition(atom.pattern, column, args.add)
    return `select t.id from cards t where ${column} is not null and t.deleted_at is null
      and search_words(search_text(${column})) @@ ${args.add(tsqueryOf(queryOf(atom.pattern)), 'tsquery')} ${sequence ? `and ${sequence}` : ''}`
  }
  // The indexes of names and of serial limits point to rows, each of which costs as much as a lookup.
  if ((atom.of === 'called' || atom.of === 'serial') && atom.cards < candidates)
    return `select t.id from cards t where t.deleted_at is null and ${rowIs(atom, builder)}`
  return undefined
}

/** The condition that the card `t` has a whole name or a serial number. */
const rowIs = (atom: CardAtom & { of: 'called' | 'serial' }, { args }: Builder) =>
  atom.of === 'called' ? cardNamed(args.add(atom.name, 'text')) : serialIs(atom, args)

/** Conditions that the candidate was found through one of these players or teams. If names are known, nobody else is looked for. */
const isFoundThrough = (some: SubjectAtom[], { through }: Candidates, builder: Builder): string[] =>
  some.flatMap(({ column, named }) => {
    const ids = through[column]
    if (!ids) return []
    return [isNamed(`c.${column}`, named.cut && ids !== 'many' ? { ids: named.cut.among(ids) } : named, builder)]
  })

/** The condition that a card has several players. Most have one. */
export const hasSeveral =
  'exists (select from oncard o where o.card_id = c.id and o.position > 0 and o.lists_player offset 0)'

const mayHaveMore = `(c.player_id is null or ${hasSeveral})`

/** The condition that one of these players or teams is on the card: by all cards with the shared number, or by a lookup per card. */
const isOnCard = (some: SubjectAtom[], { numberKeys }: Candidates, builder: Builder): string => {
  const isAny = orOf(some.map((one) => isNamed(`o.${one.column}`, one.named, builder)))
  if (numberKeys)
    return isAmong(
      `select o.card_id from oncard o where o.number_key collate "C" = any(${builder.args.add(numberKeys, 'text[]')}) and ${isAny}`,
    )
  return `exists (select from oncard o where o.card_id = c.id and ${isAny} offset 0)`
}

/**
 * The condition that the card `c` is in a list that is read once and hashed. It is an array because the planner misjudges a list of
 * unknown ids in a large catalog: it takes the list to be too long to hash, and reads it again for each card.
 */
const isAmong = (cards: string) => `(c.id in (select unnest(array(${cards})))) is true`

const orOf = (conditions: string[]) => (conditions.length > 0 ? `(${conditions.join(' or ')})` : 'false')

/** How many rows of a list can be read in the time it takes to look up one card. */
const rowsInLookup = 12

/** Whether reading the whole list is faster than looking up each candidate. */
const isRead = (candidates: number) => (atom: Atom & CardAtom) => {
  const named = atom.of === 'subject' ? atom.named : undefined
  return !named?.cut && atom.cards + rowsInLookup * (named?.ids.length ?? 1) < rowsInLookup * candidates
}

/** An atom with a condition of its own: people are looked up together, and texts are always read whole. */
type OwnAtom = Atom & Exclude<CardAtom, { of: 'subject' | 'text' }>
const hasOwnCondition = (atom: Atom & CardAtom): atom is OwnAtom => atom.of !== 'subject' && atom.of !== 'text'

const atomMatches = (atom: OwnAtom, builder: Builder): string => {
  const { args } = builder
  if (atom.of === 'number')
    return `c.number_key ${atom.keys.length === 1 ? `= ${args.add(atom.keys[0], 'text')}` : `= any(${args.add(atom.keys, 'text[]')})`}`
  if (atom.of === 'numbers') return numbersAre('c', atom, args)
  if (atom.of === 'record') return `c.id = any(${listOf(atom.ids, builder)})`
  if (atom.of === 'attribute')
    return `exists (select from card_attributes m where m.card_id = c.id and m.attribute_id = any(${listOf(atom.ids, builder)}) offset 0)`
  const isIt = atom.of === 'has' ? hasIt('t', atom.has) : rowIs(atom, builder)
  return `exists (select from cards t where t.id = c.id and ${isIt} offset 0)`
}

/** The longest list of ids that candidates are compared with one by one. Longer lists are hashed. */
const comparedMost = 8

/** The condition that a column has one of the named records. `is true` makes the planner hash the list instead of joining it. */
const isNamed = (column: string, named: Named, builder: Builder) => {
  if (!named.cut && named.ids.length <= comparedMost) return `${column} = any(${listOf(named.ids, builder)})`
  return `(${column} in (${idsOf(named, builder)})) is true`
}

/**
 * The condition on the N of card `t`'s serial number /N. There is no separate `is not null`: with it, the planner expected so few cards
 * that it sorted them all instead of reading the first ones in order.
 */
export const serialIs = ({ range: { from, to, except } }: CardAtom & { of: 'serial' }, { add }: Arguments) => {
  const limit = (value: number) => add(Math.min(Math.max(value, -1), 999_999_999), 'int4')
  if (from !== undefined && from === to) return `${serialLimit} = ${limit(from)}`
  const bounds = [
    ...(from === undefined ? [] : [`${serialLimit} >= ${limit(from)}`]),
    ...(to === undefined ? [] : [`${serialLimit} <= ${limit(to)}`]),
    ...(except === undefined ? [] : [`${serialLimit} <> ${limit(except)}`]),
  ]
  return bounds.length > 0 ? bounds.join(' and ') : 't.serial_number is not null'
}

const signs = { '!=': '<>', '<=': '<=', '>=': '>=', '<': '<', '>': '>' } as const

/** The condition on a card's number. Cards without a number never match. */
export const numbersAre = (card: string, { bounds }: CardAtom & { of: 'numbers' }, { add }: Arguments) =>
  [
    `${card}.number_key collate "C" < '1'`,
    ...bounds.map(({ comparison, key }) => `${card}.number_key collate "C" ${signs[comparison]} ${add(key, 'text')}`),
  ].join(' and ')

/** The condition that a card has something. */
export const hasIt = (card: string, has: HasName) =>
  ({
    image: `${card}.image_ids is not null`,
    note: `${card}.notes is not null and ${card}.notes <> ''`,
    player: `${card}.has_player`,
    team: `${card}.has_team`,
  })[has]
