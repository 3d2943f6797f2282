import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { openDatabase } from '../../db/client.ts'
import { ownServer } from '../support/own-server.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(120_000)

const server = await ownServer('URLs with several hosts and Unix sockets')
afterAll(() => server?.remove())

const placeOf = (url = server?.url ?? '') => /@([^/]+)/.exec(url)?.[1] ?? ''

const portThrough = async (databaseUrl: string) => {
  const db = await openDatabase({ databaseUrl, dataDir: 'never-made', isBrief: true })
  const [row] = await db.sql<{ port: string }[]>`select current_setting('port') as port`.finally(() => db.close())
  return Number(row?.port)
}

describe.skipIf(!server)('a database is found', () => {
  const port = Number(placeOf().split(':')[1])

  test('behind a Unix socket, in both forms of a URL', async () => {
    const folder = server?.socketFolder ?? ''
    expect(await portThrough(`postgres:///postgres?host=${folder}&port=${port}&user=postgres`)).toBe(port)
    expect(await portThrough(`postgres://postgres@${encodeURIComponent(folder)}:${port}/postgres`)).toBe(port)
    await expect(portThrough(`postgres:///postgres?host=${folder}&port=1&user=postgres`)).rejects.toThrow(
      `The database cannot be reached: nothing listens at ${folder}/.s.PGSQL.1.`,
    )
  })

  test('on the host of several that is the primary, whichever comes first', async () => {
    const standby = await server?.standby()
    const hosts = ['127.0.0.1:1', standby?.hostAndPort, placeOf()]
    for (const list of [hosts, hosts.toReversed()])
      for (const parameters of ['', '?target_session_attrs=primary'])
        expect(await portThrough(`postgres://postgres@${list.join(',')}/postgres${parameters}`)).toBe(port)
    await expect(portThrough(`postgres://postgres@127.0.0.1:1,127.0.0.1:2/postgres`)).rejects.toThrow(
      'The database cannot be reached: nothing listens at',
    )
    await expect(portThrough(`postgres://postgres@127.0.0.1:1,${standby?.hostAndPort}/postgres`)).rejects.toThrow(
      'The database cannot be reached: none of its hosts is a primary.',
    )
  })

  test('on the standby once that is promoted, and one client goes on by itself', async () => {
    const standby = await server?.standby()
    const databaseUrl = `postgres://postgres@${placeOf()},${standby?.hostAndPort}/postgres`
    const db = await openDatabase({ databaseUrl, dataDir: 'never-made' })
    const ask = async () => (await db.sql`create temporary table if not exists written ()`).command
    await ask()
    await server?.stop('fast')
    expect(await ask().catch(() => 'away')).toBe('away')
    await standby?.promote()
    await until(async () => (await ask().catch(() => 'away')) !== 'away')
    await db.close()
    await server?.start()
  })
})
