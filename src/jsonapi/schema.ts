import { type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { capital } from '../lib/capital.ts'
import { asKept, integer, link, nullable, oneOf, time, uuid } from './fields.ts'
import type { RelationshipShape } from './relationships.ts'

/**
 * The parts of a resource that its schemas are made of. A room declares them once and passes them to the builders below:
 * `resourceSchema` is the resource object, `singleDocument` and `collectionDocument` are for `Route.answers`, `createBody` and
 * `updateBody` for `Route.body`. Each has an `$id`, so that the OpenAPI document has it once: Card, CardDocument,
 * CardCollection, CardCreate, CardUpdate.
 */
export type SchemaSource = {
  type: string
  /** Whether it is shown as in /v2. If so, its schemas have their own names. */
  api?: '/v2'
  noun: string
  clientIds?: true
  /** Whether /v1 also shows deleted records, which say `deleted_at`. */
  showsDeleted?: true
  includes: Record<string, { types: string[]; many: boolean }>
  schema: {
    /** What a read shows besides created_at, updated_at and url. */
    read: TProperties
    /** What may be written on creation and in an update. A member is required unless it is Optional. */
    create: TProperties
    update: TProperties
    relationships: Record<string, RelationshipShape>
    /** Relationships that are shown, but can't be written or included. */
    shownRelationships?: Record<string, { types: string[]; many: boolean }>
    /** What a page's meta has besides the numbers of the page. */
    pageMeta?: TProperties
  }
}

/** The name of a resource in the OpenAPI document: `player-team` becomes `PlayerTeam`. */
export const schemaName = ({ noun, api }: Pick<SchemaSource, 'noun' | 'api'>) =>
  `${noun.split(/[ -]/).map(capital).join('')}${api ? 'V2' : ''}`

/** A resource identifier of one of these types. */
export const identifier = (types: string[]) =>
  Type.Object({ type: types.length === 1 ? Type.Literal(types[0] as string) : oneOf(types), id: uuid() })

const linkage = (types: string[], many: boolean, isNullable: boolean, maxItems?: number) => {
  const one = identifier(types)
  return many ? Type.Array(one, maxItems === undefined ? {} : { maxItems }) : isNullable ? nullable(one) : one
}

/** A relationship as a read shows it. A to-many list has data only if it is included, and then at most 1,000 identifiers. */
const shownRelationship = ({ types, many }: { types: string[]; many: boolean }) =>
  Type.Optional(
    Type.Object({
      data: linkage(types, many, true),
      ...(many
        ? { links: Type.Optional(Type.Object({ related: link() })), meta: Type.Optional(truncation()) }
        : undefined),
    }),
  )

const truncation = () =>
  Type.Object(
    { total: integer(0), truncated: Type.Literal(true) },
    { $id: 'Truncation', description: 'The full count, if `data` is cut off after 1,000 identifiers.' },
  )

/** A resource object as a read shows it. */
export const resourceSchema = (source: SchemaSource): TSchema => {
  const { read, relationships, shownRelationships } = source.schema
  const related = Object.entries({ ...relationships, ...shownRelationships, ...source.includes })
  return Type.Object(
    {
      type: Type.Literal(source.type),
      id: uuid(),
      attributes: Type.Object({
        ...asKept(read),
        ...(source.showsDeleted && !source.api ? { deleted_at: Type.Optional(time()) } : {}),
        ...{ created_at: time(), updated_at: time(), url: link() },
      }),
      ...(related.length > 0
        ? {
            relationships: Type.Optional(
              Type.Object(Object.fromEntries(related.map(([name, shape]) => [name, shownRelationship(shape)]))),
            ),
          }
        : {}),
      links: Type.Object({ self: link() }, { additionalProperties: link() }),
      ...(source.api ? { meta: Type.Optional(itemMeta()) } : {}),
    },
    { $id: schemaName(source) },
  )
}

/** The member `jsonapi` of every document. */
export const jsonApiVersion = () => Type.Object({ version: Type.Literal('1.1') }, { $id: 'JsonApi' })

/** The name of the schema of a resource object of any type. The OpenAPI document fills it in. */
export const anyResource = 'AnyResource'
/** The same for a resource object of /v2. */
export const anyResourceInV2 = 'AnyResourceV2'

/** The records that `include` added. `others` are types that only this document includes. */
export const included = (api?: '/v2', others: SchemaSource[] = []) => {
  const record = Type.Object({ type: Type.String(), id: uuid() }, { $id: api ? anyResourceInV2 : anyResource })
  const description = 'The records that `include` names, each once. Present whenever `include` was sent, even if empty.'
  return Type.Optional(Type.Array(Type.Union([record, ...others.map(resourceSchema)]), { description }))
}

/** The meta of an item on a /v2 page: its cursor, and for sets in a copy of the catalog also their place. */
const itemMeta = () =>
  Type.Object(
    { page: Type.Optional(Type.Object({ cursor: Type.String() })), place: Type.Optional(integer(1)) },
    {
      $id: 'ItemMeta',
      description: '`place` is a set’s position in bulk files and the feed, in order of creation.',
    },
  )

/** A document with one resource object. */
export const singleDocument = (source: SchemaSource, others: SchemaSource[] = []): TSchema =>
  Type.Object(
    {
      jsonapi: jsonApiVersion(),
      links: Type.Object({ self: link() }),
      data: resourceSchema(source),
      included: included(source.api, others),
    },
    { $id: `${schemaName(source)}Document` },
  )

/** The links of a page. */
export const pageLinksSchema = () =>
  Type.Object(
    { self: link(), first: link(), last: link(), prev: Type.Optional(link()), next: Type.Optional(link()) },
    { $id: 'PageLinks', description: '`prev` and `next` are missing if there is no such page.' },
  )

/** The numbers of a page that holds at most so many. */
export const pageNumbers = (most: number) => ({
  current_page: integer(1),
  from: nullable(integer(1)),
  to: nullable(integer(1)),
  per_page: integer(1, most),
  total: integer(0),
  last_page: integer(1),
  pagination: Type.Object(
    {
      total: integer(0),
      count: integer(0, most),
      per_page: integer(1, most),
      current_page: integer(1),
      total_pages: integer(1),
    },
    { description: 'The same numbers under other names. `count` is how many records this page has.' },
  ),
})

const pageMeta = pageNumbers(100)

/** The numbers of a page. */
export const pageMetaSchema = () => Type.Object(pageMeta, { $id: 'PageMeta' })

/** The same with more members, under a name of its own. */
export const pageMetaWith = (name: string, more: TProperties) =>
  Type.Object({ ...pageMeta, ...more }, { $id: `${name}PageMeta` })

/** A document with a page of resource objects. */
export const collectionDocument = (source: SchemaSource, others: SchemaSource[] = []): TSchema =>
  Type.Object(
    {
      jsonapi: jsonApiVersion(),
      links: pageLinksSchema(),
      data: Type.Array(resourceSchema(source)),
      included: included(undefined, others),
      meta: source.schema.pageMeta ? pageMetaWith(schemaName(source), source.schema.pageMeta) : pageMetaSchema(),
    },
    { $id: `${schemaName(source)}Collection` },
  )

const written = (source: SchemaSource, attributes: TProperties, creates: boolean) => {
  const related = Object.entries(source.schema.relationships).map(
    ([name, { types, many, required, nullable: isNullable, atMost }]) => {
      const schema = Type.Object({ data: linkage(types, many, isNullable === true, atMost) })
      return [name, creates && required ? schema : Type.Optional(schema)] as const
    },
  )
  const needsRelationships = creates && Object.values(source.schema.relationships).some(({ required }) => required)
  const relationships = Type.Object(Object.fromEntries(related))
  return {
    attributes:
      creates && Object.values(attributes).some((one) => !(Symbol.for('TypeBox.Optional') in one))
        ? Type.Object(attributes)
        : Type.Optional(Type.Object(attributes)),
    ...(related.length > 0 ? { relationships: needsRelationships ? relationships : Type.Optional(relationships) } : {}),
  }
}

/** The body of a POST. */
export const createBody = (source: SchemaSource): TSchema =>
  Type.Object(
    {
      data: Type.Object({
        type: Type.Literal(source.type),
        ...(source.clientIds ? { id: Type.Optional(uuid()) } : {}),
        ...written(source, source.schema.create, true),
      }),
    },
    { $id: `${schemaName(source)}Create` },
  )

/** The body of a PATCH. */
export const updateBody = (source: SchemaSource): TSchema =>
  Type.Object(
    {
      data: Type.Object({
        type: Type.Literal(source.type),
        id: uuid(),
        ...written(source, source.schema.update, false),
      }),
    },
    { $id: `${schemaName(source)}Update` },
  )
