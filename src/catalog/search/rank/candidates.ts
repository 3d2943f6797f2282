import type { Place } from '../../../jsonapi/cursor.ts'
import { isBackward } from '../../list/page.ts'
import { type Arguments, allOf } from '../../list/statement.ts'
import { cardNamed } from '../match/card-name.ts'
import { queryOf, sequenceCondition } from '../match/pattern.ts'
import {
  type Atom,
  type CardAtom,
  isOfSet,
  isSubject,
  type Named,
  rankedMost,
  type SetAtom,
} from '../match/term-matches.ts'
import { tsqueryOf } from '../name-query.ts'
import type { CostedSet } from '../sets/seen-sets.ts'
import { hasIt, numbersAre, serialIs } from './conditions.ts'
import type { PageOfHits } from './order.ts'
import type { People } from './scored-cards.ts'
import { type Builder, costedPeople, hasBit, listOf } from './statement-builder.ts'

/** A select of sets as `id`, `no` and `cost`. */
export const listedSets = (sets: CostedSet[], { args }: Builder): string => {
  const ids = sets.map(({ set }) => set.id)
  const nos = sets.map(({ set }) => String(set.no))
  const costs = sets.map(({ cost }) => String(cost))
  const lists = [args.add(ids, 'uuid[]'), args.add(nos, 'int[]'), args.add(costs, 'float8[]')]
  return `select u.id, u.no, u.cost from unnest(${lists}) u (id, no, cost)`
}

/** Whether very many sets may match an atom, so that the database finds them by an index. Others are listed. */
const isBroad = (atom: SetAtom) =>
  atom.of === 'any' || atom.of === 'kind' || (atom.of === 'set' && atom.column !== 'family' && atom.column !== 'id')

/** A select of the `id`, `no` and `cost` of the sets that match any of these atoms, each with the lowest cost of those that it matches. */
export const costedSets = (atoms: (Atom & SetAtom)[], builder: Builder): string => {
  const listed = atoms.filter((atom) => !isBroad(atom))
  const selects = [
    ...atoms
      .filter(isBroad)
      .map((atom) => `select s.id, s.no, ${atom.cost}::float8 as cost from sets s where ${setFound(atom, builder)}`),
    ...(listed.length > 0 ? [listedSets(builder.sets.costed(listed), builder)] : []),
  ]
  const [only, ...more] = selects
  if (more.length === 0) return `(${only})`
  return `(select id, no, min(cost) as cost from (${selects.join(' union all ')}) s group by 1, 2)`
}

const setFound = (atom: SetAtom, { level, args }: Builder): string => {
  const visible = `s.audience >= ${level}`
  if (atom.of === 'kind') return `${visible} and s.kind = ${args.add(atom.kind, 'text')}`
  if (atom.of === 'set') return `${visible} and s.${atom.column} = any(${args.add(atom.named.ids, 'uuid[]')})`
  return visible
}

/**
 * Selects of the live cards that match any of these atoms, as `id`, `set_no`, `number_key`, `cost`, `player_id`, `team_id` and `share`: the
 * player or team through whom a card was found, and their popularity if they are in `people`.
 */
export const cardsOf = (atoms: Atom[], span: Span, builder: Builder, people?: People): string[] => {
  const ofSets = atoms.filter(isOfSet)
  const others = atoms.filter((atom): atom is OtherAtom => !isOfSet(atom) && !isSubject(atom))
  return [
    ...(ofSets.length > 0 ? [cardsOfSets(costedSets(ofSets, builder), span)] : []),
    ...[...Map.groupBy(atoms.filter(isSubject), ({ column }) => column)].map(([column, some]) =>
      cardsOfSubjects(column, some, span, builder, people),
    ),
    ...others.map(
      (atom) =>
        `select d.id, d.set_no, d.number_key, ${atom.cost}::float8 as cost, ${nobody} from (${cardsBy(atom, span, builder)}) d`,
    ),
  ]
}

