import { errorDocument } from '../../jsonapi/error-schema.ts'
import type { ApiError } from '../../jsonapi/errors.ts'
import { jsonApi } from '../../jsonapi/negotiate.ts'
import { errorReply } from '../respond.ts'
import { type Answer, isCountedRoute, isRepeatable, mediaTypeOf, type Route } from '../route.ts'
import type { Components, Json } from './components.ts'
import { type HeaderName, referHeaders, windowHeaders } from './headers.ts'
import { type Refusal, refusals } from './refusals.ts'

const exampleRequest = '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e'

/** The statuses of a route's refusals: those that follow from its declaration, and those that it adds. */
export const refusedStatuses = (route: Route): number[] => {
  const { access, scope, body, flat, path, isVital } = route
  const isOpen = access === 'public'
  const statuses = [
    ...(route.takesAnyQuery ? [] : [400]),
    ...(isOpen ? [] : [401]),
    ...(access === 'catalog' ? [402] : []),
    ...(access === 'session' || access === 'account' || scope ? [403] : []),
    ...(path.includes('/:') ? [404] : []),
    ...(flat ? [] : [406]),
    ...(body ? [413] : []),
    ...(body && !body.anyMediaType ? [415] : []),
    ...(isCountedRoute(route) ? [429] : []),
    ...(isVital ? [] : [503]),
    500,
    ...(route.refusals ?? []),
  ]
  return [...new Set(statuses)].filter((status) => !(status in route.answers)).sort((a, b) => a - b)
}

/** The responses of a route, refusals last. */
export const responsesOf = (route: Route, { refer }: Components): Json => ({
  ...Object.fromEntries(
    Object.entries(route.answers).map(([status, answer]) => [
      status,
      renderAnswer(route, Number(status), answer, refer),
    ]),
  ),
  ...Object.fromEntries(
    [...refusedStatuses(route), ...(isRepeatable(route) ? keyRefusals : [])].map((status) => [
      status,
      renderRefusal(route, status, refer),
    ]),
  ),
  431: { $ref: `#/components/responses/${longHeaders}` },
})

/** What an `Idempotency-Key` may be refused with, besides 400: its request is at work, or it was another one. */
const keyRefusals = [409, 422]

/** The server sends this itself before it looks for a route, without a body and without the usual headers. */
const longHeaders = 'RequestHeaderFieldsTooLarge'

/** The refusals that all counted routes share. */
export const sharedRefusals = ({ refer }: Components, used: Set<number>): Json =>
  Object.fromEntries([
    ...Object.entries(refusals)
      .filter(([status]) => used.has(Number(status)))
      .map(([, refusal]) => [refusal.name, describe(refusal, true, refer)]),
    [longHeaders, { description: 'The URL and the headers together are longer than 16 KiB. There is no body.' }],
  ])

type Refer = Components['refer']

const renderAnswer = (route: Route, status: number, answer: Answer, refer: Refer): Json => {
  const { description, schema, mediaType = mediaTypeOf(route), example, others = {} } = answer
  const forms = schema ? { [mediaType]: { schema, example }, ...others } : others
  const names: HeaderName[] = ['X-Request-ID', ...(isCountedRoute(route) ? windowHeaders : [])]
  if (status === 201 && !route.flat) names.push('Location')
  if (isDeprecating(route)) names.push('Deprecation', 'Sunset')
  if (refusals[status]?.headers) names.push(...(refusals[status].headers ?? []))
  for (const name of Object.keys(answer.headers ?? {})) if (isShared(name) && !names.includes(name)) names.push(name)
  return {
    description,
    headers: referHeaders(names, answer.headers),
    ...(Object.keys(forms).length > 0 ? { content: renderForms(forms, refer) } : {}),
  }
}

const renderForms = (forms: NonNullable<Answer['others']>, refer: Refer): Json =>
  Object.fromEntries(
    Object.entries(forms).map(([mediaType, { schema, example }]) => [
      mediaType,
      { schema: refer(schema), ...(example === undefined ? {} : { example }) },
    ]),
  )

const isShared = (name: string): name is HeaderName =>
  /^(X-OAuth-RateLimit-|Retry-After|WWW-Authenticate|Location|ETag)/.test(name)

const isDeprecating = ({ deprecated, query }: Route) =>
  deprecated || Object.values(query ?? {}).some((parameter) => parameter.deprecated)

const renderRefusal = (route: Route, status: number, refer: Refer): Json => {
  const refusal = refusals[status]
  if (!refusal)
    throw new Error(`${route.operationId} refuses with ${status}, which src/http/openapi/refusals.ts does not have`)
  if (route.renderError) return describeOwn(route, refusal, route.renderError, refer)
  return isCountedRoute(route) ? { $ref: `#/components/responses/${refusal.name}` } : describe(refusal, false, refer)
}

const describe = ({ description, examples, headers = [] }: Refusal, counts: boolean, refer: Refer): Json => ({
  description,
  headers: referHeaders(['X-Request-ID', ...(counts ? windowHeaders : []), ...headers]),
  content: { [jsonApi]: { schema: refer(errorDocument()), examples: renderExamples(examples, renderDocument) } },
})

const renderDocument = (error: ApiError) => errorReply(error, exampleRequest).body

/** A refusal of a route that renders its own. */
const describeOwn = (
  { errorSchema }: Route,
  { description, examples, headers = [] }: Refusal,
  render: NonNullable<Route['renderError']>,
  refer: Refer,
): Json => {
  const [first] = Object.values(examples)
  const mediaType = (first && render(first).mediaType) ?? jsonApi
  return {
    description,
    headers: referHeaders(['X-Request-ID', ...headers]),
    content: {
      [mediaType]: {
        ...(errorSchema ? { schema: refer(errorSchema) } : {}),
        examples: renderExamples(examples, (error) => render(error).body),
      },
    },
  }
}

const renderExamples = (examples: Record<string, ApiError>, render: (error: ApiError) => unknown) =>
  Object.fromEntries(
    Object.entries(examples).map(([name, error]) => [
      name,
      { summary: error.message, value: JSON.parse(JSON.stringify(render(error))) },
    ]),
  )
