import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Queryable } from '../../../db/client.ts'
import { builtExecutable } from '../../support/executable.ts'
import { keepAsking } from '../../support/keep-alive.ts'
import { haveServer, isAlive, serviceOfMany } from '../../support/service-of-many.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(240_000)

const runsHere = haveServer('processes that are killed and replaced under load')
const folder = mkdtempSync(join(tmpdir(), 'cardstock-executable-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const executable = join(folder, 'cardstock')
if (runsHere) copyFileSync(await builtExecutable(), executable)
const service = runsHere ? await serviceOfMany({ SHUTDOWN_DELAY_MS: '2000' }, executable) : undefined
const many = await service?.startMany(2)
const address = many?.address ?? ''
const headers = service?.operator
const pidOf = (number: number) => many?.pids().get(number) as number

/** Has 16 callers do something again and again while something else happens, and gives what each time came to. */
const meanwhile = async <T>(ask: () => Promise<T>, happens: () => Promise<unknown>): Promise<T[]> => {
  let isOver = false
  const came: T[] = []
  const callers = Array.from({ length: 16 }, async () => {
    while (!isOver) came.push(await ask())
  })
  await until(() => came.length > 200)
  await happens()
  const since = came.length
  await until(() => came.length > since + 200)
  isOver = true
  await Promise.all(callers)
  return came
}

/** A request on a connection of its own, which is answered in whole or not at all. */
const askOnce = async (path: string): Promise<string> => {
  const { hostname, port, host } = new URL(address)
  const closed = Promise.withResolvers<void>()
  let text = ''
  try {
    const socket = await Bun.connect({
      ...{ hostname, port: Number(port) },
      socket: {
        data: (_, piece) => {
          text += piece.toString('latin1')
        },
        close: () => closed.resolve(),
      },
    })
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    await closed.promise
    return /^HTTP\/1\.1 (\d+)[\s\S]*\r\n\r\n\{.*\}$/.exec(text)?.[1] ?? 'no answer'
  } catch {
    return 'no connection'
  }
}

test.skipIf(!runsHere)('kill -9 of one process after the other costs a client that tries twice nothing', async () => {
  const ask = async () => (await fetch(`${address}/v1/genres`, { headers })).status
  const statuses = await meanwhile(
    () => ask().catch(ask),
    async () => {
      for (const number of [1, 2, 1]) {
        const listening = many?.events('listening').length ?? 0
        process.kill(pidOf(number), 'SIGKILL')
        await many?.listens(listening + 1)
      }
    },
  )
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(many?.events('process ended').map((line) => line.signal)).toEqual(['SIGKILL', 'SIGKILL', 'SIGKILL'])
})

test.skipIf(!runsHere)(
  'an executable that does not start leaves the old processes serving, until there is one that does',
  async () => {
    const before = [pidOf(1), pidOf(2)]
    renameSync(executable, `${executable}.good`)
    writeFileSync(executable, '#!/bin/sh\nexit 3\n')
    chmodSync(executable, 0o755)
    many?.child.kill('SIGHUP')
    await until(() => many?.events('restart given up').length === 1)
    expect([pidOf(1), pidOf(2)].map(isAlive)).toEqual([true, true])

    const ended = many?.events('process ended').length ?? 0
    process.kill(pidOf(2), 'SIGKILL')
    const pauses = () => (many?.events('process ended') ?? []).slice(ended).map((line) => Number(line.next_in_seconds))
    await until(() => pauses().at(-1) === 2)
    expect(pauses().slice(-2)).toEqual([1, 2])
    expect(await askOnce('/version')).toBe('200')
    renameSync(`${executable}.good`, executable)
    await until(() => pidOf(2) !== before[1])
    expect(await (await many?.scrape())?.sum('cardstock_processes')).toBe(2)
  },
)

test.skipIf(!runsHere)(
  'a process that starts beside others reads what searches remember before it listens',
  async () => {
    const listening = () => many?.events('listening').length ?? 0
    const before = listening()
    await service?.withContext(({ db }) =>
      db.transaction(async (tx) => {
        await tx.sql`lock table players in access exclusive mode`
        process.kill(pidOf(2), 'SIGKILL')
        await until(async () => (await waitingForLocks(db)) > 0)
        expect(listening()).toBe(before)
      }),
    )
    await many?.listens(before + 1)
  },
)

const waitingForLocks = async ({ sql }: Queryable) => {
  const [row] = await sql<{ waiting: number }[]>`
    select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return row?.waiting ?? 0
}

test.skipIf(!runsHere)(
  'SIGHUP replaces all processes, and neither it nor SIGTERM loses a request on new or kept connections',
  async () => {
    const before = [pidOf(1), pidOf(2)]
    let isOver = false
    const kept = Array.from({ length: 8 }, async () => {
      const ends: string[] = []
      while (!isOver) ends.push((await keepAsking(address, '/version')).end)
      return ends
    })
    const answers = await meanwhile(
      () => askOnce('/version'),
      async () => {
        many?.child.kill('SIGHUP')
        await until(() => many?.events('restarted').length === 1)
      },
    )
    expect(before.some(isAlive)).toBe(false)
    isOver = true
    many?.child.kill('SIGTERM')
    const ends = (await Promise.all(kept)).flat()
    expect(new Set(answers)).toEqual(new Set(['200']))
    expect(new Set(ends)).toEqual(new Set(['told to close']))
    expect(await many?.child.exited).toBe(0)
  },
)