type OtherAtom = Atom & Exclude<CardAtom, { of: 'subject' }>

/** The columns of cards that weren't found through anybody. */
const nobody = 'null::uuid as player_id, null::uuid as team_id, 0::float8 as share'

/** A select of the live cards of sets (id, no and cost) in checklist order. `condition` limits the cards. */
export const cardsOfSets = (sets: string, span: Span, condition = 'true'): string => `
  select t.id, n.no as set_no, t.number_key, n.cost::float8 as cost, ${nobody} from (
    select n.id, n.no, n.cost from ${sets} n where ${span.sets('n.no')} order by ${span.orderSets}
  ) n cross join lateral (
    select t.id, t.number_key from cards t
    where t.set_id = n.id and t.deleted_at is null and ${condition} and ${span.where('n.no', 't.number_key', 't.id')}
    order by ${span.order('t.number_key', 't.id')} limit ${span.limit}
  ) t limit ${span.limit}`

/** The condition that the reader sees the set with a number. */
const isVisible = (setNo: string, builder: Builder) => hasBit(builder.sets.visible, setNo, builder)

const cardsBy = (atom: OtherAtom, span: Span, builder: Builder): string => {
  if (atom.of === 'attribute')
    return `select t.id, m.set_no, m.number_key from card_attributes m
      join cards t on t.id = m.card_id and t.deleted_at is null
      where m.attribute_id = any(${listOf(atom.ids, builder)}) and ${isVisible('m.set_no', builder)}
        and ${span.where('m.set_no', 'm.number_key', 'm.card_id')}
      ${isInOrder(atom) ? `order by ${span.order('m.set_no', 'm.number_key', 'm.card_id')}` : ''} limit ${span.limit}`
  if ((atom.of === 'numbers' || atom.of === 'has') && atom.cards > rankedMost)
    return cardsOfSets(costedSets([{ of: 'any', cards: 0, cost: 0 }], builder), span, cardMatches(atom, builder))
  return `select t.id, t.set_no, t.number_key from cards t
    where t.deleted_at is null and ${cardMatches(atom, builder)} ${entriesOf(atom)} and ${isVisible('t.set_no', builder)}
      and ${span.where('t.set_no', 't.number_key', 't.id')}
    ${isInOrder(atom) ? `order by ${span.order('t.set_no', 't.number_key', 't.id')}` : ''} limit ${span.limit}`
}

/** For `has:player` and `has:team`, a condition with an index. It is used when few cards have one. */
const entriesOf = (atom: CardAtom) =>
  atom.of === 'has' && (atom.has === 'player' || atom.has === 'team')
    ? `and t.id in (select o.card_id from oncard o where o.lists_${atom.has})`
    : ''

/** Whether an index has the cards of an atom in checklist order. Without one, all of them would be sorted first. */
export const isInOrder = (atom: CardAtom) => {
  if (atom.of === 'attribute') return atom.ids.length === 1
  if (atom.of === 'number') return atom.keys.length === 1
  if (atom.of === 'serial') return atom.range.from !== undefined && atom.range.from === atom.range.to
  return atom.of !== 'text' && atom.of !== 'record' && atom.of !== 'called'
}

/** The condition that the card `t` matches an atom. */
export const cardMatches = (atom: Exclude<CardAtom, { of: 'subject' | 'attribute' }>, builder: Builder) => {
  const { args } = builder
  if (atom.of === 'number')
    return `t.number_key collate "C" ${atom.keys.length === 1 ? `= ${args.add(atom.keys[0], 'text')}` : `= any(${args.add(atom.keys, 'text[]')})`}`
  if (atom.of === 'numbers') return numbersAre('t', atom, args)
  if (atom.of === 'serial') return serialIs(atom, args)
  if (atom.of === 'has') return hasIt('t', atom.has)
  if (atom.of === 'record') return `t.id = any(${listOf(atom.ids, builder)})`
  if (atom.of === 'called') return cardNamed(args.add(atom.name, 'text'))
  const column = `t.${atom.column}`
  const sequence = sequenceCondition(atom.pattern, column, args.add)
  return `${column} is not null and search_words(search_text(${column})) @@ ${args.add(tsqueryOf(queryOf(atom.pattern)), 'tsquery')}
    ${sequence ? `and ${sequence}` : ''}`
}

