import { badRequest } from './errors.ts'

const deepest = 100

/**
 * Parses a body as JSON in UTF-8. Anything else is a 400. So is JSON that is nested deeper than 100 or has more than
 * `mostMembers` members: parsing it could take seconds and gigabytes, while checking its bytes takes milliseconds.
 */
export const readJson = (body: Uint8Array, mostMembers = Number.POSITIVE_INFINITY): unknown => {
  const { depth, members } = measure(body)
  if (depth > deepest) throw badRequest(`The body is nested more than ${deepest} levels deep.`)
  if (members > mostMembers) throw badRequest(`The body has more than ${mostMembers} members.`)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw badRequest('The body is not valid JSON.')
  }
}

/** How deep a JSON text is nested, and how many commas separate its members. No byte of a multi-byte character is ASCII. */
const measure = (body: Uint8Array) => {
  let depth = 0
  let deepestYet = 0
  let members = 0
  let isText = false
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]
    if (isText) {
      if (byte === backslash) at++
      else if (byte === quote) isText = false
    } else if (byte === quote) isText = true
    else if (byte === comma) members++
    else if (byte === bracket || byte === brace) {
      depth++
      if (depth > deepestYet) deepestYet = depth
    } else if (byte === bracketEnd || byte === braceEnd) depth--
  }
  return { depth: deepestYet, members }
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c]
const [bracket, bracketEnd, brace, braceEnd] = [0x5b, 0x5d, 0x7b, 0x7d]

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Escapes a name for a JSON pointer (RFC 6901). */
export const escapePointer = (name: string) => name.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')
