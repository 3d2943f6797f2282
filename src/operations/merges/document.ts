import { Type } from '@sinclair/typebox'
import { type Merge, mergedTypes } from '../../catalog/curate/merge/record.ts'
import { pageParameters } from '../../http/parameters.ts'
import { plainType } from '../../http/plain-type.ts'
import type { Parameter } from '../../http/route.ts'
import { nullable, oneOf, optional, time, uuid } from '../../jsonapi/fields.ts'
import type { QueryShape } from '../../jsonapi/query.ts'
import { sizes } from '../../limits.ts'

/** The path of merges. */
export const path = '/internal/merges'

/** The type of merges. */
export const shape = plainType({
  type: 'merges',
  name: 'Merge',
  attributes: {
    object_type: oneOf([...mergedTypes]),
    from_ids: Type.Array(uuid(), { description: 'The merged records. Their ids redirect to the target.' }),
    into_id: { ...uuid(), description: 'The target.' },
    note: nullable(Type.String()),
    agent_id: nullable(Type.String({ description: 'Who merged them.' })),
    created_at: time(),
  },
  fields: ['object_type', 'into_id'],
  more: {
    meta: Type.Object({
      into_name: nullable(Type.String({ description: 'The target’s current name.' })),
      from_names: Type.Array(nullable(Type.String()), {
        description: 'The names of the merged records, in the order of `from_ids`.',
      }),
      agent_name: nullable(Type.String({ description: 'The agent’s current name. Null if it has none.' })),
    }),
  },
})

/** The query that the list accepts. */
export const listShape: QueryShape = {
  ...shape.query,
  paginated: true,
  filters: { object_type: { kind: 'text', values: [...mergedTypes] }, into_id: { kind: 'uuid' } },
}

/** The parameters of `listShape`. */
export const listParameters: Record<string, Parameter> = {
  'filter[object_type]': {
    schema: oneOf([...mergedTypes]),
    description: 'Only merges of this type.',
    example: 'players',
  },
  'filter[into_id]': {
    schema: uuid(),
    description: 'Only merges into this record, or into one that became it later.',
    example: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
  },
  ...shape.parameters,
  ...pageParameters('merges'),
}

/** A merge as a resource object, with the current names of its records and its agent. */
export const renderMerge = (baseUrl: string, merge: Merge, meta: object, fields?: Set<string>) => {
  const { id, objectType, fromIds, intoId, note, agentId, createdAt } = merge
  const row = {
    object_type: objectType,
    from_ids: fromIds,
    into_id: intoId,
    note,
    agent_id: agentId,
    created_at: createdAt,
  }
  return { ...shape.render(`${baseUrl}${path}/${id}`, id, row, fields), meta }
}

/** The flat body of a merge. */
export const creation = Type.Object(
  {
    object_type: oneOf([...mergedTypes]),
    from_ids: Type.Array(uuid(), {
      minItems: 1,
      maxItems: sizes.mergedRecords.most,
      description: 'The records to merge into the target. They are deleted.',
    }),
    into_id: { ...uuid(), description: 'The target: the record that stays.' },
    note: optional(nullable(Type.String({ maxLength: 1000 }))),
  },
  { $id: 'MergeCreation' },
)

/** A merge, as the OpenAPI document shows it. */
export const example = {
  object_type: 'players',
  from_ids: ['0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e'],
  into_id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2f',
  note: 'The same player, spelled without the dot.',
}
