import { acceptsContent } from '../jsonapi/negotiate.ts'

/** What a token request asks for and by whom. `basic` says that the client named itself by HTTP Basic. */
export type Grant = { grantType?: string; clientId?: string; clientSecret?: string; scope?: string; basic: boolean }

/** Reads a token request (RFC 6749 §2.3.1, §4.4.2) from JSON or a form, with Basic or without; else a sentence that says what is wrong. */
export const readGrant = (body: Uint8Array, headers: Headers): Grant | string => {
  const fields = readFields(new TextDecoder().decode(body), headers.get('content-type'))
  if (typeof fields === 'string') return fields
  const basic = readBasic(headers.get('authorization'))
  if (basic && fields.client_secret !== undefined) return 'Send the client’s credentials once: in the body or by Basic.'
  if (basic && fields.client_id !== undefined && fields.client_id !== basic.id)
    return 'Two different clients are named.'
  return {
    grantType: fields.grant_type,
    clientId: basic?.id ?? fields.client_id,
    clientSecret: basic?.secret ?? fields.client_secret,
    scope: fields.scope,
    basic: basic !== undefined,
  }
}

type Fields = Record<string, string | undefined>

const readFields = (body: string, contentType: string | null): Fields | string => {
  if (!acceptsContent(contentType, ['application/x-www-form-urlencoded'])) return readJson(body)
  const form = new URLSearchParams(body)
  const repeated = [...form.keys()].find((name, at, all) => all.indexOf(name) !== at)
  return repeated === undefined ? Object.fromEntries(form) : `${repeated} is given twice.`
}

const readJson = (body: string): Fields | string => {
  try {
    const json: unknown = JSON.parse(body)
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return 'The body is no JSON object.'
    const wrong = Object.entries(json).find(([, value]) => typeof value !== 'string')
    return wrong ? `${wrong[0].slice(0, 50)} is no text.` : (json as Record<string, string>)
  } catch {
    return 'The body is neither JSON nor a form.'
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
