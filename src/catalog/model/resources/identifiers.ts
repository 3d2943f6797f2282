import { Type } from '@sinclair/typebox'
import { asWritten, name, oneOf, uuid } from '../../../jsonapi/fields.ts'
import { identifierSourceId, kindId } from '../counts.ts'
import { oneOfFew, refersTo, usualPaths } from '../criteria.ts'
import { plainColumns } from '../more.ts'
import type { Resource } from '../resource.ts'
import type { StoredType } from '../tables.ts'

/** The resource types that can have identifiers. */
const identifiedTypes: StoredType[] = [
  ...(['cards', 'sets', 'players', 'teams'] as const),
  ...(['brands', 'manufacturers', 'genres', 'years'] as const),
]

/** The service that an identifier comes from, in lower case: tcdb, pokemon-tcg-data. */
const source = () =>
  Type.String({
    title: '1 to 40 lowercase letters, digits and dashes',
    pattern: '^[a-z0-9-]{1,40}$',
    maxLength: 40,
  })

/** The id of a record in another service. Records can be found by it. */
export const identifiers: Resource = {
  type: 'identifiers',
  path: 'identifiers',
  noun: 'identifier',
  description:
    'The id of a record in another service: `source` is the service, `value` is the id there. Each combination of source, value and record type is unique.',
  table: 'identifiers t',
  columns: plainColumns('object_type', 'object_id', 'source', 'value'),
  relationships: (row) => ({ object: { data: { type: row.object_type as string, id: row.object_id as string } } }),
  tally: 'identifiers',
  filters: {},
  includes: { object: { types: identifiedTypes, many: false, description: 'The record.' } },
  sorts: {},
  criteria: {
    object_type: {
      ...oneOfFew('object_type', identifiedTypes, 'type of the record'),
      tally: (type) => ({ list: 'identifiers', id: kindId((type ?? '').replace(/s$/, '')) }),
    },
    object_id: refersTo('object_id', 'record', { list: 'identifiers', of: identifiedTypes }),
    source: {
      kind: 'code',
      description: 'The service that the identifier comes from.',
      example: 'tcdb',
      column: 't.source',
      equals: (value) => `t.source = ${value}`,
      tally: (name) => (name === null ? undefined : { list: 'identifiers', id: identifierSourceId(name) }),
    },
    value: {
      kind: 'code',
      description: 'The exact identifier.',
      example: '1234',
      column: 't.value',
      // The index only has live records.
      equals: (value) => `(t.value = ${value} and t.deleted_at is null)`,
    },
  },
  paths: [
    ...usualPaths('identifiers', 'created_at'),
    { index: 'identifiers_object', serves: ['object_id'], order: 'created_at' },
    { index: 'identifiers_object', serves: ['object_id', 'object_type'], order: 'created_at' },
    { index: 'identifiers_type', serves: ['object_type'], order: 'created_at' },
    { index: 'identifiers_source', serves: ['source'], order: 'created_at' },
    { index: 'identifiers_taken', serves: ['value'] },
    { index: 'identifiers_taken', serves: ['value', 'source'] },
    { index: 'identifiers_taken', serves: ['value', 'source', 'object_type'] },
  ],
  schema: {
    ...asWritten({ object_type: oneOf(identifiedTypes), object_id: uuid(), source: source(), value: name() }),
    relationships: {},
    readOnly: ['object'],
    references: { object: 'object_id' },
    example: {
      object_type: 'cards',
      object_id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2f',
      source: 'tcdb',
      value: '1234',
    },
  },
}
