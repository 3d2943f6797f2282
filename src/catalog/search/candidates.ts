import type { Place } from '../../jsonapi/cursor.ts'
import { isBackward } from '../list/page.ts'
import { type Arguments, allOf } from '../list/statement.ts'
import { type Atom, type CardAtom, isOfSet, type SetAtom } from './atoms.ts'
import { type Builder, idsOf, listOf, phraseOf } from './builder.ts'
import { serialCondition } from './conditions.ts'
import { numberOf, type PageOfHits, scores } from './order.ts'
import type { Meaning } from './resolve.ts'
import { exactly } from './words.ts'

/** A select of the sets that match any of these atoms, each once, as `id`, `no` and `name_key`. */
export const setsOf = (atoms: SetAtom[], builder: Builder): string =>
  atoms.map((atom) => `select ${setColumns} from ${setsFrom(atom, builder)}`).join(' union ')

const setColumns = 's.id, s.no, s.name_key'

const setsFrom = (atom: SetAtom, builder: Builder): string => {
  const visible = `s.audience >= ${builder.level}`
  if (atom.of === 'kind') return `sets s where ${visible} and s.kind = ${builder.args.add(atom.kind, 'text')}`
  const { column, named } = atom
  if (!named.cut) return `sets s where ${visible} and s.${column} = any(${listOf(named.ids)})`
  const table = builder.tableOf(named.cut)
  return column === 'id' ? `${table} s` : `${table} n join sets s on s.${column} = n.id and ${visible}`
}

/**
 * Selects of the live cards that match any of these atoms, as `id`, `set_no`, `number_key` and `by`, the player or team
 * that found the card.
 */
export const cardsOf = (atoms: Atom[], span: Span, builder: Builder): string[] => {
  const ofSets = atoms.filter(isOfSet)
  const ofCards = atoms.filter((atom) => !isOfSet(atom))
  return [
    ...(ofSets.length > 0 ? [cardsOfSets(`(${setsOf(ofSets, builder)})`, span)] : []),
    ...ofCards.map((atom) => cardsBy(atom as CardAtom, span, builder)),
  ]
}

/** A select of the live cards of sets, in checklist order. */
export const cardsOfSets = (sets: string, span: Span): string => `
  select t.id, n.no as set_no, t.number_key, null::uuid as by from (
    select n.id, n.no from ${sets} n where ${span.sets('n.no')} order by n.no${span.isBackward ? ' desc' : ''}
  ) n cross join lateral (
    select t.id, t.number_key from cards t
    where t.set_id = n.id and t.deleted_at is null and ${span.where('n.no', 't.number_key', 't.id')}
    order by ${span.order('t.number_key', 't.id')} limit ${span.limit}
  ) t limit ${span.limit}`

/** Leaves out cards of sets that the reader cannot see: there are few such sets, and they are known up front. */
const isVisible = (setNo: string, { level }: Builder) =>
  `${setNo} not in (select h.no from sets h where h.audience < ${level})`

const cardsBy = (atom: CardAtom, span: Span, builder: Builder): string => {
  if (atom.of === 'subject') return cardsOfSubjects(atom, span, builder)
  if (atom.of === 'attribute')
    return `select t.id, m.set_no, m.number_key, null::uuid as by from card_attributes m
      join cards t on t.id = m.card_id and t.deleted_at is null
      where m.attribute_id = any(${listOf(atom.ids)}) and ${isVisible('m.set_no', builder)}
        and ${span.where('m.set_no', 'm.number_key', 'm.card_id')}
      ${isInOrder(atom) ? `order by ${span.order('m.set_no', 'm.number_key', 'm.card_id')}` : ''} limit ${span.limit}`
  return `select t.id, t.set_no, t.number_key, null::uuid as by from cards t
    where t.deleted_at is null and ${isSo(atom, builder)} and ${isVisible('t.set_no', builder)}
      and ${span.where('t.set_no', 't.number_key', 't.id')}
    ${isInOrder(atom) ? `order by ${span.order('t.set_no', 't.number_key', 't.id')}` : ''} limit ${span.limit}`
}

/** Whether an index has the cards of an atom in checklist order: without one, all of them would be sorted first. */
export const isInOrder = (atom: CardAtom) => {
  if (atom.of === 'attribute') return atom.ids.length === 1
  return atom.of === 'serial' ? atom.comparison === '=' : atom.of !== 'title'
}

const isSo = (atom: Exclude<CardAtom, { of: 'subject' | 'attribute' }>, builder: Builder) => {
  const { args } = builder
  if (atom.of === 'number') return `t.number_key collate "C" = ${args.add(atom.key, 'text')}`
  if (atom.of === 'serial') return serialCondition(atom, builder)
  return `t.title is not null and search_words(search_text(t.title)) @@ ${args.add(exactly(atom.words), 'tsquery')}
    and strpos(search_text(t.title), ${phraseOf(atom.words, args)}) > 0`
}