/** How many times as many cards are looked for as are needed, in case some were hidden since they were counted. */
const spare = 1.1

const cardsOfSubjects = (
  column: People['column'],
  atoms: { named: Named; cost: number }[],
  span: Span,
  builder: Builder,
  people?: People,
) => {
  const shares = people?.column === column ? people.shares : new Map()
  const found = costedPeople(atoms, shares, spare * span.limit, builder)
  const [player, team] = column === 'player_id' ? ['n.id', 'null::uuid'] : ['null::uuid', 'n.id']
  return `select b.id, b.set_no, b.number_key, n.cost, ${player} as player_id, ${team} as team_id, n.share
    from ${found} n (id, share, cost) cross join lateral (
      select o.card_id as id, o.set_no, o.number_key from oncard o
      where o.${column} = n.id and o.${column === 'player_id' ? 'lists_player' : 'lists_team'}
        and ${isVisible('o.set_no', builder)} and ${span.where('o.set_no', 'o.number_key', 'o.card_id')}
      order by ${span.order('o.set_no', 'o.number_key', 'o.card_id')} limit ${span.limit}
    ) b`
}

/** Which cards to read from a source: up to a limit, after or before a position, in checklist order or reversed. */
export type Span = {
  limit: number
  isBackward: boolean
  where: (setNo: string, numberKey: string, id: string) => string
  /** The same condition as far as it applies to whole sets. */
  sets: (setNo: string) => string
  order: (...columns: string[]) => string
  orderSets: string
}

const ordered =
  (isBackward: boolean): Span['order'] =>
  (...columns) =>
    columns
      .map((column) => `${column}${/number_key$/.test(column) ? ' collate "C"' : ''}${isBackward ? ' desc' : ''}`)
      .join(', ')

/** The first cards of a source, with the best-matching sets first. */
export const firstCards = (limit: number): Span => ({
  limit,
  isBackward: false,
  order: ordered(false),
  orderSets: 'n.cost, n.no',
  where: () => 'true',
  sets: () => 'true',
})

/** The cards of a source that may be on a page, given that all have the same score. */
export const cardsOfPage = (page: PageOfHits, score: number, group: number, args: Arguments): Span => {
  const bound = (sign: '<' | '>', place: Place | undefined) => {
    if (place === undefined) return undefined
    if (place.length === 0) return sign === '<' ? undefined : ('none' as const)
    const [placed, type, setNo, key, id] = place
    const ahead = score - Number(placed) || Number(type) - group
    if (ahead !== 0) return ahead < 0 === (sign === '>') ? undefined : ('none' as const)
    return { sign, at: [args.add(setNo, 'int4'), args.add(key, 'text'), args.add(id, 'uuid')] }
  }
  const bounds = [bound('>', page.after), bound('<', page.before)].filter((one) => one !== undefined)
  return {
    limit: page.size + 1,
    isBackward: isBackward(page),
    order: ordered(isBackward(page)),
    orderSets: `n.no${isBackward(page) ? ' desc' : ''}`,
    where: (setNo, key, id) =>
      allOf(
        bounds.map((one) =>
          one === 'none' ? 'false' : `(${setNo}, ${key} collate "C", ${id}) ${one.sign} (${one.at.join(', ')})`,
        ),
      ),
    sets: (setNo) => allOf(bounds.map((one) => (one === 'none' ? 'false' : `${setNo} ${one.sign}= ${one.at[0]}`))),
  }
}
