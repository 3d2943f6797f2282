import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Resolve } from '../../src/webhooks/deliveries/address.ts'
import { type Attempt, postDelivery } from '../../src/webhooks/deliveries/post.ts'
import { nameServer } from '../support/name-server.ts'
import { aReceiver } from '../support/receiver.ts'
import { selfSigned } from '../support/self-signed.ts'

const outgoing = { id: 'a delivery', signature: 'v1,none', seconds: 1_764_300_000, body: '{"type":"webhook.test"}' }
const strict = { webhookAllowPrivate: false, appEnv: 'production', brand: 'cardstock' } as const
const lenient = { ...strict, webhookAllowPrivate: true, appEnv: 'development' } as const

const send = (targetUrl: string, resolve: Resolve, terms: typeof strict | typeof lenient = lenient) =>
  postDelivery({ ...outgoing, targetUrl }, { ...terms, resolve, signal: new AbortController().signal })

const at =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses

describe('an address that isn’t public is refused at each delivery', () => {
  test.each([
    ['a name of this machine', ['127.0.0.1']],
    ['a name of the network', ['10.1.2.3']],
    ['a name of the cloud’s metadata', ['169.254.169.254']],
    ['a name of this machine in IPv6', ['::1']],
    ['a name with IPv4 in IPv6', ['::ffff:127.0.0.1']],
    ['a name of which one of many addresses is private', ['93.184.216.34', '2606:4700::1111', '192.168.0.1']],
  ])('%s', async (_, addresses) => {
    const attempt = await send('https://hooks.example/', at(...addresses), strict)
    expect(attempt).toEqual({ milliseconds: expect.any(Number), error: 'The name has an address that isn’t public.' })
  })
  test('http is not sent to, whatever is allowed, in production or beyond this machine', async () => {
    const receiver = aReceiver()
    const production = { ...lenient, appEnv: 'production' } as unknown as typeof strict
    expect((await send(receiver.url, at(), production)).error).toBe('Only https is sent to.')
    expect((await send('http://hooks.example/', at('93.184.216.34'))).error).toBe('Only https is sent to.')
    expect(receiver.messages).toEqual([])
  })
  test('a name without an address, or that doesn’t exist, is an error of its own', async () => {
    const missing = async () => {
      throw new Error('ENOTFOUND')
    }
    expect((await send('https://hooks.example/', at())).error).toBe('The name has no address.')
    expect((await send('https://hooks.example/', missing)).error).toBe('The name has no address.')
  })
})

describe('a name that changes its address', () => {
  test('is asked for once for each attempt, and the connection goes to the answer that was checked', async () => {
    const receiver = aReceiver()
    const { port } = new URL(receiver.url)
    const { resolve, asked } = await nameServer(() => [['127.0.0.1'], ['10.0.0.1']])
    const attempt = await send(`http://rebinding.example:${port}/hook`, resolve)
    expect([attempt.status, asked]).toEqual([204, ['rebinding.example']])
    expect(receiver.messages[0]?.headers.host).toBe(`rebinding.example:${port}`)
  })
  test('is refused at the attempt at which it is private', async () => {
    const receiver = aReceiver()
    const { port } = new URL(receiver.url)
    const { resolve, asked } = await nameServer(() => [['93.184.216.34', '127.0.0.1'], ['127.0.0.1']])
    for (const _ of [1, 2])
      expect((await send(`https://rebinding.example:${port}/`, resolve, strict)).error).toContain('isn’t public')
    expect([receiver.messages, asked.length]).toEqual([[], 2])
  })
})

const certificate = await selfSigned('hooks.example')

test.skipIf(!certificate)(
  'the certificate must be that of the name, which is also what the receiver is asked for',
  async () => {
    const hosts: string[] = []
    const server = Bun.serve({
      ...{ port: 0, hostname: '127.0.0.1', tls: { key: certificate?.key, cert: certificate?.cert } },
      fetch: (request) => {
        hosts.push(request.headers.get('host') ?? '')
        return new Response(null, { status: 204 })
      },
    })
    afterAll(() => server.stop(true))
    const trusting = async (name: string): Promise<Attempt> => {
      const script = join(import.meta.dir, '../support/post-once.ts')
      const env = { ...process.env, NODE_EXTRA_CA_CERTS: certificate?.certFile, HTTPS_PROXY: 'http://127.0.0.1:1' }
      return Bun.$`${process.execPath} ${script} https://${name}:${server.port}/`.env(env).quiet().json()
    }
    expect(await trusting('hooks.example')).toMatchObject({ status: 204 })
    expect((await trusting('other.example')).error).toBe('The connection failed (ERR_TLS_CERT_ALTNAME_INVALID).')
    expect((await send(`https://hooks.example:${server.port}/`, at('127.0.0.1'))).error).toMatch(
      /^The connection failed/,
    )
    expect(hosts).toEqual([`hooks.example:${server.port}`])
  },
)

test('a proxy of the environment is passed by', async () => {
  const [receiver, proxy] = [aReceiver(), aReceiver()]
  const before = process.env.HTTP_PROXY
  process.env.HTTP_PROXY = proxy.url
  expect((await send(receiver.url, at('127.0.0.1'))).status).toBe(204)
  if (before === undefined) delete process.env.HTTP_PROXY
  else process.env.HTTP_PROXY = before
  expect([receiver.messages.length, proxy.messages.length]).toEqual([1, 0])
})

describe('an answer', () => {
  test('that leads elsewhere is a failure, and nothing goes there', async () => {
    const other = aReceiver()
    const receiver = aReceiver(() => Response.redirect(other.url, 307))
    const attempt = await send(receiver.url, at('127.0.0.1'))
    expect([attempt.status, attempt.error]).toEqual([307, 'It answered 307. Redirects aren’t followed.'])
    expect(other.messages).toEqual([])
  })
  test('is kept up to 1,024 bytes, and the rest isn’t received', async () => {
    let sent = 0
    const endless = () =>
      new ReadableStream({
        pull: async (controller) => {
          controller.enqueue(new Uint8Array(65_536).fill(97))
          sent += 65_536
          await Bun.sleep(1)
        },
      })
    const receiver = aReceiver(() => new Response(endless()))
    const attempt = await send(receiver.url, at('127.0.0.1'))
    expect([attempt.status, attempt.answer, attempt.error]).toEqual([200, 'a'.repeat(1024), undefined])
    expect(sent).toBeLessThan(16 * 1024 * 1024)
  })
  test('that is compressed isn’t unpacked', async () => {
    const zipped = Bun.gzipSync(new Uint8Array(10_000_000))
    const receiver = aReceiver(() => new Response(zipped, { headers: { 'Content-Encoding': 'gzip' } }))
    const attempt = await send(receiver.url, at('127.0.0.1'))
    expect([attempt.status, attempt.answer?.length]).toEqual([200, expect.any(Number)])
    expect(attempt.answer?.length).toBeLessThanOrEqual(1024)
  })
  test('that doesn’t come within ten seconds is a failure', async () => {
    const receiver = aReceiver(() => new Promise<Response>(() => {}))
    const attempt = await send(receiver.url, at('127.0.0.1'))
    expect(attempt.error).toBe('No answer within 10 seconds.')
    expect(attempt.milliseconds).toBeGreaterThanOrEqual(9900)
  })
  test('from nobody is a failure', async () => {
    expect((await send('http://127.0.0.1:1/', at('127.0.0.1'))).error).toMatch(/^The connection failed/)
  })
})
