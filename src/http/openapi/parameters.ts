import type { Config } from '../../config.ts'
import { ignoreStatusHeader } from '../respond.ts'
import type { Parameter, Route } from '../route.ts'
import type { Components, Json } from './components.ts'

/** The header with which a caller names a request. The document has it once, for every route. */
export const requestIdParameter: Json = {
  name: 'X-Request-ID',
  in: 'header',
  required: false,
  description: 'Your own id for the request. The response repeats it, and the service logs it.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
}

/** Every parameter of a route: in its path, its query and its headers. */
export const parametersOf = (route: Route, { brand }: Pick<Config, 'brand'>, { refer }: Components): Json[] => [
  ...pathParameters(route, refer),
  ...Object.entries(route.query ?? {}).map(([name, parameter]) => queryParameter(name, parameter, refer)),
  ...(route.heedsIgnoreStatus ? [ignoreStatusParameter(ignoreStatusHeader(brand))] : []),
  ...(route.precondition ? [preconditionParameters[route.precondition]] : []),
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
