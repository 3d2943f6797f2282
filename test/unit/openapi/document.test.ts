import { expect, test } from 'bun:test'
import { routes } from '../../../src/app.ts'
import { openApiDocument } from '../../../src/http/openapi/document.ts'
import { refusals } from '../../../src/http/openapi/refusals.ts'
import type { Route } from '../../../src/http/route.ts'
import { answersIn, type OpenApi } from '../../support/members.ts'
import { document } from './written.ts'

type Operation = {
  operationId: string
  tags: string[]
  description?: string
  deprecated?: boolean
  security: Record<string, string[]>[]
  parameters: { name?: string; in?: string; deprecated?: boolean; description?: string; $ref?: string }[]
  responses: Record<string, { headers?: Record<string, unknown>; $ref?: string; content?: Record<string, unknown> }>
  requestBody?: { content: Record<string, { example?: unknown }> }
}
type Paths = Record<string, Record<string, Operation>>

const paths = document.paths as Paths
const operations = Object.values(paths).flatMap((path) => Object.values(path))
const operation = (method: string, path: string) => paths[path]?.[method] as Operation

test('every route is an operation of its own name, with a described tag', () => {
  expect(operations.length).toBe(routes.length)
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(routes.length)
  const described = (document.tags as { name: string; description?: string }[]).filter(({ description }) => description)
  const names = described.map(({ name }) => name)
  expect(operations.flatMap(({ tags }) => tags).filter((tag) => !names.includes(tag))).toEqual([])
})

test('each parameter is described, and the path’s are all there', () => {
  for (const [path, methods] of Object.entries(paths))
    for (const { operationId, parameters } of Object.values(methods)) {
      const named = parameters.filter(({ $ref }) => !$ref)
      expect([operationId, named.filter(({ description }) => !description)]).toEqual([operationId, []])
      const inPath = named.filter((one) => one.in === 'path').map(({ name }) => `{${name}}`)
      expect(inPath).toEqual(path.match(/\{\w+\}/g) ?? [])
    }
})

test('refusals follow from what a route declares', () => {
  const statuses = (method: string, path: string) => Object.keys(operation(method, path).responses).join(' ')
  expect(statuses('get', '/v1/cards')).toBe('200 400 401 402 403 406 429 431 500 503')
  expect(statuses('get', '/v1/cards/{id}')).toBe('200 301 304 400 401 402 403 404 406 429 431 500 503')
  expect(statuses('post', '/v1/cards')).toBe('201 400 401 402 403 406 409 413 415 422 429 431 500 503')
  expect(statuses('delete', '/v1/cards/{id}')).toBe('204 400 401 402 403 404 406 409 412 429 431 500 503')
  expect(statuses('get', '/version')).toBe('200 400 431 500 503')
})

test('every operation that takes a turn may be a 503, with TIMEOUT and SERVICE_UNAVAILABLE among the examples', () => {
  const all = Object.values(paths).flatMap((methods) => Object.values(methods))
  expect(all.filter(({ responses }) => !responses[503]).map(({ operationId }) => operationId)).toEqual([])
  const codes = Object.values(refusals[503]?.examples ?? {}).flatMap(({ errors }) => errors.map(({ code }) => code))
  expect(codes).toEqual(['SERVICE_UNAVAILABLE', 'TIMEOUT', 'OUTCOME_UNKNOWN', 'STORAGE_FULL', 'UNAVAILABLE'])
  expect(refusals[503]?.headers).toEqual(['Retry-After'])
})

test('every POST of the API takes an Idempotency-Key, with what it may be refused with, and nothing else does', () => {
  const takes = ({ parameters }: Operation) => parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'))
  for (const [path, methods] of Object.entries(paths))
    for (const [method, one] of Object.entries(methods)) {
      const isOne = method === 'post' && /^\/(v1|v2|internal)\//.test(path)
      expect([method, path, takes(one)]).toEqual([method, path, isOne])
      if (isOne) expect(Object.keys(one.responses)).toEqual(expect.arrayContaining(['400', '409', '422', '503']))
    }
})

test('every form of every answer has a schema, those that a route writes itself, too', () => {
  const bare = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, { content = {} }]) =>
      Object.entries(content).flatMap(([form, shown]) =>
        (shown as { schema?: object }).schema ? [] : [`${operationId} ${status} ${form}`],
      ),
    ),
  )
  expect(bare).toEqual([])
})

test('a created record’s answer has its address, and one that counts has the window', () => {
  const { headers } = operation('post', '/v1/cards').responses[201] ?? {}
  expect(Object.keys(headers ?? {})).toEqual(
    expect.arrayContaining([
      'Location',
      'X-Request-ID',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'X-RateLimit-Window',
    ]),
  )
  expect(Object.keys(operation('get', '/health').responses[200]?.headers ?? {})).toEqual(['X-Request-ID'])
})

test('who reads brings any credential with a read scope, who writes one with that scope, and the public none', () => {
  expect(operation('get', '/v1/stats/counts').security).toEqual([])
  expect(operation('get', '/v1/cards').security).toContainEqual({ subscriberKey: [] })
  const write = operation('post', '/v1/cards').security
  expect(write).toContainEqual({ oauth2: ['write'] })
  expect(write).not.toContainEqual({ subscriberKey: [] })
})

