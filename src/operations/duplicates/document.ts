import { type Static, Type } from '@sinclair/typebox'
import { comparedTypes } from '../../catalog/curate/comparisons.ts'
import { type Group, groupKinds } from '../../catalog/curate/duplicates.ts'
import { fieldsParameter, pageParameters } from '../../http/parameters.ts'
import { plainType } from '../../http/plain-type.ts'
import type { Parameter } from '../../http/route.ts'
import { nullable, oneOf, time, uuid } from '../../jsonapi/fields.ts'
import { plainPage } from '../../jsonapi/plain-schema.ts'
import type { QueryShape } from '../../jsonapi/query.ts'
import { sparse } from '../../jsonapi/serialize.ts'

export const type = 'duplicate_groups'
/** The path of possible duplicates. */
export const path = '/internal/duplicates'

const shown = {
  object_type: oneOf([...comparedTypes]),
  reason: Type.String({
    description:
      'How the names differ: `equal`, `case`, `spelling` (accents, dots, apostrophes, spaces, dashes) or `encoding` (broken UTF-8); `similar`: one letter apart, with a set or team in common, if you ask for `players`; `number`: cards of one set with the same number and people, if you ask for `cards`. For collisions, what the cards span: `genres` or `years`.',
  }),
  records: Type.Array(
    Type.Object({
      id: uuid(),
      name: Type.String(),
      cards_count: Type.Integer({ minimum: 0, description: 'Live cards, including drafts.' }),
      genres: Type.Array(Type.String(), { description: 'The names of the genres of the sets its cards are in.' }),
      years: Type.Array(Type.String(), { description: 'The names of the years of these sets.' }),
    }),
  ),
}
const attributeNames = Object.keys(shown)

const resource = Type.Object(
  { type: Type.Literal(type), id: uuid(), attributes: Type.Object(shown) },
  { $id: 'DuplicateGroup' },
)

/** The document of a page of groups. */
export const collection = plainPage(resource, { $id: 'DuplicateGroupCollection' })

/** The query that the list accepts. */
export const listShape: QueryShape = {
  include: [],
  fields: { [type]: attributeNames },
  paginated: true,
  filters: {
    object_type: { kind: 'text', values: [...comparedTypes] },
    kind: { kind: 'text', values: [...groupKinds] },
  },
}

/** The parameters of `listShape`. */
export const listParameters: Record<string, Parameter> = {
  'filter[object_type]': {
    schema: oneOf([...comparedTypes]),
    description:
      'Only groups of this type. Defaults to all types. Above 20,000 players, `similar` ones are found only if you ask for `players`, and above 200,000 cards, equal ones only if you ask for `cards`.',
    example: 'players',
  },
  'filter[kind]': {
    schema: Type.Unsafe<string>({ ...oneOf([...groupKinds]), default: 'duplicates' }),
    description: '`duplicates`: records that may be the same. `collisions`: players who may be several people.',
    example: 'duplicates',
  },
  ...fieldsParameter(type, attributeNames, ['object_type', 'records']),
  ...pageParameters('groups'),
}

/** A group as a resource object. */
export const renderGroup = ({ id, objectType, reason, records }: Group, fields?: Set<string>) => ({
  type,
  id,
  attributes: sparse<unknown>(
    { object_type: objectType, reason, records } satisfies Static<typeof resource>['attributes'],
    fields,
  ),
})

/** The flat body of a dismissal. */
export const dismissal = Type.Object(
  {
    object_type: oneOf([...comparedTypes]),
    ids: Type.Array(uuid(), { minItems: 1, maxItems: 100, description: 'Records of this type.' }),
  },
  { $id: 'DuplicateDismissalCreation' },
)

/** The type of dismissals. */
export const dismissalShape = plainType({
  type: 'duplicate_dismissals',
  name: 'DuplicateDismissal',
  attributes: {
    object_type: oneOf([...comparedTypes]),
    ids: Type.Array(uuid()),
    agent_id: nullable(Type.String({ description: 'Who dismissed it.' })),
    created_at: time(),
  },
  fields: ['object_type', 'ids'],
})

/** A dismissal, as the OpenAPI document shows it. */
export const dismissalExample = {
  object_type: 'players',
  ids: ['0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e', '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2f'],
}
