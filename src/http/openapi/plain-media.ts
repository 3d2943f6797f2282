import { Type } from '@sinclair/typebox'
import { jsonApi } from '../../jsonapi/negotiate.ts'
import type { Parameter } from '../route.ts'
import type { Json } from './components.ts'

/** The query parameter of the OpenAPI document, and what it may be. */
export const mediaForms = ['json']
export const mediaParameter: Record<string, Parameter> = {
  media: {
    schema: Type.Literal('json'),
    description:
      'With `json`, the document has `application/json` in place of JSON:API’s media type, for code generators that don’t read that one.',
  },
}

/** The same document with `application/json` in place of JSON:API's media type, with or without parameters. */
export const withPlainMedia = (document: Json): Json => {
  const components = document.components as Json
  return {
    ...document,
    paths: plain(document.paths),
    components: { ...components, responses: plain(components.responses) },
  }
}

/** A body of a request or an answer in one of its media types. */
type Form = { schema?: Json; example?: unknown; examples?: Json }

const plain = (part: unknown): unknown => {
  if (Array.isArray(part) || part === null || typeof part !== 'object') return part
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, name === 'content' ? plainForms(value) : plain(value)]),
  )
}

/** An answer that already has a form in JSON then has either. */
const plainForms = (forms: Record<string, Form>) => {
  const named: Record<string, Form> = {}
  for (const [mediaType, form] of Object.entries(forms)) {
    const name = mediaType.startsWith(jsonApi) ? 'application/json' : mediaType
    named[name] = named[name] ? either(named[name], form) : form
  }
  return named
}

const either = (one: Form, other: Form): Form =>
  Bun.deepEquals(one.schema, other.schema) ? { ...other, ...one } : { schema: { anyOf: [one.schema, other.schema] } }