const cardsOfSubjects = ({ column, named }: CardAtom & { of: 'subject' }, span: Span, builder: Builder) => {
  const lists = column === 'player_id' ? 'lists_player' : 'lists_team'
  return `select b.id, b.set_no, b.number_key, n.id as by from ${idsOf(named, builder)} n (id) cross join lateral (
      select o.card_id as id, o.set_no, o.number_key from oncard o
      where o.${column} = n.id and o.${lists} and ${isVisible('o.set_no', builder)}
        and ${span.where('o.set_no', 'o.number_key', 'o.card_id')}
      order by ${span.order('o.set_no', 'o.number_key', 'o.card_id')} limit ${span.limit}
    ) b`
}

/** The term that leaves the fewest candidates; undefined if a term can match nothing. */
export const rarest = (meanings: Meaning[], fits: (atom: Atom) => boolean) => {
  const wanted = meanings
    .filter(({ excludes }) => !excludes)
    .map((meaning) => {
      const atoms = [...meaning.exact, ...meaning.near].filter(fits)
      return { meaning, atoms: atoms.length, cards: atoms.reduce((sum, { cards }) => sum + cards, 0) }
    })
  if (wanted.some(({ atoms }) => atoms === 0)) return undefined
  return wanted.toSorted((a, b) => a.cards - b.cards)[0]
}

/** The conditions of the terms on candidates found by one of them, and how many of the terms a candidate only nearly matches, in SQL. */
export const nearOf = (
  meanings: Meaning[],
  driver: Meaning,
  anyOf: (atoms: Atom[]) => string,
  fits: (atom: Atom) => boolean,
) => {
  const where: string[] = []
  const near: string[] = []
  for (const meaning of meanings) {
    if (meaning === driver) continue
    const exact = anyOf(meaning.exact)
    if (meaning.excludes) {
      if (exact !== 'false') where.push(`${exact} is not true`)
    } else if (meaning.near.some(fits)) {
      where.push(anyOf([...meaning.exact, ...meaning.near]))
      near.push(`(case when ${exact} then 0 else 1 end)`)
    } else where.push(exact)
  }
  return { where: allOf(where), near: near.map((one) => ` + ${one}`).join(''), isPlain: where.length === 0 }
}

/** The set of a candidate, with a lookup per candidate, no matter how many the planner expects. */
export const setAt = (condition: string) => `cross join lateral (
    select s.id, s.parent_id, s.brand_id, s.manufacturer_id, s.genre_id, s.year_id, s.kind from sets s where ${condition} offset 0
  ) s`

/** Which cards to take from a source: up to a limit, after or before a position, in checklist order or reversed. */
export type Span = {
  limit: number
  isBackward: boolean
  where: (setNo: string, numberKey: string, id: string) => string
  /** The same for whole sets, as far as it applies to them. */
  sets: (setNo: string) => string
  order: (...columns: string[]) => string
}

const ordered =
  (isBackward: boolean): Span['order'] =>
  (...columns) =>
    columns
      .map((column) => `${column}${/number_key$/.test(column) ? ' collate "C"' : ''}${isBackward ? ' desc' : ''}`)
      .join(', ')

/** The first cards of a source. */
export const firstCards = (limit: number): Span => ({
  ...{ limit, isBackward: false, order: ordered(false) },
  ...{ where: () => 'true', sets: () => 'true' },
})

/** The cards of a source that may be on a page, if all of them have the same score. */
export const cardsOfPage = (page: PageOfHits, args: Arguments): Span => {
  const bounds = [bound('>', page.after, args), bound('<', page.before, args)].filter((one) => one !== undefined)
  return {
    ...{ limit: page.size + 1, isBackward: isBackward(page), order: ordered(isBackward(page)) },
    where: (setNo, key, id) =>
      allOf(
        bounds.map((one) =>
          one === 'none' ? 'false' : `(${setNo}, ${key} collate "C", ${id}) ${one.sign} (${one.at.join(', ')})`,
        ),
      ),
    sets: (setNo) => allOf(bounds.map((one) => (one === 'none' ? 'false' : `${setNo} ${one.sign}= ${one.at[0]}`))),
  }
}

const bound = (sign: '<' | '>', place: Place | undefined, args: Arguments) => {
  if (place === undefined) return undefined
  if (place.length === 0) return sign === '<' ? undefined : ('none' as const)
  const [score, type, setNo, key, id] = place
  const ahead = scores.card - Number(score) || Number(type) - numberOf('cards')
  if (ahead !== 0) return ahead < 0 === (sign === '>') ? undefined : ('none' as const)
  return { sign, at: [args.add(setNo, 'int4'), args.add(key, 'text'), args.add(id, 'uuid')] }
}
