import { type Atom, type CardAtom, isOfSet, type SetAtom } from './atoms.ts'
import { type Builder, idsOf, listOf, phraseOf } from './builder.ts'
import { serialCondition } from './conditions.ts'
import type { Span } from './span.ts'
import { exactly } from './words.ts'

/** A select of the sets that are so in one of some ways, each once, as `id`, `no` and `name_key`. */
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
 * Selects of the live cards that are so in one of some ways, as `id`, `set_no`, `number_key` and `by`, the player or team
 * that a card was found by.
 */
export const cardsOf = (atoms: Atom[], span: Span, builder: Builder): string[] => {
  const ofSets = atoms.filter(isOfSet)
  const ofCards = atoms.filter((atom) => !isOfSet(atom))
  return [
    ...(ofSets.length > 0 ? [cardsOfSets(`(${setsOf(ofSets, builder)})`, span)] : []),
    ...ofCards.map((atom) => cardsBy(atom as CardAtom, span, builder)),
  ]
}

/** A select of the live cards of sets, in the order of checklists. */
export const cardsOfSets = (sets: string, span: Span): string => `
  select t.id, n.no as set_no, t.number_key, null::uuid as by from (
    select n.id, n.no from ${sets} n where ${span.sets('n.no')} order by n.no${span.isBackward ? ' desc' : ''}
  ) n cross join lateral (
    select t.id, t.number_key from cards t
    where t.set_id = n.id and t.deleted_at is null and ${span.where('n.no', 't.number_key', 't.id')}
    order by ${span.order('t.number_key', 't.id')} limit ${span.limit}
  ) t limit ${span.limit}`

/** Cards of sets that the reader may not see are left out: such sets are few, and known at once. */
const isVisible = (setNo: string, { level }: Builder) =>
  `${setNo} not in (select h.no from sets h where h.audience < ${level})`

const cardsBy = (atom: CardAtom, span: Span, builder: Builder): string => {
  if (atom.of === 'bearer') return cardsOfBearers(atom, span, builder)
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

/** Whether an index has the cards of an atom in checklist order: the others would be sorted first, however many they are. */
export const isInOrder = (atom: CardAtom) => {
  if (atom.of === 'attribute') return atom.ids.length === 1
  return atom.of === 'serial' ? atom.comparison === '=' : atom.of !== 'title'
}

const isSo = (atom: Exclude<CardAtom, { of: 'bearer' | 'attribute' }>, builder: Builder) => {
  const { args } = builder
  if (atom.of === 'number') return `t.number_key collate "C" = ${args.add(atom.key, 'text')}`
  if (atom.of === 'serial') return serialCondition(atom, builder)
  return `t.title is not null and search_words(search_text(t.title)) @@ ${args.add(exactly(atom.words), 'tsquery')}
    and strpos(search_text(t.title), ${phraseOf(atom.words, args)}) > 0`
}

const cardsOfBearers = ({ column, named }: CardAtom & { of: 'bearer' }, span: Span, builder: Builder) => {
  const lists = column === 'player_id' ? 'lists_player' : 'lists_team'
  return `select b.id, b.set_no, b.number_key, n.id as by from ${idsOf(named, builder)} n (id) cross join lateral (
      select o.card_id as id, o.set_no, o.number_key from oncard o
      where o.${column} = n.id and o.${lists} and ${isVisible('o.set_no', builder)}
        and ${span.where('o.set_no', 'o.number_key', 'o.card_id')}
      order by ${span.order('o.set_no', 'o.number_key', 'o.card_id')} limit ${span.limit}
    ) b`
}