test('the token of a session is a scheme of its own, with which a generated client can write', () => {
  const { securitySchemes } = document.components as { securitySchemes: Record<string, unknown> }
  expect(securitySchemes.sessionToken).toMatchObject({ type: 'http', scheme: 'bearer' })
  const opened = operations.filter(({ security }) => security.some((one) => 'session' in one))
  expect(opened.length).toBeGreaterThan(100)
  for (const { operationId, security } of opened)
    expect([operationId, security]).toEqual([operationId, expect.arrayContaining([{ sessionToken: [] }]) as never])
})

test('a report that is also a table says so, and headers that are too long have their answer', () => {
  const { responses } = operation('get', '/internal/analytics/sales-readiness')
  expect(Object.keys(responses[200]?.content ?? {})).toEqual(['application/json', 'text/plain'])
  const { responses: shared } = document.components as { responses: Record<string, { content?: object }> }
  for (const { operationId, responses: own } of operations)
    expect([operationId, own[431]?.$ref]).toEqual([operationId, '#/components/responses/RequestHeaderFieldsTooLarge'])
  expect(shared.RequestHeaderFieldsTooLarge).not.toHaveProperty('content')
})

test('deprecated parameters and paths are marked, and their answers have the headers that say so', () => {
  const players = operation('get', '/v1/players')
  const deprecated = players.parameters.filter((one) => one.deprecated).map(({ name }) => name)
  expect(deprecated.sort()).toEqual(['first_name', 'full_name', 'last_name', 'limit', 'pageName'])
  expect(Object.keys(players.responses[200]?.headers ?? {})).toEqual(expect.arrayContaining(['Deprecation', 'Sunset']))
  for (const { deprecated, responses } of Object.values(paths['/v1/playerteams'] ?? {})) {
    expect(deprecated).toBe(true)
    const success = Object.values(responses).find(({ $ref }) => !$ref)
    expect(Object.keys(success?.headers ?? {})).toContain('Sunset')
  }
})

test('every numbered list of /v1 takes limit and pageName, which are deprecated, and shows meta.pagination', () => {
  const lists = Object.entries(paths).filter(
    ([path, { get }]) => path.startsWith('/v1/') && get?.responses[200]?.content && namesOf(get).has('page[number]'),
  )
  expect(lists.length).toBeGreaterThan(14)
  const members = answersIn(document as unknown as OpenApi)
  for (const [path, { get }] of [
    ...lists,
    ...Object.entries(paths).filter(([path]) => path === '/internal/audit-logs'),
  ]) {
    const old = (get?.parameters ?? []).flatMap(({ name, deprecated }) => (deprecated ? [name] : []))
    const wanted = path.startsWith('/v1/') ? ['limit', 'pageName'] : ['pageName']
    expect([path, old]).toEqual([path, expect.arrayContaining(wanted)])
    const meta = members.get(`GET ${path} 200`)?.find((one) => one.startsWith('meta='))
    expect([path, members.get(meta?.slice(5) ?? '')]).toEqual([path, expect.arrayContaining(['pagination.count'])])
  }
})

const namesOf = ({ parameters }: Operation) => new Set(parameters.map(({ name }) => name))

test('a parameter that filters a name is not narrower than the names, a list of relationships as long as is taken', () => {
  const byName = operation('get', '/v1/cards').parameters.find(({ name }) => name === 'filter[name]')
  expect(byName).toMatchObject({ schema: { type: 'string' } })
  expect(byName).not.toHaveProperty('schema.maxLength')
  const { schemas } = document.components as { schemas: Record<string, unknown> }
  const written = 'properties.data.properties.relationships.properties'
  for (const name of ['oncard', 'attributes'])
    expect(schemas.CardCreate).toHaveProperty(`${written}.${name}.properties.data.maxItems`, 100)
})

test('two schemas of one name that differ are refused', async () => {
  const route = (path: string, type: string) =>
    ({
      ...{ method: 'GET', path, operationId: path, summary: path, tag: 'Service', access: 'public' },
      answers: { 200: { description: 'ok', schema: { $id: 'Same', type } } },
      handle: () => ({ status: 200 }),
    }) as unknown as Route
  const config = { baseUrl: 'http://localhost', brand: 'cardstock', version: '1.0.0' }
  const written = (other: string) => openApiDocument([route('/a', 'string'), route('/b', other)], config)
  expect((await written('string')).paths).toHaveProperty(['/b', 'get'])
  await expect(written('integer')).rejects.toThrow('Same')
})

test('a second name of a parameter has no default and no example: a form that fills them in would send both', () => {
  const parameters = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ parameters = [] }) => parameters as { description?: string; example?: unknown; schema?: object }[])
  const second = parameters.filter(({ description = '' }) => /don’t send both/i.test(description))
  expect(second.length).toBeGreaterThan(20)
  expect(second.filter((one) => 'example' in one || 'default' in (one.schema ?? {}))).toEqual([])
})
