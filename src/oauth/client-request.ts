import { acceptsContent } from '../jsonapi/negotiate.ts'

/** The fields that a client sends, and which client it claims to be. */
export type ClientRequest = { fields: Fields; clientId?: string; clientSecret?: string }

/**
 * Reads a client's request (RFC 6749 §2.3.1) from JSON or a form, with or without Basic. If it is invalid, returns a sentence
 * that says why.
 */
export const readClientRequest = (body: Uint8Array, headers: Headers): ClientRequest | string => {
  const fields = readFields(new TextDecoder().decode(body), headers.get('content-type'))
  if (typeof fields === 'string') return fields
  const basic = readBasic(headers.get('authorization'))
  if (basic && fields.client_secret !== undefined)
    return 'Send the client’s credentials only once: in the body or by HTTP Basic.'
  if (basic && fields.client_id !== undefined && fields.client_id !== basic.id)
    return 'The body and HTTP Basic name different clients.'
  return {
    fields,
    clientId: basic?.id ?? fields.client_id,
    clientSecret: basic?.secret ?? fields.client_secret,
  }
}

/** Other fields are ignored, and an empty one counts as missing (RFC 6749 §3.2). */
const names = ['grant_type', 'scope', 'client_id', 'client_secret', 'token'] as const

type Fields = Partial<Record<(typeof names)[number], string>>

const readFields = (body: string, contentType: string | null): Fields | string => {
  const read = acceptsContent(contentType, ['application/x-www-form-urlencoded']) ? readForm(body) : readJson(body)
  if (typeof read === 'string') return read
  const fields = names.map((name) => [name, read[name] === '' ? undefined : read[name]] as const)
  const wrong = fields.find(([, value]) => value !== undefined && typeof value !== 'string')
  return wrong ? `${wrong[0]} must be a string.` : (Object.fromEntries(fields) as Fields)
}

const readForm = (body: string): Record<string, unknown> | string => {
  const form = new URLSearchParams(body)
  const repeated = names.find((name) => form.getAll(name).length > 1)
  return repeated === undefined ? Object.fromEntries(form) : `${repeated} is given twice.`
}

const readJson = (body: string): Record<string, unknown> | string => {
  try {
    const json: unknown = JSON.parse(body)
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return 'The body must be a JSON object.'
    return json as Record<string, unknown>
  } catch {
    return 'The body must be JSON or a form.'
  }
}

const readBasic = (authorization: string | null) => {
  const encoded = /^basic +([A-Za-z0-9+/_=-]+) *$/i.exec(authorization ?? '')?.[1]
  if (!encoded) return undefined
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString().split(':')
  return { id: decode(id), secret: decode(secret.join(':')) }
}

const decode = (text: string) => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
