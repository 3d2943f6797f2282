import { numberKey } from '../card-number.ts'
import { countedAt, lists, numberId, serialLimitId } from '../counts.ts'
import { isNull, mayReferTo, refersTo } from '../criteria.ts'
import type { AccessPath, Criterion, PathRows, SortColumn } from '../resource.ts'

/** The N of a serial number `/N`, as the expression in its index. */
export const serialLimit = `(substring(t.serial_number from '/ ?([0-9]{1,9})$')::int)`

/** An expression for the id of the attribute with a code. */
const attributeId = (code: string) => `(
  select a.id from attributes a
  where a.attribute_key collate "C" = lower(${code}) and a.attribute = ${code} and a.audience >= 1
)`

/** A card's name as the expression in its index: lower-cased and cut to fit an index row. */
const nameKey = 'left(lower(t.name), 600) collate "C"'

/** The sort keys of cards. Every index in checklist order has the columns of `checklist`. */
export const cardSorts: Record<string, SortColumn[]> = {
  checklist: [
    { sql: 't.set_no', type: 'int4' },
    { sql: 't.number_key collate "C"', type: 'text' },
  ],
  name: [{ sql: nameKey, type: 'text' }],
}

const ofSet = (name: string, column: string): Criterion => ({
  ...mayReferTo(column, name),
  description: `The ${name} of the card's set.`,
  column: `s.${column}`,
  equals: (value) => `s.${column} = ${value}`,
})

const onCard = (name: 'player' | 'team', description: string): Criterion => ({
  ...refersTo(`${name}_id`, name),
  description,
  equals: (value) =>
    `exists (select from oncard b where b.card_id = t.id and b.lists_${name} and b.${name}_id = ${value})`,
  tally: (id) => (id === null ? undefined : { list: 'cards', id, of: [`${name}s`] }),
  overlap: true,
})

/** The id of a card's parent, if the reader sees it. */
export const shownParent = (level: number) => `case when t.parent_id is not null then (
    select p.id from cards p join sets ps on ps.id = p.set_id
    where p.id = t.parent_id and p.deleted_at is null and ps.audience >= ${level}
  ) end`

/** The filters of cards. Filters by a property of the set are conditions on the set's row `s`. */
export const cardCriteria: Record<string, Criterion> = {
  name: {
    kind: 'text',
    description: 'The generated name.',
    example: '57 Michael Jordan RC',
    column: 't.name',
    key: 'lower(t.name)',
    equals: (value) => `t.name = ${value}`,
    finds: (value) => `md5(t.name)::uuid = md5(${value})::uuid`,
  },
  number: {
    kind: 'text',
    description: 'The number.',
    example: '57',
    nullable: true,
    column: 't.number',
    key: 'lower(t.number)',
    equals: (value) => `t.number = ${value}`,
    tally: (number) => ({ list: 'numbers', id: numberId(number) }),
  },
  serial_limit: {
    kind: 'integer',
    description: 'The N of a serial number `/N`.',
    example: '25',
    nullable: true,
    column: serialLimit,
    equals: (value) => `${serialLimit} = ${value}`,
    tally: (limit) => (limit === null ? undefined : { list: 'serial_limits', id: serialLimitId(limit) }),
  },
  set: {
    ...refersTo('set_id', 'set'),
    column: 's.id',
    equals: (value) => `s.id = ${value}`,
    total: (values, level) =>
      `(select coalesce(sum(w.live_cards), 0) from sets w where w.id = any(${values}) and w.audience >= ${level})`,
  },
  player: onCard('player', 'A player on the card, alone or with a team.'),
  team: onCard('team', 'A team on the card, alone or with a player.'),
  attribute: {
    kind: 'code',
    description: 'The code of an attribute, such as RC.',
    example: 'RC',
    column: 'null::text',
    equals: (value) => `exists (
      select from card_attributes m join attributes a on a.id = m.attribute_id
      where m.card_id = t.id and a.attribute = ${value})`,
    overlap: true,
    total: (values, level) =>
      `coalesce((select ${countedAt(level)} from tallies where list = ${lists.cards} and id = ${attributeId(`(${values})[1]`)}), 0)`,
  },
  genre: ofSet('genre', 'genre_id'),
  year: ofSet('year', 'year_id'),
  brand: ofSet('brand', 'brand_id'),
  manufacturer: ofSet('manufacturer', 'manufacturer_id'),
  parent: {
    ...mayReferTo('parent_id', 'card'),
    description: 'The card that this one was made from.',
    hidden: isNull(shownParent),
  },
}

/** An index of cards in checklist order. It has the set's number after each value, so it also serves the cards of one set. */
const inChecklist = (index: string, name: string, rows: PathRows): AccessPath[] => [
  { index, serves: [name], order: 'checklist', rows },
  { index, serves: [name, 'set'], order: 'checklist', rows },
]

const live = 't.deleted_at is null'

const ofCards = {
  from: 'cards t join sets s on s.no = t.set_no',
  expressions: ['t.set_no', 't.number_key collate "C"', 't.id'],
}

const rowsOnCards = (kind: 'player' | 'team'): PathRows => ({
  from: 'oncard o join sets s on s.no = o.set_no',
  joinsCards: 'join cards t on t.id = o.card_id',
  where: (value) => [`o.${kind}_id = ${value}`, `o.lists_${kind}`],
  expressions: ['o.set_no', 'o.number_key collate "C"', 'o.card_id'],
  repeats: true,
})

/** The indexes of cards. Indexes of sets serve the walk over sets in checklist order (list/walk.ts). */
export const cardPaths: AccessPath[] = [
  { index: 'cards_checklist', serves: ['set'], order: 'checklist' },
  ...inChecklist('oncard_player', 'player', rowsOnCards('player')),
  ...inChecklist('oncard_team', 'team', rowsOnCards('team')),
  ...inChecklist('cards_parent', 'parent', { ...ofCards, where: (value) => [`t.parent_id = ${value}`, live] }),
  ...inChecklist('cards_name', 'name', {
    ...ofCards,
    where: (value) => [`md5(t.name)::uuid = md5(${value})::uuid`, `t.name = ${value}`, live],
  }),
  ...inChecklist('card_attributes_attribute', 'attribute', {
    from: 'card_attributes m join cards t on t.id = m.card_id join sets s on s.no = m.set_no',
    where: (value) => [`m.attribute_id = ${attributeId(value)}`, live],
    expressions: ['m.set_no', 'm.number_key collate "C"', 'm.card_id'],
    repeats: true,
  }),
  ...inChecklist('cards_serial_limit', 'serial_limit', {
    ...ofCards,
    where: (value) => [`${serialLimit} = ${value}`, live],
  }),
  ...inChecklist('cards_number', 'number', {
    ...ofCards,
    where: (value, key) => [`t.number_key collate "C" = ${key}`, `t.number = ${value}`, live],
    whereNone: (key) => [`t.number_key collate "C" = ${key}`, 't.number is null', live],
    keyOf: numberKey,
  }),
  { index: 'cards_pkey', serves: ['id'] },
  ...['genre', 'year', 'brand', 'manufacturer'].map((name) => ({
    index: `sets_${name}_no`,
    serves: [name],
    order: 'checklist',
  })),
  { index: 'sets_no_live', serves: [], order: 'checklist' },
  { index: 'cards_name_key', serves: [], order: 'name' },
  { index: 'cards_created_at', serves: [], order: 'created_at' },
  { index: 'cards_updated_at', serves: [], order: 'updated_at' },
]
