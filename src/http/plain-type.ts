import { type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { plainDocument, plainPage, plainResource } from '../jsonapi/plain-schema.ts'
import { type QueryShape, type ReadQuery, readQuery } from '../jsonapi/query.ts'
import { document, pageLinks, pageMeta } from '../jsonapi/serialize.ts'
import { deprecationHeaders } from './deprecations.ts'
import { fieldsParameter } from './parameters.ts'
import type { Answer, Call, Reply } from './route.ts'

type Declared<Attributes extends TProperties> = {
  type: string
  /** The resource object's name in the OpenAPI document. Its documents are `{name}Document` and `{name}Collection`. */
  name: string
  description?: string
  attributes: Attributes
  /** The fields in the example of `fields[type]`. */
  fields: string[]
  /** The schema of its ids, if they are not UUIDs. */
  id?: TSchema
  /** The schemas of further members of the resource object, such as `meta`. */
  more?: TProperties
  /** The schema of a page's `meta`, if it isn't the usual one. */
  meta?: TSchema
}

/** Declares a type whose resource objects have attributes and a URL, but no relationships: its schemas and its query. */
export const plainType = <Attributes extends TProperties>(declared: Declared<Attributes>) => {
  const { type, name, description, attributes, id, more, meta } = declared
  const names = Object.keys(attributes)
  const resource = plainResource(type, attributes, { $id: name, ...(description ? { description } : {}) }, id, more)
  const query: QueryShape = { include: [], fields: { [type]: names }, filters: {} }
  const single = plainDocument(resource, { $id: `${name}Document` })
  return {
    type,
    names,
    resource,
    page: plainPage(resource, { $id: `${name}Collection` }, meta),
    /** An answer with one resource object. */
    one: (description: string, example?: Rendered): Answer => ({
      ...{ description, schema: single },
      ...(example ? { example: document(example.links.self, { data: example }) } : {}),
    }),
    /** The schema of a document that writes one. `more` are further members, or one in another form. */
    written: ($id: string, written: TProperties, more?: TProperties) =>
      Type.Object(
        { data: Type.Object({ type: Type.Literal(type), ...more, attributes: Type.Object(written) }) },
        { $id },
      ),
    query,
    /** The query parameter that picks fields. */
    parameters: fieldsParameter(type, names, declared.fields),
    /** Reads the query of a route that accepts only this parameter. */
    readFields: ({ url }: Pick<Call, 'url'>) => readQuery(url.searchParams, query).fields.get(type),
    /** A resource object at a URL. It shows only the type's attributes of a row, in their order. */
    render: (self: string, id: string, row: Record<keyof Attributes, unknown>, fields?: Set<string>) => {
      const picked = fields ? names.filter((one) => fields.has(one)) : names
      return { type, id, attributes: Object.fromEntries(picked.map((one) => [one, row[one]])), links: { self } }
    },
  }
}

type Rendered = { links: { self: string } }

/** 200 with one resource object, linked to its URL and query. */
export const showOne = (data: Rendered, { url }: Call): Reply => ({
  status: 200,
  body: document(`${data.links.self}${url.search}`, { data }),
})

/** 201 with a new resource object and its URL. */
export const showNew = (data: Rendered): Reply => {
  const { self } = data.links
  return { status: 201, headers: { Location: self }, body: document(self, { data }) }
}

/** 200 with a page of resource objects, out of `total`. */
export const showPage = (
  address: string,
  { page, perPage, deprecated }: Pick<ReadQuery, 'page' | 'perPage' | 'deprecated'>,
  { data, total }: { data: object[]; total: number },
  { url }: Call,
): Reply => {
  const meta = pageMeta(page, perPage, data.length, total)
  const links = pageLinks(address, url.searchParams, page, meta.last_page)
  const headers = deprecated ? deprecationHeaders : {}
  return { status: 200, headers, body: document(`${address}${url.search}`, { data, links, meta }) }
}

/** The rows of a page, as `limit` and `offset`. */
export const spanOf = ({ page, perPage }: Pick<ReadQuery, 'page' | 'perPage'>) => ({
  limit: perPage,
  offset: (page - 1) * perPage,
})
