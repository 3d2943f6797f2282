import { type Static, type TObject, type TProperties, type TSchema, Type, TypeGuard } from '@sinclair/typebox'
import type { Context } from '../context.ts'
import { smallBody } from '../http/body.ts'
import type { Call, Route } from '../http/route.ts'
import { readDocument } from '../jsonapi/document.ts'
import { link, uuid } from '../jsonapi/fields.ts'
import { jsonApi } from '../jsonapi/negotiate.ts'
import { jsonApiVersion } from '../jsonapi/schema.ts'
import { document } from '../jsonapi/serialize.ts'
import { sign } from '../lib/secret.ts'

/** What a document that asks for something to be done is made of. */
export type Action<T extends TProperties> = {
  /** What the route says of its body. */
  body: NonNullable<Route['body']>
  /** Reads the attributes; an id is ignored (decisions.md §10). */
  read: (call: Call) => Promise<Static<TObject<T>>>
}

/** Declares such a document. `name` is that of its schema; `readOnly` attributes may be sent back, and are ignored. */
export const defineAction = <T extends TProperties>(
  type: string,
  name: string,
  attributes: T,
  example: Record<string, unknown>,
  readOnly: string[] = [],
): Action<T> => ({
  body: {
    schema: Type.Object(
      { data: Type.Object({ type: Type.Literal(type), attributes: attributesSchema(attributes) }) },
      { $id: name },
    ),
    mediaTypes: [jsonApi],
    maxBytes: smallBody,
    example: { data: { type, attributes: example } },
  },
  read: async (call) => {
    const shape = { type, ignoresId: true, attributes, relationships: {}, readOnly }
    return readDocument(await call.body(), shape).attributes as Static<TObject<T>>
  },
})

/** The member is needed where one of the attributes is. */
const attributesSchema = (attributes: TProperties): TSchema => {
  const schema = Type.Object(attributes)
  return Object.values(attributes).every((one) => TypeGuard.IsOptional(one)) ? Type.Optional(schema) : schema
}

/** The schema of an answer with one resource object, and with what `meta` has. */
export const answerSchema = (type: string, name: string, attributes: TProperties, meta?: TProperties): TSchema =>
  Type.Object(
    {
      jsonapi: jsonApiVersion(),
      links: Type.Object({ self: link() }),
      data: Type.Object({ type: Type.Literal(type), id: uuid(), attributes: Type.Object(attributes) }),
      ...(meta ? { meta: Type.Object(meta) } : {}),
    },
    { $id: name },
  )

type Content = { type: string; id: string; attributes: Record<string, unknown>; meta?: Record<string, unknown> }

/** Such an answer, under the address that was asked. */
export const renderAnswer = (baseUrl: string, path: string, { meta, ...data }: Content) =>
  document(`${baseUrl}${path}`, { data, ...(meta ? { meta } : {}) })

/** Where the service is in examples. */
export const exampleUrl = 'https://cards.example.org'

/** An id for an answer that must not tell whether there is anything behind it: the same question has the same one. */
export const namelessId = ({ secret }: Pick<Context, 'secret'>, subject: string): string => {
  const hex = sign(secret, `nameless ${subject}`)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
