import { afterAll, expect, test } from 'bun:test'
import { issueCredential } from '../../src/access/credentials.ts'
import { postDelivery } from '../../src/webhooks/deliveries/post.ts'
import { testApp } from '../support/app.ts'
import { aUser, clientWith } from '../support/callers.ts'
import { aWebhook, delivering } from '../support/delivering.ts'
import { factories } from '../support/factories.ts'
import { nameServer } from '../support/name-server.ts'
import { until } from '../support/until.ts'

/** Hosts that look as if they were elsewhere, and aren't public. Names are of the test's own name server. */
const disguises = {
  'this machine': [
    ...['127.0.0.1', '127.0.0.1.', '127.1', '127.0.1', '127.8.9.10', '127.255.255.254', '0', '0.0.0.0', '0x0'],
    ...['2130706433', '0x7f000001', '0x7F.0x0.0x0.0x1', '0x7f.1', '017700000001', '0177.0.0.1', '00000177.0.1'],
    ...['127.0x0.00.1', '１２７．０．０．１', '127。0。0。1', '①②⑦.⓪.⓪.①', '%31%32%37.0.0.1', '0x7f%2e1'],
  ],
  'this machine in IPv6': [
    ...['[::1]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
    ...['[0:0:0:0:0:FFFF:7F00:0001]', '[::127.0.0.1]', '[::ffff:0:127.0.0.1]', '[64:ff9b::7f00:1]'],
    ...['[64:ff9b:1::127.0.0.1]', '[2002:7f00:1::]', '[2001:0:7f00:1::]'],
  ],
  'networks of its own': [
    ...['10.1.2.3', '172.31.255.254', '192.168.1.1', '3232235777', '0xc0a80101', '0300.0250.1.1', '100.64.0.1'],
    ...['[fc00::1]', '[fd12:3456::1]', '[fe80::1]', '[fec0::1]', '[::ffff:10.1.2.3]', '[2002:c0a8:101::1]'],
  ],
  'data of a cloud': [
    ...[
      '169.254.169.254',
      '2852039166',
      '0xa9fea9fe',
      '0251.0376.0251.0376',
      '169.16689662',
      '[::ffff:169.254.169.254]',
    ],
    ...['[fd00:ec2::254]', '100.100.100.200', '192.0.0.192', '[64:ff9b::a9fe:a9fe]'],
  ],
  nowhere: ['198.18.0.1', '192.0.2.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '[ff02::1]', '[2001:db8::1]'],
}

const [elsewhere, elsewhereInV6] = ['93.184.216.34', '2606:4700::1111']
const names: Record<string, string[][]> = {
  'localhost.example': [['127.0.0.1']],
  'xn--lcalhost-54a.example': [['127.0.0.1']],
  'mixed.example': [[elsewhere, '10.0.0.1']],
  'mixed-families.example': [[elsewhere, '::1']],
  'inner.example': [['::1']],
  'mapped.example': [['::ffff:127.0.0.1']],
  'translated.example': [['64:ff9b::7f00:1']],
  'tunneled.example': [['2002:7f00:1::', elsewhereInV6]],
  'cloud.example': [['169.254.169.254']],
  'turning.example': [[elsewhere, '127.0.0.1'], ['127.0.0.1']],
  'turning-back.example': [['127.0.0.1'], ['10.0.0.1']],
  localhost: [['127.0.0.1']],
  'inner.localhost': [['127.0.0.1']],
}

const app = await testApp()
const server = await nameServer((name) => names[name] ?? [])
delivering(app, server.resolve)

/** A door that counts who comes to it, at every address of this machine. */
const aDoor = () => {
  const door = { port: 0, visits: 0 }
  const open = (hostname: string, port: number) =>
    Bun.listen({
      ...{ hostname, port },
      socket: {
        open: (socket) => {
          door.visits++
          socket.terminate()
        },
        data: () => {},
      },
    })
  const inV4 = open('0.0.0.0', 0)
  door.port = inV4.port
  const inV6 = open('::1', door.port)
  afterAll(() => {
    inV4.stop(true)
    inV6.stop(true)
  })
  return door
}

/** A client of a new account, which has 20 webhooks at most. */
const anAccount = async () => {
  const { db, config, clock } = app.context
  const { secret } = await issueCredential(db, 'session', await aUser(app.context), config, clock.now())
  return clientWith(app.fetch, app.baseUrl, { Authorization: `Bearer ${secret}` })
}

const hosts = [...Object.values(disguises).flat(), ...Object.keys(names)]

test('nothing goes to an address that isn’t public, in whatever disguise', async () => {
  const door = aDoor()
  const made: { host: string; id: string }[] = []
  let client = await anAccount()
  for (const [n, host] of hosts.entries()) {
    if (n % 20 === 19) client = await anAccount()
    made.push({ host, ...(await aWebhook(client, `https://${host}:${door.port}/hook`, ['set.published'])) })
  }
  await factories(app).set({ status: 'published' })
  type Outcome = { id: string; error: string; attempts: number }
  const outcomes = async () => [
    ...(await app.db.sql<Outcome[]>`
      select webhook_id as id, error, attempts from webhook_deliveries where error is not null`),
  ]
  await until(async () => (await outcomes()).length === hosts.length)
  // What was refused is refused again, and whoever has another address by now is asked for it.
  await app.db.sql`update webhooks set due_at = null`
  await app.db.notify('webhooks')
  const twice = async () => (await outcomes()).filter(({ attempts }) => attempts > 1)
  await until(async () => (await twice()).length === hosts.length)
  const errors = new Map((await outcomes()).map(({ id, error }) => [id, error]))
  const refused = 'The name has an address that isn’t public.'
  expect(made.map(({ host, id }) => [host, errors.get(id)])).toEqual(made.map(({ host }) => [host, refused]))
  expect(door.visits).toBe(0)
  expect(new Set(server.asked)).toEqual(new Set(Object.keys(names)))
  for (const turning of ['turning.example', 'turning-back.example'])
    expect(server.asked.filter((name) => name === turning).length).toBe(2)
  // The door is open: whoever is allowed to comes in.
  const terms = { webhookAllowPrivate: true, appEnv: 'development', brand: 'cardstock' } as const
  const outgoing = { id: 'a delivery', signature: 'v1,none', seconds: 1, body: '{}' }
  for (const host of ['127.0.0.1', '[::1]', '0x7f.1'])
    await postDelivery(
      { ...outgoing, targetUrl: `https://${host}:${door.port}/` },
      { ...terms, resolve: server.resolve, signal: new AbortController().signal },
    )
  expect(door.visits).toBe(3)
})

test('the list of disguises has fifty and more, each of them once', () => {
  expect(hosts.length).toBeGreaterThanOrEqual(50)
  expect(new Set(hosts).size).toBe(hosts.length)
})
