import { expect, setDefaultTimeout, test } from 'bun:test'
import { issueKey } from '../../src/access/credentials.ts'
import { agree, aUser } from '../support/callers.ts'
import { builtExecutable } from '../support/executable.ts'
import { freePort } from '../support/free-port.ts'
import { haveServer, isAlive, serviceOfMany } from '../support/service-of-many.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(240_000)

const runsHere = haveServer('several processes on one port')
const PORT = String(freePort())
const service = runsHere ? await serviceOfMany({ PORT }) : undefined
const many = await service?.startMany(2)

/** Requests on connections of their own, so that the kernel shares them out. */
const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${many?.address}${path}`, { headers: { ...headers, Connection: 'close' } })

test.skipIf(!many)('of 1,150 requests with a key for 1,000, two processes serve exactly 1,000', async () => {
  const key = await service?.withContext(async (context) => {
    const owner = await aUser(context, { status: 'active' })
    const { id, secret } = await issueKey(context.db, owner, context.config, context.clock.now(), 'starter')
    const now = context.clock.now()
    await agree(context.db, id, { limit: 1000, windowSeconds: 3600 }, { now, internalPoolLimit: 0 })
    return { Authorization: `Bearer ${secret}` }
  })
  const answers = await Promise.all(Array.from({ length: 1150 }, () => ask('/v1/genres', key)))
  const served = answers.filter(({ status }) => status === 200)
  expect([served.length, answers.filter(({ status }) => status === 429).length]).toEqual([1000, 150])
  expect(new Set(served.map(({ headers }) => headers.get('x-ratelimit-remaining'))).size).toBe(1000)
  await until(() => many?.events('request').length === 1150)
  expect(new Set(many?.events('request').map((line) => line.process))).toEqual(new Set([1, 2]))
})

test.skipIf(!many)('whichever process is scraped answers for all, and a new one takes no count back', async () => {
  const counted = async () => (await many?.scrape())?.sum('cardstock_http_requests_total', { route: '/version' })
  await Promise.all(Array.from({ length: 40 }, () => ask('/version')))
  expect(await Promise.all(Array.from({ length: 8 }, counted))).toEqual(Array.from({ length: 8 }, () => 40))
  const before = await many?.scrape()
  expect(before?.sum('cardstock_processes')).toBe(2)
  expect(before?.sum('cardstock_database_pool_connections')).toBe(16)
  expect(before?.sum('cardstock_build_info')).toBe(1)

  process.kill(many?.pids().get(2) as number, 'SIGKILL')
  await many?.listens(3)
  const after = await many?.scrape()
  expect(after?.sum('cardstock_http_requests_total', { route: '/version' })).toBe(40)
  expect(after?.sum('cardstock_processes')).toBe(2)
  expect(after?.sum('cardstock_processes_replaced_total')).toBe(1)
  for (const name of ['process_cpu_seconds_total', 'process_start_time_seconds'])
    expect([name, (after?.sum(name) ?? 0) >= (before?.sum(name) ?? 0)]).toEqual([name, true])
})

test.skipIf(!many)('a second service on the port fails, with several processes or one', async () => {
  for (const words of [['serve', '--processes', '2'], ['serve']]) {
    const second = service?.start(...words)
    expect(await second?.ended()).toBe(1)
    expect(second?.log()).toContain(`port ${PORT} (settings HOST and PORT): another process is using that port.\n`)
  }
})

test.skipIf(!many)('SIGTERM ends all processes, and the service exits 0', async () => {
  const pids = [...(many?.pids().values() ?? [])]
  expect([pids.length, pids.every(isAlive)]).toEqual([2, true])
  many?.child.kill('SIGTERM')
  expect(await many?.child.exited).toBe(0)
  expect(pids.some(isAlive)).toBe(false)
})

test.skipIf(!runsHere)('if the process that watches over them is killed, the others finish and end', async () => {
  const orphans = await service?.startMany(2)
  const pids = [...(orphans?.pids().values() ?? [])]
  orphans?.child.kill('SIGKILL')
  await until(() => !pids.some(isAlive))
  await until(() => orphans?.events('stopped').length === 2)
})

test.skipIf(!runsHere)('if none can start, the service says why and exits 1', async () => {
  const nowhere = await serviceOfMany({ PORT: '0' })
  await nowhere.withContext(
    ({ db }) => db.sql`insert into migrations (name, steps, finished_at) values ('9001_newer', 1, now())`,
  )
  const failed = nowhere.start('serve', '--processes', '2')
  expect(await failed.ended()).toBe(1)
  expect(failed.log()).toContain('does not know: 9001_newer.')
  expect(failed.log()).toEndWith('No process could start: the first one ended with exit code 1.\n')
})

test('on the embedded database, more than one process is refused in a sentence', async () => {
  const executable = await builtExecutable()
  const refused = (words: string[], env: Record<string, string> = {}) => {
    const { exitCode, stderr } = Bun.spawnSync([executable, ...words], { env: { DATA_DIR: '/nowhere', ...env } })
    return [exitCode, stderr.toString()]
  }
  const sentence =
    'Several processes need a PostgreSQL (DATABASE_URL): the embedded database belongs to one. See cardstock serve --help.\n'
  expect(refused(['serve', '--processes', '2'])).toEqual([2, sentence])
  expect(refused(['serve'], { PROCESSES: '2' })).toEqual([2, sentence])
  expect(refused(['serve', '--processes', 'many'])).toEqual([
    2,
    '--processes must be an integer from 1 to 128, or auto. See cardstock serve --help.\n',
  ])
})
