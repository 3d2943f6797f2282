import { afterAll, describe, expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'

const app = await testApp()

describe('a request id', () => {
  test('is echoed, in the header and in the document of an error, and logged', async () => {
    const answer = await app.stranger().get('/v1/cards', { 'X-Request-ID': 'My-id_1.2' })
    expect(answer.headers.get('x-request-id')).toBe('My-id_1.2')
    expect(answer.meta).toEqual({ request_id: 'My-id_1.2' })
    expect(app.lines.at(-1)?.fields.request_id).toBe('My-id_1.2')
  })
  test('is made where it is missing or not as it should be', async () => {
    for (const id of [undefined, '', 'a b', 'é', 'x'.repeat(129), '<script>', '"']) {
      const answer = await app.reader.get('/v1/cards', id === undefined ? {} : { 'X-Request-ID': id })
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    }
  })
})

describe('hostile input', () => {
  test('in headers is no fault of the service', async () => {
    const long = 'a,'.repeat(4000)
    for (const headers of [
      { 'X-Forwarded-For': long },
      { 'X-Forwarded-For': '999.999.999.999, ::::' },
      { Authorization: long },
      { Authorization: 'Bearer ' },
      { Authorization: 'Bearer a.b.c' },
      { Authorization: `Bearer ${btoa('{"alg":"none"}')}.${btoa('{}')}.` },
      { Cookie: ';;;=;cardstock_session' },
      { Cookie: `cardstock_session=${long}` },
      { Accept: long },
      { Accept: ';;;' },
      { Accept: '"' },
      { 'Content-Length': '-1' },
      { 'Content-Length': 'many' },
      { 'If-None-Match': '*' },
      { Origin: 'null' },
    ] as Record<string, string>[]) {
      const answer = await app.stranger().get('/v1/cards', headers)
      expect(answer.status).toBeLessThan(500)
      expect(answer.headers.get('x-request-id')).not.toBeNull()
    }
  })
  test('in a path is no fault of the service', async () => {
    for (const path of [
      '/v1/cards/%zz',
      '/v1/cards/%E0%A4%A',
      '/v1/cards/%00',
      '/v1/cards/%2F',
      '//v1/cards',
      '/v1//cards',
      '/v1/cards/',
      '/v1/cards//',
      '/V1/cards',
      '/v1/cards;x',
      '/v1/__proto__',
      '/v1/players/%zz/cards',
      `/v1/cards/${'9'.repeat(5000)}`,
    ]) {
      const answer = await app.reader.get(path)
      expect([path, answer.status]).toEqual([path, 404])
      expect(answer.faults).toEqual(['NOT_FOUND'])
    }
  })
  test('in a query is refused as such', async () => {
    for (const query of ['%zz=1', 'page=%E0%A4', 'page=%00', '__proto__=1', 'filter[__proto__]=1', 'page[a]=1', '='])
      expect([query, (await app.reader.get(`/v1/cards?${query}`)).status]).toEqual([query, 400])
  })
  test('as a method is 405 on a path that exists and 404 elsewhere', async () => {
    for (const method of ['PUT', 'PROPFIND', 'TRACE']) {
      expect((await app.reader.send(method, '/v1/cards')).status).toBe(405)
      expect((await app.reader.send(method, '/v1/nowhere')).status).toBe(404)
    }
  })
})

describe('an Accept', () => {
  test('that names application/json and not JSON:API gets JSON:API', async () => {
    for (const accept of ['application/json', 'application/json; charset=utf-8', 'text/html, application/json;q=0.9']) {
      for (const path of ['/v1/cards', '/v2/cards', '/v1/me', '/internal/jobs']) {
        const answer = await app.operator.get(path, { Accept: accept })
        expect([path, accept, answer.status]).toEqual([path, accept, 200])
        expect(answer.headers.get('content-type')).toStartWith('application/vnd.api+json')
      }
    }
  })
  test('that leaves no room for JSON:API is a 406', async () => {
    for (const accept of ['text/html', 'application/json;q=0', 'application/json, application/vnd.api+json;q=0'])
      expect([accept, (await app.operator.get('/v1/cards', { Accept: accept })).status]).toEqual([accept, 406])
  })
})

describe('over a connection', () => {
  const server = app.context.config && Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: app.fetch })
  afterAll(() => server.stop(true))

  /** Sends the head of a request, and returns the head of the answer. */
  const headOf = (lines: string[]) => {
    const { promise, resolve } = Promise.withResolvers<string>()
    let read = ''
    const socket = {
      open: (to: { write: (text: string) => void }) => void to.write(`${lines.join('\r\n')}\r\n\r\n`),
      data: (_: unknown, bytes: Uint8Array) => {
        read += new TextDecoder().decode(bytes)
      },
      close: () => resolve(read.split('\r\n\r\n')[0] ?? ''),
    }
    void Bun.connect({ hostname: '127.0.0.1', port: server.port ?? 0, socket })
    return promise
  }

  test('an answer to HEAD has the Date that one to GET has', async () => {
    for (const path of ['/health', '/version', '/v1/cards', '/v1/nowhere', '/sets']) {
      const head = await headOf([`HEAD ${path} HTTP/1.1`, 'Host: cards.example.org', 'Connection: close'])
      expect([path, head.match(/^date: .* GMT$/gim)?.length]).toEqual([path, 1])
      expect(Math.abs(Date.parse(/^date: (.*)$/im.exec(head)?.[1] ?? '') - Date.now())).toBeLessThan(60_000)
    }
  })
  test('two Host headers are a 400, alike or not, whatever is asked', async () => {
    for (const second of ['cards.example.org', 'evil.example'])
      for (const ask of [
        'GET /v1/cards',
        'GET /health',
        'POST /v1/session',
        'OPTIONS /v1/cards',
        'GET /v1/nowhere',
        'GET /',
      ]) {
        const hosts = ['Host: cards.example.org', `Host: ${second}`]
        expect([ask, await headOf([`${ask} HTTP/1.1`, ...hosts, 'Content-Length: 0', 'Connection: close'])]).toEqual([
          ask,
          expect.stringMatching(/^HTTP\/1.1 400 /),
        ])
      }
  })
})

