import { lifetimes, sayDuration, sizes } from '../limits.ts'

/** One error of a JSON:API error document. */
export type ErrorObject = {
  status: string
  code: string
  title: string
  detail?: string
  source?: { pointer?: string; parameter?: string; header?: string }
  links?: Record<string, string>
  meta?: Record<string, unknown>
}

/** A refusal for the caller. Anything else that is thrown is our fault and becomes a 500. */
export class ApiError extends Error {
  readonly errors: ErrorObject[]
  constructor(
    readonly status: number,
    errors: ErrorObject[],
    readonly headers: Record<string, string> = {},
    /** Members of the document's own meta. */
    readonly meta: Record<string, unknown> = {},
  ) {
    super(errors[0]?.detail ?? errors[0]?.title)
    this.errors = errors.map((error) => (error.source ? { ...error, source: quotedSource(error.source) } : error))
  }
}

/** How many characters of what was sent an error repeats (decisions.md §22). */
const mostQuoted = 200

/** A text that was sent, as an error repeats it: cut off after 200 characters. */
export const quoteSent = (text: string): string =>
  text.length > mostQuoted ? `${text.slice(0, mostQuoted - 1).replace(/[\ud800-\udbff]$/, '')}…` : text

/** A name that was sent may be part of a pointer, and be as long as a request. */
const quotedSource = (source: NonNullable<Source>): Source =>
  Object.fromEntries(Object.entries(source).map(([name, text]) => [name, quoteSent(text)]))

type Source = ErrorObject['source']

/** Makes a refusal's constructor from its status, code and title. Each call adds a detail, source and headers. */
export const refusal =
  (status: number, code: string, title: string) =>
  (detail?: string, source?: Source, headers?: Record<string, string>) =>
    new ApiError(status, [{ status: String(status), code, title, detail, source }], headers)

/** 400: the document can't be read as JSON:API. */
export const badRequest = refusal(400, 'BAD_REQUEST', 'Bad request')
/** 400: a query parameter is unknown or has a bad value. `source.parameter` names it. */
export const invalidParameter = (parameter: string, detail: string) =>
  refusal(400, 'INVALID_PARAMETER', 'Invalid query parameter')(detail, { parameter })
/** 401: no token, or one that is invalid, expired or revoked. */
export const unauthenticated = (detail = 'The request needs a valid credential: Authorization: Bearer <TOKEN>.') =>
  refusal(401, 'UNAUTHENTICATED', 'Unauthenticated')(detail, undefined, { 'WWW-Authenticate': 'Bearer' })
/** 402: the caller's subscription is neither active nor trialing. The key stays valid. */
export const subscriptionRequired = () =>
  refusal(
    402,
    'SUBSCRIPTION_REQUIRED',
    'Subscription required',
  )('The subscription is not active. See /v1/user/subscription.')
/** 403: the credential lacks a scope. */
export const insufficientScope = (scope: string) =>
  refusal(403, 'INSUFFICIENT_SCOPE', 'Insufficient scope')(`The credential lacks the scope ${scope}.`, undefined, {
    'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"`,
  })
/** 403: the endpoint is for signed-in users, not for data credentials. */
export const notInteractiveSession = () =>
  refusal(403, 'FORBIDDEN_NOT_INTERACTIVE_SESSION', 'Not an interactive session')('Sign in to use this endpoint.')
/** 403 for any other reason. */
export const forbidden = refusal(403, 'FORBIDDEN', 'Forbidden')
/** 403: the password is right, but the address isn't verified yet. */
export const emailNotVerified = () =>
  refusal(
    403,
    'EMAIL_NOT_VERIFIED',
    'E-mail address not verified',
  )('Open the link in the e-mail that was sent to this address, then sign in.')
/** 403: the session is too old for this, and the body doesn't have the current password. */
export const reauthenticationRequired = () =>
  refusal(
    403,
    'REAUTHENTICATION_REQUIRED',
    'Reauthentication required',
  )(
    `You signed in more than ${sayDuration(lifetimes.freshSession.seconds)} ago. Send current_password, or sign in again.`,
    { pointer: '/data/attributes/current_password' },
  )
/** 404: it does not exist, or is hidden from the caller. */
export const notFound = (detail = 'There is no such resource, or it is hidden from you.') =>
  refusal(404, 'NOT_FOUND', 'Not found')(detail)
/** 405, with the methods that the path has. */
export const methodNotAllowed = (allow: string[]) =>
  refusal(405, 'METHOD_NOT_ALLOWED', 'Method not allowed')(`This path only supports ${allow.join(', ')}.`, undefined, {
    Allow: allow.join(', '),
  })
/** 406: the caller accepts none of the response's media types. */
export const notAcceptable = refusal(406, 'NOT_ACCEPTABLE', 'Not acceptable')
/** 409: the request conflicts with the state of the catalog. */
export const conflict = refusal(409, 'CONFLICT', 'Conflict')
/** 409: the record was merged, and a write uses its old id. */
export const resourceMerged = (into: { type: string; id: string }, source?: Source) => {
  const meta = { merged_into: { type: into.type, id: into.id } }
  const title = 'Resource merged'
  const detail = `The record was merged. Write to ${into.type} ${into.id} instead.`
  return new ApiError(409, [{ status: '409', code: 'RESOURCE_MERGED', title, detail, source, meta }], {}, meta)
}
/** 410: an expired verification token, which /v1/signup/resend exchanges for a new one. */
export const tokenExpired = () =>
  refusal(
    410,
    'token_expired',
    'Token expired',
  )('The token has expired. POST it to /v1/signup/resend to get a new one.', { pointer: '/data/attributes/token' })
