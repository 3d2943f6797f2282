import { numberKey } from '../card-number.ts'
import type { AccessPath, PathRows } from '../resource.ts'
import { attributeId, serialLimit } from './card-criteria.ts'

/** An index of cards in checklist order. It has the set's number beside each value, so that it serves one set of them, too. */
const inChecklist = (index: string, name: string, rows: PathRows): AccessPath[] => [
  { index, serves: [name], order: 'checklist', rows },
  { index, serves: [name, 'set'], order: 'checklist', rows },
]

const live = 't.deleted_at is null'

const ofCards = {
  from: 'cards t join sets s on s.no = t.set_no',
  expressions: ['t.set_no', 't.number_key collate "C"', 't.id'],
}

const onCard = (kind: 'player' | 'team'): PathRows => ({
  from: 'oncard o join sets s on s.no = o.set_no',
  joinsCards: 'join cards t on t.id = o.card_id',
  where: (value) => [`o.${kind}_id = ${value}`, `o.lists_${kind}`],
  expressions: ['o.set_no', 'o.number_key collate "C"', 'o.card_id'],
  repeats: true,
})

/** The indexes of cards; those of their sets serve the walk over sets in checklist order (list/walk.ts). */
export const cardPaths: AccessPath[] = [
  { index: 'cards_checklist', serves: ['set'], order: 'checklist' },
  ...inChecklist('oncard_player', 'player', onCard('player')),
  ...inChecklist('oncard_team', 'team', onCard('team')),
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
