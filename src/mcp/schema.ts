import { type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { integer, nullable, oneOf, text } from '../jsonapi/fields.ts'

/** An object without other members, as every schema of a tool is. */
export const only = (properties: TProperties) => Type.Object(properties, { additionalProperties: false })

/** A schema with a sentence for whoever calls the tool. */
export const described = <T extends TSchema>(schema: T, description: string): T => ({ ...schema, description })

/** A text of an answer, which may be null. */
export const textOrNull = () => nullable(Type.String())

/** A record's id, as an argument. */
export const idOf = (noun: string) =>
  described(text(64), `The id of the ${noun}, as other tools and page links give it.`)

/** A cursor, as an argument. */
export const cursor = () => Type.Optional(described(text(2000), 'The `next_cursor` of the page before.'))

/** The size of a page, as an argument. */
export const limit = (usual: number, most: number) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: most, description: `How many at most. ${usual} by default.` }))

/** How long a list is, and where the next page begins. */
export const place = {
  total: integer(0),
  total_is_estimate: Type.Boolean(),
  next_cursor: textOrNull(),
}

/** The name of a record and its id. */
export const named = () => only({ id: Type.String(), name: Type.String() })

/** Years and how many cards each has. */
export const years = () => Type.Array(only({ year: textOrNull(), cards_count: integer(0) }))

/** Ids that a record has in other catalogs. */
export const identifiers = () => Type.Array(only({ source: Type.String(), value: Type.String() }))

/** The kinds and states of a set. */
export const kind = () => oneOf(['base', 'parallel', 'insert', 'autograph', 'variation'])
export const status = () => oneOf(['draft', 'published'])
