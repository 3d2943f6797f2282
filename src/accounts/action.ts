import { type Static, type TObject, type TProperties, type TSchema, Type, TypeGuard } from '@sinclair/typebox'
import type { Context } from '../context.ts'
import { smallBody } from '../http/body.ts'
import type { Call, Route } from '../http/route.ts'
import { readDocument } from '../jsonapi/document.ts'
import { text, uuid } from '../jsonapi/fields.ts'
import { plainDocument } from '../jsonapi/plain-schema.ts'
import { document } from '../jsonapi/serialize.ts'
import { sign } from '../lib/secret.ts'

/** A document that asks for an action. */
type Asks<T extends TProperties> = {
  /** The name of its schema. */
  name: string
  attributes: T
  example: Record<string, unknown>
  /** Attributes that are accepted and ignored. */
  readOnly?: string[]
}

/**
 * The body of such a document, as a route declares it, and the reader of its attributes. An id is ignored (decisions.md §10).
 */
export const defineAction = <T extends TProperties>(
  type: string,
  { name, attributes, example, readOnly }: Asks<T>,
) => ({
  body: {
    schema: Type.Object(
      { data: Type.Object({ type: Type.Literal(type), attributes: attributesSchema(attributes) }) },
      { $id: name },
    ),
    maxBytes: smallBody,
    example: { data: { type, attributes: example } },
  } satisfies Route['body'],
  read: async (call: Call) => {
    const shape = { type, ignoresId: true, attributes, relationships: {}, readOnly: readOnly ?? [] }
    return readDocument(await call.body(), shape).attributes as Static<TObject<T>>
  },
})

/** `attributes` is required if one of them is. */
const attributesSchema = (attributes: TProperties): TSchema => {
  const schema = Type.Object(attributes)
  return Object.values(attributes).every((one) => TypeGuard.IsOptional(one)) ? Type.Optional(schema) : schema
}

type Shown = { attributes: Record<string, unknown>; meta?: Record<string, unknown> }
type Done = Shown & { id: string; headers?: Record<string, string> }

type Declared<T extends TProperties> = Pick<Route, 'path' | 'operationId' | 'summary' | 'description'> &
  Partial<Pick<Route, 'method' | 'tag' | 'access' | 'query' | 'refusals' | 'ownLimit'>> & {
    type: string
    asks: Asks<T>
    answers: {
      status?: 200 | 201 | 202
      description: string
      /** If it differs from the type of the request's document. */
      type?: string
      /** The name of its schema. */
      name: string
      attributes: TProperties
      meta?: TProperties
      headers?: Record<string, string>
      example: Shown
    }
    /** Carries out the action. It reads the document itself, so that limits are checked first. */
    handle: (context: Context, call: Call, read: () => Promise<Static<TObject<T>>>) => Promise<Done>
  }

/** A route that accepts a document, carries out an action, and answers with one resource object at the same URL. */
export const actionRoute = <T extends TProperties>(declared: Declared<T>): Route => {
  const { type, asks, answers, handle, ...route } = declared
  const { status = 200, type: shown = type, description, name, attributes, meta, headers, example } = answers
  const action = defineAction(type, asks)
  const render = (baseUrl: string, id: string, { attributes, meta }: Shown) =>
    document(`${baseUrl}${route.path}`, { data: { type: shown, id, attributes }, ...(meta ? { meta } : {}) })
  return {
    method: 'POST',
    tag: 'Account',
    access: 'public',
    refusals: [409, 422],
    ...route,
    body: action.body,
    answers: {
      [status]: {
        description,
        ...(headers ? { headers } : {}),
        schema: plainDocument(
          Type.Object({ type: Type.Literal(shown), id: uuid(), attributes: Type.Object(attributes) }),
          { $id: name },
          meta && { meta: Type.Object(meta) },
        ),
        example: render(exampleUrl, exampleId, example),
      },
    },
    handle: async (context, call) => {
      const { id, headers, ...done } = await handle(context, call, () => action.read(call))
      return { status, headers, body: render(context.config.baseUrl, id, done) }
    },
  }
}

/** The service's URL and the account in examples. */
export const exampleUrl = 'https://cards.example.org'
export const exampleId = '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e'

/** The attribute of actions that redeem a mailed token. */
export const tokenAttribute = { token: text() }
export const exampleToken = { token: 'q3Jx7…64 letters and digits' }

/** An id for an answer that must not reveal whether the subject exists. The same subject always gets the same id. */
export const namelessId = ({ secret }: Pick<Context, 'secret'>, subject: string): string => {
  const hex = sign(secret, `nameless ${subject}`)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
