import { allOf } from '../list/statement.ts'
import { serialLimit } from '../model/resources/card-criteria.ts'
import { type Atom, type CardAtom, isOfSet, type Named, type SetAtom } from './atoms.ts'
import { type Builder, hasWords, listOf, phraseOf } from './builder.ts'
import { cardsInSet } from './lookup.ts'
import { closeness, exactly, wordsOf } from './words.ts'

/** A player or a team that a card shows. */
export type SubjectAtom = Atom & CardAtom & { of: 'subject' }

/** The condition that the set `s` matches any of these atoms. */
export const setIs = (atoms: SetAtom[], builder: Builder): string =>
  orOf(
    atoms.map((atom) =>
      atom.of === 'kind'
        ? `s.kind = ${builder.args.add(atom.kind, 'text')}`
        : isNamed(`s.${atom.column}`, atom.named, builder),
    ),
  )

/** The same for one atom, to find such sets through an index. */
const findsSets = (atom: SetAtom, { args }: Builder) =>
  atom.of === 'kind' ? `h.kind = ${args.add(atom.kind, 'text')}` : `h.${atom.column} = any(${listOf(atom.named.ids)})`

/**
 * The condition that the card `c` (id, set_no, number_key, and `by`, the player or team that it was found by), or its set
 * `s`, matches one of the atoms. A short list of cards or sets is read whole and hashed. If a list is too long for the number
 * of candidates, each candidate is looked up, with one lookup for all subjects; the subjects on cards with one number have
 * an index.
 */
export const cardIs = (atoms: Atom[], builder: Builder, given: Candidates): string => {
  const { candidates, foundBy } = given
  const subjects = atoms.filter((atom): atom is SubjectAtom => atom.of === 'subject' && !(foundBy && atom.named.cut))
  const companions = atoms.filter((atom): atom is SubjectAtom =>
    Boolean(atom.of === 'subject' && foundBy && atom.named.cut),
  )
  const others = atoms.filter((atom) => atom.of !== 'subject')
  const [read, probed] = [subjects.filter(isRead(candidates)), subjects.filter((one) => !isRead(candidates)(one))]
  return orOf([
    ...others.filter(({ of }) => of === 'number').map((atom) => isSo(atom, builder, candidates)),
    ...subjects.map((atom) => isNamed('c.by', atom.named, builder)),
    ...others.filter(({ of }) => of !== 'number').map((atom) => isSo(atom, builder, candidates)),
    ...companions.flatMap((atom) => isCompanion(atom, given, builder)),
    ...read.map(
      ({ column, named }) =>
        `c.id in (select o.card_id from oncard o where o.${column} = any(${listOf(named.ids)}) and o.lists_${column.slice(0, -3)})`,
    ),
    ...(probed.length > 0 ? isOnCard(probed, given, builder) : []),
  ])
}

/** Conditions that one of these players or teams is on the card: among all cards with the number, or by a lookup per card. */
const isOnCard = (some: SubjectAtom[], { numberKey, isByPlayers }: Candidates, builder: Builder): string[] => {
  const isAny = (named: SubjectAtom[]) => orOf(named.map((one) => isNamed(`o.${one.column}`, one.named, builder)))
  if (numberKey !== undefined)
    return [
      `c.id in (select o.card_id from oncard o
        where o.number_key collate "C" = ${builder.args.add(numberKey, 'text')} and ${isAny(some)})`,
    ]
  const groups = Map.groupBy(some, ({ column }) => isByPlayers && column === 'player_id')
  return [...groups].map(([areOthers, group]) =>
    allOf([
      ...(areOthers ? [mayHaveOthers] : []),
      `exists (select from oncard o where o.card_id = c.id and ${isAny(group)} offset 0)`,
    ]),
  )
}

/**
 * The known facts about the candidates: about how many there are, the number that all of them share, if any, the subjects that
 * found them, if all of those are listed, and whether these are players wherever `by` is set.
 */
export type Candidates = { candidates: number; numberKey?: string; foundBy?: SubjectAtom[]; isByPlayers: boolean }