/** 410: a cursor of the feed from before the oldest kept change. `about` links to where to start again. */
export const cursorExpired = (about: string) => {
  const title = 'Cursor expired'
  const detail = `Changes are kept for ${sayDuration(lifetimes.change.seconds)}. Start again with the bulk files.`
  const source = { parameter: 'page[after]' }
  return new ApiError(410, [{ status: '410', code: 'CURSOR_EXPIRED', title, detail, source, links: { about } }])
}
/** 412: the record has changed since the version in `If-Match`. */
export const preconditionFailed = () =>
  refusal(
    412,
    'PRECONDITION_FAILED',
    'Precondition failed',
  )('The record has changed since you read it. Read it again.', { header: 'If-Match' })
/** 413: the body is too large. */
export const payloadTooLarge = (limitBytes: number) =>
  refusal(413, 'PAYLOAD_TOO_LARGE', 'Payload too large')(`The body may have at most ${limitBytes} bytes.`)
/** 415: the endpoint doesn't accept the body's media type. */
export const unsupportedMediaType = (accepted: string[]) =>
  refusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'Unsupported media type')(`Send the body as ${accepted.join(' or ')}.`)
/** 422: no account has this verification token, or a newer one replaced it. */
export const tokenUnknown = () =>
  refusal(422, 'token_unknown', 'Unknown token')('The token is unknown.', { pointer: '/data/attributes/token' })
/** 422: an invite that is unknown, revoked, expired or for another address. It doesn't say which. */
export const inviteInvalid = (source?: Source) =>
  refusal(422, 'invite_invalid', 'Invalid invite')('The invite is not valid.', source)
/** 422: an invite without uses left. */
export const inviteExhausted = (source?: Source) =>
  refusal(422, 'invite_exhausted', 'Exhausted invite')('The invite has no uses left.', source)
/** 429, with the seconds until the window opens again. */
export const tooManyRequests = (retryAfterSeconds: number) =>
  refusal(429, 'TOO-MANY-REQUESTS', 'Too many requests')(
    `The rate limit is used up. Try again in ${retryAfterSeconds} seconds.`,
    undefined,
    { 'Retry-After': String(retryAfterSeconds) },
  )
/** 500: our fault. Reveals nothing from inside. */
export const internalError = () =>
  refusal(
    500,
    'INTERNAL_ERROR',
    'Internal error',
  )('Something went wrong on our side. The request id identifies it in the log.')
/** 502: the payment processor failed or is not configured. */
export const badGateway = refusal(502, 'BILLING_UNAVAILABLE', 'Billing unavailable')
/** 503: something that the request needs doesn't answer. */
export const unavailable = (detail = 'The database is not responding. Try again in a moment.') =>
  refusal(503, 'SERVICE_UNAVAILABLE', 'Service unavailable')(detail, undefined, { 'Retry-After': '2' })

/** What is wrong with a field, by its JSON pointer, or with a query parameter. */
export type Fault = { pointer?: string; parameter?: string; detail: string }

/** The fault of a reference to something that doesn't exist or is hidden from the caller. The text is the same for both. */
export const noSuch = (noun: string, source: Omit<Fault, 'detail'>): Fault => ({
  ...source,
  detail: `There is no such ${noun}, or it is hidden from you.`,
})

/** The most faults in one answer: enough for every field there is, but limited against hostile bodies. */
export const mostFaults = sizes.faults.most

/** 422: one error for each offending field, with the first rule that it breaks (decisions.md §19), up to `mostFaults`. */
export const validationFailed = (faults: Fault[]) =>
  new ApiError(
    422,
    onePerField(
      faults.map(({ pointer, parameter, detail }) => ({
        status: '422',
        code: 'VALIDATION-FAILED',
        title: 'Validation failed',
        detail,
        ...(parameter ? { source: { parameter } } : pointer === undefined ? {} : { source: { pointer } }),
      })),
    ),
  )

/** The first error of each field, up to `mostFaults`. Errors that name no field all stay. */
export const onePerField = (errors: ErrorObject[]): ErrorObject[] => {
  const seen = new Set<string>()
  return errors
    .filter(({ source }) => {
      const field = source?.parameter ?? source?.pointer
      if (field === undefined) return true
      const isFirst = !seen.has(field)
      seen.add(field)
      return isFirst
    })
    .slice(0, mostFaults)
}

/** A refusal with its pointers replaced. Anything else that was thrown stays as it is. */
export const withPointers = (error: unknown, replace: (pointer: string) => string): unknown => {
  if (!(error instanceof ApiError)) return error
  const errors = error.errors.map((one) => {
    const pointer = one.source?.pointer
    return pointer === undefined ? one : { ...one, source: { pointer: replace(pointer) } }
  })
  return new ApiError(error.status, errors, error.headers, error.meta)
}

/** Joins several refusals with the same status. Undefined if there are none. */
export const mergeErrors = (errors: ApiError[]): ApiError | undefined => {
  const [first] = errors
  return (
    first &&
    new ApiError(
      first.status,
      errors.flatMap((error) => error.errors),
      first.headers,
      Object.assign({}, ...errors.map(({ meta }) => meta).reverse()),
    )
  )
}
