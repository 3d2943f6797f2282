import { expect, test } from 'bun:test'
import { runningCommands } from '../../commands/running.ts'
import { testApp, testBaseUrl } from '../../support/app.ts'
import { clientWith } from '../../support/callers.ts'
import { allOf, endOfFeed, reachable, secretOf } from '../../support/mirrored.ts'
import { serviceProcesses } from '../../support/service-process.ts'
import { until } from '../../support/until.ts'
import { writers } from '../../support/writers.ts'

const source = await testApp()
const there = reachable(source)
const processes = await serviceProcesses({ BASE_URL: testBaseUrl })
const words = ['mirror', there.url, '--token', secretOf(source.headers.reader)]

const rows = Array.from(
  { length: 2500 },
  (_, n) => `Baseball,1989,Upper Deck,Set ${n % 40},${n},Player ${n % 700},Team ${n % 30}`,
)
const csv = `genre,year,brand,set,number,player,team\n${rows.join('\n')}\n`
await runningCommands(source.context, csv)('import', '-', '--publish')
await there.makeFiles()

type Served = Awaited<ReturnType<typeof processes.serve>>

const clientOf = ({ address }: Served) => clientWith((request) => fetch(request), address, processes.operator)
/** What /health knows of the mirror: nothing, while a service has just started and its database is busy. */
const healthOf = async (served: Served) =>
  ((await clientOf(served).get('/health')).document as unknown as { mirror?: { cursor: string | null } }).mirror
const kill = async ({ child }: Pick<Served, 'child'>) => {
  child.kill('SIGKILL')
  await child.exited
}
const ran = async (...line: string[]) => {
  const { child, log } = processes.start(...line)
  return { exit: await child.exited, log: log() }
}
const isSame = async (served: Served) => {
  await until(async () => (await healthOf(served))?.cursor === (await endOfFeed(source)))
  expect(Bun.deepEquals(await allOf(clientOf(served)), await allOf(source.reader))).toBe(true)
}

test('a damaged file is logged with both checksums and refused, and taken when it is whole', async () => {
  let isDamaged = true
  let whole = 0
  there.between.answer = async (url, request) => {
    if (!url.pathname.endsWith('/cards.ndjson.gz') || (!isDamaged && ++whole)) return source.fetch(request)
    const bytes = await (await source.fetch(request)).bytes()
    bytes.fill(0, -9)
    return new Response(bytes)
  }
  const served = await processes.serve(...words)
  await until(() => served.log().includes('bulk_file_damaged'))
  const [, line = ''] = /(\{[^\n]*bulk_file_damaged[^\n]*\})/.exec(served.log()) ?? []
  const listed = (await source.reader.get('/v2/bulk')).many.find(({ attributes }) => attributes.resource === 'cards')
  const { expected_sha256: expected, actual_sha256: actual } = JSON.parse(line)
  expect([expected, actual === expected, actual.length]).toEqual([listed?.attributes.sha256, false, 64])
  expect((await clientOf(served).get('/v2/cards')).many).toEqual([])
  isDamaged = false
  await until(() => whole > 0)
  await kill(served)
  there.between.answer = undefined
})

test('killed while it is filled and while it follows, it goes on and ends as its source is', async () => {
  for (const milliseconds of [150, 450, 900]) {
    const served = await processes.serve(...words)
    await Bun.sleep(milliseconds)
    await kill(served)
  }
  const filled = await processes.serve(...words)
  await until(async () => typeof (await healthOf(filled))?.cursor === 'string')
  const writer = await writers(source, 40)
  const writing = writer(7)
  await Bun.sleep(300)
  await kill(filled)
  await writing
  const last = await processes.serve(...words)
  await isSame(last)
  await kill(last)
  const drift = await processes.withContext(async ({ db }) => [
    ...(await db.sql`select what, place from drift limit 9`),
  ])
  expect(drift).toEqual([])
}, 300_000)

test('another address ends with 1, and a later serve stays read-only until the mirror is stopped', async () => {
  const other = await ran('mirror', 'http://127.0.0.1:9', '--key', 'x')
  expect([other.exit, other.log]).toEqual([1, expect.stringContaining(`mirrors ${there.url}`)])
  const imported = await ran('import', 'none.csv')
  expect([imported.exit, imported.log]).toEqual([1, expect.stringContaining('mirrors another service')])
  const served = await processes.serve()
  const client = clientOf(served)
  const write = () => client.post('/v1/brands', { data: { type: 'brands', attributes: { name: 'Own' } } })
  expect((await write()).faults).toEqual(['READ_ONLY_MIRROR'])
  expect((await ran('mirror', '--stop')).exit).toBe(0)
  expect((await write()).status).toBe(201)
  expect(((await client.get('/health')).document as { mirror?: unknown }).mirror).toBeUndefined()
  await kill(served)
  const again = await ran(...words)
  expect([again.exit, again.log]).toEqual([1, expect.stringContaining('has another catalog')])
}, 240_000)

test('wrong words are wrong usage; a credential that the source refuses ends with 1', async () => {
  expect((await ran('mirror')).exit).toBe(2)
  expect((await ran('mirror', 'cards.example.org', '--key', 'x')).exit).toBe(2)
  expect((await ran('mirror', there.url)).exit).toBe(2)
  expect((await ran('mirror', there.url, '--key', 'x', '--token', 'y')).exit).toBe(2)
})