/** Whether a card shows players other than the one that found it: few cards show several, and an index has those. */
const mayHaveOthers =
  '(c.by is null or exists (select from oncard o where o.card_id = c.id and o.position > 0 and o.lists_player offset 0))'

/** For a word in very many names: the subject that found a card is known, so only the others on the card are read. */
const isCompanion = (
  { column, named: { cut } }: SubjectAtom,
  { foundBy = [], isByPlayers }: Candidates,
  builder: Builder,
): string[] => {
  if (!cut) return []
  const having = foundBy.flatMap(({ named: { ids, names } }) =>
    ids.filter((_, index) => closeness(cut.words, wordsOf(names[index] ?? ''), new Map()) === 0),
  )
  const has = `(select ${hasWords(cut, builder.level, builder.args)} from ${cut.table} n where n.id = o.${column})`
  return [
    ...(having.length > 0 ? [isNamed('c.by', { ids: having, names: [] }, builder)] : []),
    allOf([
      ...(isByPlayers && column === 'player_id' ? [mayHaveOthers] : []),
      `exists (select from oncard o where o.card_id = c.id and o.${column} is distinct from c.by and ${has} offset 0)`,
    ]),
  ]
}

const orOf = (conditions: string[]) => (conditions.length > 0 ? `(${conditions.join(' or ')})` : 'false')

/** How many rows of a list can be read in the time of one lookup of a card. */
const rowsInLookup = 12

/** Whether reading the whole list is faster than looking up each candidate. */
const isRead = (candidates: number) => (atom: Atom) => {
  const named = 'named' in atom ? atom.named : undefined
  return !named?.cut && atom.cards + rowsInLookup * (named?.ids.length ?? 1) < rowsInLookup * candidates
}

const isSo = (atom: Exclude<Atom, { of: 'subject' }>, builder: Builder, candidates: number): string => {
  const { args, level } = builder
  if (atom.of === 'number') return `c.number_key = ${args.add(atom.key, 'text')}`
  if (isOfSet(atom)) {
    const isHashed = !('named' in atom && atom.named.cut) && atom.cards / cardsInSet < 2 * candidates
    return isHashed
      ? `c.set_no in (select h.no from sets h where h.audience >= ${level} and ${findsSets(atom, builder)})`
      : setIs([atom], builder)
  }
  const isWhole = isRead(candidates)(atom)
  if (atom.of === 'attribute') {
    const isMarked = `m.attribute_id = any(${listOf(atom.ids)})`
    return isWhole
      ? `c.id in (select m.card_id from card_attributes m where ${isMarked})`
      : `exists (select from card_attributes m where m.card_id = c.id and ${isMarked} offset 0)`
  }
  if (atom.of === 'title')
    return `c.id in (select t.id from cards t where t.title is not null and t.deleted_at is null
      and search_words(search_text(t.title)) @@ ${args.add(exactly(atom.words), 'tsquery')}
      and strpos(search_text(t.title), ${phraseOf(atom.words, args)}) > 0)`
  const limited = serialCondition(atom, builder)
  return isWhole
    ? `c.id in (select t.id from cards t where t.deleted_at is null and ${limited})`
    : `exists (select from cards t where t.id = c.id and ${limited} offset 0)`
}

/** Longer lists of ids are hashed: comparing each candidate with all of them is slow. */
const comparedMost = 8

/** The condition that a column has one of the named records; `is true` makes the planner hash the list instead of joining it. */
const isNamed = (column: string, { ids, cut }: Named, { tableOf }: Builder) => {
  if (!cut && ids.length <= comparedMost) return `${column} = any(${listOf(ids)})`
  return `(${column} in (select ${cut ? `id from ${tableOf(cut)}` : `unnest(${listOf(ids)})`})) is true`
}

/** The condition on the N of a card's serial number /N. */
export const serialCondition = ({ comparison, limit }: CardAtom & { of: 'serial' }, { args }: Builder) =>
  `t.serial_number is not null and ${serialLimit} ${comparison} ${args.add(limit, 'int4')}`
