import { tokenAllowance } from '../../limits.ts'
import { deprecationHeaders } from '../deprecations.ts'
import type { Json } from './components.ts'

const whole = { type: 'integer', minimum: 0 }
const windowEnd = { description: 'When the window ends, in Unix seconds.', schema: whole, example: 1_795_264_200 }

/** The headers of responses by name. The document has each of them once. */
export const headerComponents = {
  'X-Request-ID': {
    description: 'The id of the request: the `X-Request-ID` that you sent, or a new one. The service logs it, too.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
    example: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
  },
  'X-RateLimit-Limit': {
    description: 'How many requests the window allows.',
    schema: whole,
    example: tokenAllowance.limit,
  },
  'X-RateLimit-Remaining': { description: 'How many requests are left.', schema: whole, example: 1999 },
  'X-RateLimit-Reset': windowEnd,
  'X-RateLimit-Window': { description: 'The length of the window in seconds.', schema: whole, example: 3600 },
  'X-OAuth-RateLimit-Limit': { description: 'The limit of this endpoint.', schema: whole, example: 10 },
  'X-OAuth-RateLimit-Remaining': { description: 'How many requests are left.', schema: whole, example: 9 },
  'X-OAuth-RateLimit-Reset': windowEnd,
  'Retry-After': { description: 'How many seconds to wait before trying again.', schema: whole, example: 30 },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 6750).',
    schema: { type: 'string' },
    example: 'Bearer',
  },
  Location: {
    description: 'The URL of the new record, or of the file.',
    schema: { type: 'string', format: 'uri' },
  },
  ETag: {
    description:
      'The version of the record. Send it as `If-None-Match` when you read the record again, and as `If-Match` when you change it.',
    schema: { type: 'string' },
    example: '"v1-3.1795264200000-2f6a8b0c1d2e"',
  },
  Deprecation: {
    description: 'When the path, or a parameter of the request, was deprecated: `@` and Unix seconds (RFC 9745).',
    schema: { type: 'string', pattern: '^@\\d+$' },
    example: deprecationHeaders.Deprecation,
  },
  Sunset: {
    description: 'When it will be removed (RFC 8594).',
    schema: { type: 'string' },
    example: deprecationHeaders.Sunset,
  },
} satisfies Record<string, Json>

export type HeaderName = keyof typeof headerComponents

const refer = (names: HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** References to headers by name. `own` are the headers of this response only, with their descriptions. */
export const referHeaders = (names: HeaderName[], own: Record<string, string> = {}): Json => ({
  ...refer(names),
  ...Object.fromEntries(
    Object.entries(own)
      .filter(([name]) => !names.includes(name as HeaderName))
      .map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  ),
})

/** The headers of a rate window. */
export const windowHeaders: HeaderName[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Window',
]
