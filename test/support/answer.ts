import type { ErrorObject } from '../../src/jsonapi/errors.ts'
import type { Identifier } from '../../src/jsonapi/relationships.ts'

type Relationship = {
  data: Identifier | Identifier[] | null
  links?: Record<string, string>
  meta?: Record<string, unknown>
}

/** A resource object as a test reads it. */
export type Shown = {
  type: string
  id: string
  attributes: Record<string, unknown>
  relationships: Record<string, Relationship>
  links: Record<string, string>
}

type Document = {
  jsonapi?: { version: string }
  data?: Shown | Shown[] | null
  included?: Shown[]
  errors?: ErrorObject[]
  links?: Record<string, string>
  meta?: Record<string, unknown>
}

/** An answer, read completely. `document` is empty if the body isn't JSON. */
export type Answer = {
  status: number
  headers: Headers
  text: string
  document: Document
  /** The resource object in a single answer. Fails the test if there is none. */
  one: Shown
  /** The resource objects in a list. Fails the test if there are none. */
  many: Shown[]
  included: Shown[]
  meta: Record<string, unknown>
  links: Record<string, string>
  /** The `code source` of each error: `VALIDATION-FAILED /data/attributes/name`. */
  faults: string[]
}

/** Reads a response to its end. */
export const readAnswer = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  const document = parse(text)
  return {
    status: response.status,
    headers: response.headers,
    text,
    document,
    get one() {
      if (!document.data || Array.isArray(document.data)) throw new Error(`no resource in ${response.status} ${text}`)
      return document.data
    },
    get many() {
      if (!Array.isArray(document.data)) throw new Error(`no list in ${response.status} ${text}`)
      return document.data
    },
    included: document.included ?? [],
    meta: document.meta ?? {},
    links: document.links ?? {},
    faults: (document.errors ?? []).map(({ code, source }) =>
      [code, source?.pointer ?? source?.parameter].filter((part) => part !== undefined).join(' '),
    ),
  }
}

const parse = (text: string): Document => {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** The ids of resource objects, in order. */
export const idsOf = (records: { id: string }[]) => records.map(({ id }) => id)
