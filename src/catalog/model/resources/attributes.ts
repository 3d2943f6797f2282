import { asWritten, hexColor, longText, name, nullable, optional } from '../../../jsonapi/fields.ts'
import { byText, matching, textIn, usualPaths } from '../criteria.ts'
import { plainColumns } from '../more.ts'
import type { Resource } from '../resource.ts'

/** A code that collectors add to a card, such as RC or AU. Every reader sees all codes. */
export const attributes: Resource = {
  type: 'attributes',
  path: 'attributes',
  noun: 'attribute',
  description: 'A code that collectors add to a card, such as RC (rookie card) or AU (autograph).',
  table: 'attributes t',
  columns: plainColumns('attribute', 'name', 'description', 'color'),
  relationships: () => ({}),
  tally: 'attributes',
  filters: { name: { ...matching('name', "attribute's name"), alias: 'name', aliasStays: true } },
  includes: {},
  sorts: { attribute: byText('attribute_key') },
  sortsInV1: { name: byText('name_key') },
  criteria: {
    name: textIn('name', 'name_key', 'name'),
    attribute: textIn('attribute', 'attribute_key', 'code'),
  },
  paths: [
    ...usualPaths('attributes', 'attribute'),
    { index: 'attributes_name', serves: [], order: 'name' },
    { index: 'attributes_name', serves: ['name'] },
  ],
  schema: {
    ...asWritten({
      attribute: name(),
      name: name(),
      description: optional(nullable(longText())),
      color: optional(nullable(hexColor())),
    }),
    relationships: {},
    readOnly: [],
    example: { attribute: 'RC', name: 'Rookie Card', description: null, color: '#C81E1E' },
  },
}
