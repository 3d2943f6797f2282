import { describe, expect, test } from 'bun:test'
import { brotliDecompressSync } from 'node:zlib'
import { jsonApi } from '../../../src/jsonapi/negotiate.ts'
import { testApp } from '../../support/app.ts'

const app = await testApp()
const get = (path: string, headers: Record<string, string> = {}) =>
  app.fetch(new Request(`${app.baseUrl}${path}`, { headers }))

test('GET /openapi.json is an OpenAPI document of this service for whoever asks, and counts on no window', async () => {
  const answer = await get('/openapi.json')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.headers.has('x-ratelimit-limit')).toBe(false)
  expect(await answer.json()).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'Cardstock' },
    servers: [{ url: app.baseUrl }],
    paths: { '/v1/cards/{id}': { get: { operationId: 'getCard' } }, '/openapi.json': { get: {} } },
  })
})

test('GET /openapi.json is compressed for who takes that, and for nobody else', async () => {
  const plain = await get('/openapi.json')
  const zipped = await get('/openapi.json', { 'accept-encoding': 'gzip, deflate' })
  const brotli = await get('/openapi.json', { 'accept-encoding': 'gzip, deflate, br, zstd' })
  const refused = await get('/openapi.json', { 'accept-encoding': 'gzip;q=0, br; q=0.0' })
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(refused.headers.get('content-encoding')).toBeNull()
  expect([zipped, brotli].map(({ headers }) => headers.get('content-encoding'))).toEqual(['gzip', 'br'])
  const text = await plain.text()
  expect(new TextDecoder().decode(Bun.gunzipSync(await zipped.bytes()))).toBe(text)
  expect(brotliDecompressSync(await brotli.bytes()).toString()).toBe(text)
})

describe('GET /openapi.json?media=json', () => {
  type Forms = Record<string, { schema?: object; example?: unknown }>
  const withoutForms = (text: string) => JSON.parse(text, (name, value) => (name === 'content' ? undefined : value))
  const formsIn = (text: string) => {
    const found: Forms[] = []
    JSON.parse(text, (name, value) => {
      if (name === 'content' && Object.keys(value).some((one) => one.includes('/'))) found.push(value)
      return value
    })
    return found
  }

  test('is the same document with application/json in place of JSON:API’s media type', async () => {
    const [plain, json] = [
      await app.anonymous.get('/openapi.json'),
      await app.anonymous.get('/openapi.json?media=json'),
    ]
    expect(withoutForms(json.text)).toEqual(withoutForms(plain.text))
    const [before, after] = [formsIn(plain.text), formsIn(json.text)]
    expect([after.length, before.flatMap(Object.keys).filter((one) => one.startsWith(jsonApi)).length > 400]).toEqual([
      before.length,
      true,
    ])
    for (const [at, forms] of before.entries()) {
      const names = Object.keys(forms).map((one) => (one.startsWith(jsonApi) ? 'application/json' : one))
      expect(Object.keys(after[at] ?? {})).toEqual([...new Set(names)])
      for (const [name, form] of Object.entries(forms))
        if (Object.keys(forms).length === 1) expect(Object.values(after[at] ?? {})).toEqual([form])
        else if (!name.includes('json')) expect(after[at]?.[name]).toEqual(form)
    }
  })

  test('says so where an answer has two forms in JSON', async () => {
    const { paths } = JSON.parse((await app.anonymous.get('/openapi.json?media=json')).text)
    const { content } = paths['/mcp'].post.responses[400]
    expect(content['application/json'].schema.anyOf).toEqual(
      ['ErrorDocument', 'McpMessage'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
    )
  })

  test('is kept as long as the plain one, and compressed', async () => {
    const kept = ({ headers }: Response) => ['cache-control', 'vary', 'content-type'].map((name) => headers.get(name))
    const answer = await get('/openapi.json?media=json')
    expect(kept(answer)).toEqual(kept(await get('/openapi.json')))
    const zipped = await get('/openapi.json?media=json', { 'accept-encoding': 'gzip' })
    expect(new TextDecoder().decode(Bun.gunzipSync(await zipped.bytes()))).toBe(await answer.text())
    const head = await app.fetch(new Request(`${app.baseUrl}/openapi.json?media=json`, { method: 'HEAD' }))
    expect([head.status, kept(head)]).toEqual([200, kept(answer)])
  })

  test('with another value, twice or misspelt is a 400 that names what there is', async () => {
    const refusals = {
      'media=xml': ['media', 'Must be one of json.'],
      'media=': ['media', 'Must be one of json.'],
      'media=json&media=json': ['media', 'Must be sent only once.'],
      'medai=json': ['medai', 'This endpoint has no such parameter. Did you mean media?'],
    }
    for (const [query, [parameter, detail]] of Object.entries(refusals)) {
      const { status, document } = await app.anonymous.get(`/openapi.json?${query}`)
      const [error] = document.errors ?? []
      expect([query, status, error?.source?.parameter, error?.detail]).toEqual([query, 400, parameter, detail])
    }
  })
})

test('the page at /docs loads nothing but files of the service, and its policy allows nothing else', async () => {
  const answer = await get('/docs')
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('unsafe')
  const page = await answer.text()
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/i)
  const loaded = [...page.matchAll(/<(?:script|link(?! rel="canonical"))[^>]*\b(?:src|href)="([^"]+)"/g)].map(
    ([, address]) => address ?? '',
  )
  const files = loaded.filter((address) => address !== 'data:,')
  expect(files.length).toBe(4)
  for (const file of files) {
    expect(file).toStartWith('docs/assets/')
    const asset = await get(`/${file}`)
    expect(asset.status).toBe(200)
    expect(asset.headers.get('content-type')).toMatch(file.endsWith('.js') ? /^text\/javascript/ : /^text\/css/)
    expect((await asset.text()).length).toBeGreaterThan(100)
  }
})

test('a file that the page does not have is a 404, whatever its name', async () => {
  for (const name of ['nothing.js', '..%2f..%2fpackage.json', '__proto__', 'constructor'])
    expect((await get(`/docs/assets/${name}`)).status).toBe(404)
})

test('another brand and address stand in the document of their service', async () => {
  const own = await testApp({ environment: { BRAND: 'binder', BASE_URL: 'https://cards.example.org' } })
  const text = await (await own.fetch(new Request('https://cards.example.org/openapi.json'))).text()
  expect(text).not.toContain('cardstock_')
  expect(text).not.toContain('X-Cardstock')
  expect(text).toContain('X-Binder-Ignore-Status')
  expect(text).toContain('__Host-binder_session')
  expect(text).toContain('https://cards.example.org/oauth/token')
})

test('every reference of the document leads to something within it, as the page expects', async () => {
  const { text } = await app.anonymous.get('/openapi.json')
  const spec = JSON.parse(text) as object
  const references = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => reference))
  const lead = (reference: string) =>
    reference
      .slice(2)
      .split('/')
      .reduce<unknown>((inner, name) => (inner as Record<string, unknown>)?.[name], spec)
  expect(references.size).toBeGreaterThan(100)
  expect([...references].filter((one) => !one.startsWith('#/') || !lead(one))).toEqual([])
})
