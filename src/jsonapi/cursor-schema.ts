import { type TSchema, Type } from '@sinclair/typebox'
import { integer, link, nullable } from './fields.ts'
import { included, jsonApiVersion } from './schema.ts'

/** The links of a /v2 page. */
export const cursorLinksSchema = () =>
  Type.Object(
    { self: link(), first: link(), last: link(), prev: nullable(link()), next: nullable(link()) },
    { $id: 'CursorLinks', description: '`prev` and `next` are null if there is no such page.' },
  )

/** The meta of a /v2 page. */
export const cursorMetaSchema = () =>
  Type.Object(
    {
      page: Type.Object({
        total: Type.Optional(integer(0)),
        estimatedTotal: Type.Optional(Type.Object({ bestGuess: integer(0) })),
        rangeTruncated: Type.Optional(Type.Literal(true)),
      }),
    },
    { $id: 'CursorMeta', description: '`estimatedTotal` replaces a `total` that is too large to count.' },
  )

/** The meta of an item on a page: its cursor. */
export const itemMetaSchema = () => Type.Object({ page: Type.Object({ cursor: Type.String() }) })

/** The example of a page that is the only one, with one item. */
export const cursorExample = <Item extends object>(address: string, item: Item, cursor: string) => ({
  jsonapi: { version: '1.1' },
  links: { self: address, first: address, last: `${address}?page%5Bbefore%5D=${cursor}`, prev: null, next: null },
  data: [{ ...item, meta: { page: { cursor } } }],
  meta: { page: { total: 1 } },
})

/**
 * A document with a /v2 page (decisions.md §9). `name` differs from the type's if the page has several types. `meta` is what
 * its meta has besides the page.
 */
export const cursorDocument = (name: string, item: TSchema, meta?: Record<string, TSchema>): TSchema =>
  Type.Object(
    {
      jsonapi: jsonApiVersion(),
      links: cursorLinksSchema(),
      data: Type.Array(item),
      included: included('/v2'),
      meta: meta ? Type.Object({ ...cursorMetaSchema().properties, ...meta }) : cursorMetaSchema(),
    },
    { $id: `${name}Page` },
  )