describe('HEAD', () => {
  test('is answered like GET, without the body', async () => {
    const [get, head] = [await app.reader.get('/v1/cards'), await app.reader.send('HEAD', '/v1/cards')]
    expect(head.status).toBe(200)
    expect(head.text).toBe('')
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)))
    expect((await app.stranger().send('HEAD', '/v1/cards')).status).toBe(401)
    expect((await app.reader.send('HEAD', '/v1/nowhere')).status).toBe(404)
  })
})

describe('a preflight', () => {
  test('is answered without a credential, with the methods of the path', async () => {
    const answer = await app.stranger().send('OPTIONS', '/v1/cards', {
      headers: {
        Origin: 'https://elsewhere.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, OPTIONS')
    expect(answer.headers.get('access-control-allow-headers')).toBe('authorization,content-type')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect((await app.stranger().send('OPTIONS', '/v1/nowhere')).status).toBe(404)
  })
})

describe('an answer', () => {
  test('to one caller is not kept for another', async () => {
    const { headers } = await app.reader.get('/v1/cards')
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(headers.get('vary')).toBe('Authorization, Cookie, Accept, X-Cardstock-Ignore-Status')
  })
  test('from a host with a short name is the same', async () => {
    const request = new Request('http://a/v1/cards', { headers: app.headers.reader })
    expect((await app.fetch(request)).status).toBe(200)
    expect((await app.fetch(new Request('http://a/v1/cards/x', { headers: app.headers.reader }))).status).toBe(404)
  })
  test('at a deprecated path says so, refusals too', async () => {
    for (const answer of [await app.reader.get('/v1/playerteams'), await app.stranger().get('/v1/playerteams')]) {
      const deprecation = answer.headers.get('deprecation') ?? ''
      expect(deprecation).toMatch(/^@\d+$/)
      expect(Date.parse(answer.headers.get('sunset') ?? '')).toBeGreaterThan(Number(deprecation.slice(1)) * 1000)
    }
    expect((await app.reader.get('/v1/player-teams')).headers.get('deprecation')).toBeNull()
  })
})
