import Ajv2020, { type ErrorObject } from 'ajv/dist/2020.js'
import { escaped, type Json, type OpenApi, type Operation } from './document.ts'
import type { Made } from './request.ts'

export type Got = { status: number; headers: Headers; text: string }

/** Whether a text is a URI (RFC 3986) with a scheme of the web. */
export const isUri = (text: string) =>
  /^https?:\/\/[^/?#\s]+(\/([\w.~!$&'()*+,;=:@/-]|%[\dA-F]{2})*)?(\?([\w.~!$&'()*+,;=:@/?-]|%[\dA-F]{2})*)?$/i.test(
    text,
  )

const formats = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
  uri: true,
  email: true,
  binary: true,
  password: true,
} as const

/** Judges answers by an OpenAPI document: says what is wrong with one, or nothing. */
export const judgeOf = ({ root, resolve }: OpenApi) => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, formats })
  ajv.addSchema(root, 'given')
  ajv.addSchema(closed(root, false) as Json, 'whole')
  ajv.addSchema(closed(root, true) as Json, 'sparse')
  const fits = (form: 'given' | 'whole' | 'sparse', pointer: string, value: unknown): string[] => {
    const check = ajv.getSchema(`${form}#${pointer.split('/').map(encodeURIComponent).join('/')}`)
    if (!check) throw new Error(`there is no schema at ${pointer}`)
    return check(value) ? [] : (check.errors ?? []).slice(0, 5).map(told)
  }

  const faultsOfAnswer = (operation: Operation, { path }: Made, { status, headers, text }: Got): string[] => {
    const described = operation.responses[status]
    if (status >= 500 && status !== 502) return [`answered ${status}: ${text.slice(0, 300)}`]
    if (!described) return [`answered ${status}, which is not documented: ${text.slice(0, 300)}`]
    const mediaType = headers.get('content-type')
    const content = described.content ?? {}
    if (Object.keys(content).length === 0)
      return text === '' ? [] : [`answered ${status} with a body, none is documented`]
    const key = Object.keys(content).find((one) => isOf(mediaType ?? '', one))
    if (key === undefined) return [`answered ${status} as ${mediaType}, which is not documented`]
    if (!/json/.test(key)) return []
    const form = path.includes('fields%5B') ? 'sparse' : 'whole'
    const value: unknown = JSON.parse(text)
    return [
      ...fits(form, `${described.pointer}/content/${escaped(key)}/schema`, value).map(
        (fault) => `${status} body${fault}`,
      ),
      ...linksIn(operation.path === '/openapi.json' ? {} : value).flatMap((link) =>
        isUri(link) ? [] : [`${status} has a link that is no URI: ${link}`],
      ),
    ]
  }

  /** A body that the service takes is one that the document describes; of batches a wrong row fails alone. */
  const faultsOfTaken = (operation: Operation, { headers, body }: Made, { status }: Got): string[] => {
    const mediaType = headers['Content-Type'] ?? ''
    const schema = operation.path === '/internal/card-batches' ? undefined : operation.body?.content[mediaType]?.schema
    if (status >= 300 || !schema || !body || !/json/.test(mediaType) || resolve(schema).format === 'binary') return []
    const pointer = `/paths/${escaped(operation.path)}/${operation.method.toLowerCase()}/requestBody/content/${escaped(mediaType)}/schema`
    return fits('given', pointer, JSON.parse(String(body))).map((fault) => `${status} took a body that ${fault}`)
  }

  return (operation: Operation, made: Made, got: Got) => [
    ...faultsOfAnswer(operation, made, got),
    ...faultsOfTaken(operation, made, got),
  ]
}

const told = ({ instancePath, message, params }: ErrorObject) =>
  `${instancePath.replace(/\/\d+(?=\/|$)/g, '/*')} ${message} ${JSON.stringify(params)}`

/** Whether a Content-Type is one that the document names; a charset says nothing. */
const isOf = (mediaType: string, named: string) => {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/;\s*charset=[^;]+/, '')
      .replaceAll(' ', '')
  return named.endsWith('/*') ? mediaType.startsWith(named.slice(0, -1)) : plain(mediaType) === plain(named)
}

const linksIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) =>
    name === 'links' && one ? Object.values(one as object).filter((link) => typeof link === 'string') : linksIn(one),
  )
}

/** Schemas that have what they name and nothing else; `isSparse` ones may lack each attribute and relationship. */
const closed = (part: unknown, isSparse: boolean, name = ''): unknown => {
  if (Array.isArray(part)) return part.map((one) => closed(one, isSparse))
  if (typeof part !== 'object' || part === null) return part
  const made: Json = Object.fromEntries(Object.entries(part).map(([key, one]) => [key, closed(one, isSparse, key)]))
  const isObject = made.type === 'object' && typeof made.properties === 'object'
  if (!isObject) return made
  const thinned = ['attributes', 'relationships']
  const required = ((made.required ?? []) as string[]).filter((one) => !thinned.includes(one))
  return {
    additionalProperties: false,
    ...made,
    ...(isSparse ? { required: thinned.includes(name) ? [] : required } : {}),
  }
}
