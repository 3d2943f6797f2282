import { asWritten, name, oneOf, uuid } from '../../../jsonapi/fields.ts'
import { kindId } from '../counts.ts'
import { oneOfFew, refersTo, usualPaths } from '../criteria.ts'
import { plainColumns } from '../more.ts'
import type { Resource } from '../resource.ts'

const kinds = ['card', 'set', 'player', 'team']
const types = ['cards', 'sets', 'players', 'teams'] as const

/** A value of an attribute on a card, set, player or team. It isn't part of any name. */
export const objectAttributes: Resource = {
  type: 'object-attributes',
  path: 'object-attributes',
  noun: 'object attribute',
  description: 'A value of an attribute on a card, set, player or team. An object has one value per attribute.',
  table: 'object_attributes t',
  columns: plainColumns('attribute_id', 'attribute_value', 'object_type', 'object_id'),
  relationships: (row) => ({
    attribute: { data: { type: 'attributes', id: row.attribute_id as string } },
    object: { data: { type: `${row.object_type}s`, id: row.object_id as string } },
  }),
  tally: 'object-attributes',
  filters: {
    object_type: {
      of: 'object_type',
      description: 'The kind of object: `card`, `set`, `player` or `team`.',
      example: 'card',
    },
    object_id: { of: 'object' },
    attribute_id: { of: 'attribute' },
  },
  includes: {
    attribute: { types: ['attributes'], many: false, description: 'The attribute.' },
    object: {
      types: [...types],
      many: false,
      description: 'The object that the value is attached to.',
    },
  },
  sorts: {},
  criteria: {
    attribute: refersTo('attribute_id', 'attribute', { list: 'object-attributes', of: ['attributes'] }),
    object: refersTo('object_id', 'card, set, player or team', { list: 'object-attributes', of: types }),
    object_type: {
      ...oneOfFew('object_type', kinds, 'kind of object'),
      tally: (value) => ({ list: 'object-attributes', id: kindId(value ?? '') }),
    },
  },
  paths: [
    ...usualPaths('object_attributes', 'created_at'),
    { index: 'object_attributes_attribute', serves: ['attribute'], order: 'created_at' },
    { index: 'object_attributes_object', serves: ['object'], order: 'created_at' },
    { index: 'object_attributes_type', serves: ['object_type'], order: 'created_at' },
  ],
  schema: {
    ...asWritten({ attribute_id: uuid(), attribute_value: name(), object_type: oneOf(kinds), object_id: uuid() }),
    relationships: {},
    readOnly: ['attribute', 'object'],
    references: { attribute: 'attribute_id', object: 'object_id' },
    example: {
      attribute_id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
      attribute_value: 'PSA 10',
      object_type: 'card',
      object_id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2f',
    },
  },
}
