import type { Config } from '../../config.ts'
import { lifetimes, sayDuration, sizes } from '../../limits.ts'
import { ignoreStatusHeader } from '../respond.ts'
import { isRepeatable, type Parameter, type Route } from '../route.ts'
import type { Components, Json } from './components.ts'

/** The header with which a caller names a request. The document has it once, for every route. */
export const requestIdParameter: Json = {
  name: 'X-Request-ID',
  in: 'header',
  required: false,
  description: 'Your own id for the request. The response repeats it, and the service logs it.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
}

/** The header with which a request can be repeated safely. The document has it once, for every POST that heeds it. */
export const idempotencyKeyParameter: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `A key of your own for this request, such as a UUID: 1 to ${sizes.idempotencyKey.most} visible ASCII characters. If you get no answer, send the request again with the same key: it is done once, and for ${sayDuration(lifetimes.keptAnswer.seconds)} you get the answer of the first. Another request with the key is 422, one that is still at work 409. Without a credential, it is ignored.`,
  schema: { type: 'string', pattern: `^[\\x21-\\x7e]{1,${sizes.idempotencyKey.most}}$` },
  example: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
}

/** Every parameter of a route: in its path, its query and its headers. */
export const parametersOf = (route: Route, { brand }: Pick<Config, 'brand'>, { refer }: Components): Json[] => [
  ...pathParameters(route, refer),
  ...Object.entries(route.query ?? {}).map(([name, parameter]) => queryParameter(name, parameter, refer)),
  ...(route.heedsIgnoreStatus ? [ignoreStatusParameter(ignoreStatusHeader(brand))] : []),
  ...(route.precondition ? [preconditionParameters[route.precondition]] : []),
  ...(isRepeatable(route) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  { $ref: '#/components/parameters/RequestId' },
]

type Refer = Components['refer']

const pathParameters = ({ path, params }: Route, refer: Refer): Json[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const own = params?.[name]
    return {
      name,
      in: 'path',
      required: true,
      description: own?.description ?? `The id of the ${owner(path, name)}.`,
      schema: refer(own?.schema ?? { type: 'string', format: 'uuid' }),
      ...exampleOf(own),
    }
  })

/** Whose id it is in a path: in `/v1/player-teams/:id`, a player team's. */
const owner = (path: string, name: string) => {
  const segments = path.split('/')
  const before = segments[segments.indexOf(`:${name}`) - 1] ?? ''
  return before.replaceAll('-', ' ').replace(/(ch)es$|s$/, '$1')
}

/** Lists are separated by commas, as in JSON:API. */
const queryParameter = (name: string, parameter: Parameter, refer: Refer): Json => {
  const { schema, description, deprecated, required } = parameter
  return {
    name,
    in: 'query',
    required: required ?? false,
    description,
    ...(deprecated ? { deprecated } : {}),
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    schema: refer(schema),
    ...exampleOf(parameter),
  }
}

const exampleOf = (parameter?: Parameter) => (parameter?.example === undefined ? {} : { example: parameter.example })

const preconditionParameter = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
  example: '"v1-3.1795264200000-2f6a8b0c1d2e"',
})

const preconditionParameters = {
  'If-Match': preconditionParameter(
    'If-Match',
    'The `ETag` of the record as you read it. If the record has changed since then, the response is 412 and nothing is changed.',
  ),
  'If-None-Match': preconditionParameter(
    'If-None-Match',
    'The `ETag` of your copy. If it is still current, the response is 304 without a body.',
  ),
}

const ignoreStatusParameter = (name: string): Json => ({
  name,
  in: 'header',
  required: false,
  description:
    '`true` also lists drafts, if the credential can read them. Otherwise they are silently left out. Off if it is missing, empty, `false`, `0` or `no`, and on with any other value.',
  schema: { type: 'string' },
  example: 'true',
})
