import { type ObjectOptions, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { link, uuid } from './fields.ts'
import { jsonApiVersion, pageLinksSchema, pageMetaSchema } from './schema.ts'

const ownLinks = () => Type.Object({ self: link() })

/** The schema of a resource object without relationships. `more` are further members. */
export const plainResource = (
  type: string,
  attributes: TProperties,
  options: ObjectOptions = {},
  id: TSchema = uuid(),
  more: TProperties = {},
) =>
  Type.Object(
    { type: Type.Literal(type), id, attributes: Type.Object(attributes), links: ownLinks(), ...more },
    options,
  )

/** The schema of a document with one resource object, or with a list without pages. `more` are further members. */
export const plainDocument = (data: TSchema, options: ObjectOptions, more: TProperties = {}) =>
  Type.Object({ jsonapi: jsonApiVersion(), links: ownLinks(), data, ...more }, options)

/** The schema of a document with a numbered page of resource objects. */
export const plainPage = (data: TSchema, options: ObjectOptions, meta: TSchema = pageMetaSchema()) =>
  Type.Object({ jsonapi: jsonApiVersion(), links: pageLinksSchema(), data: Type.Array(data), meta }, options)
