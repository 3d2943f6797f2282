import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { openDatabase } from '../../db/client.ts'
import { ownServer } from '../support/own-server.ts'
import { startPgpool } from '../support/pgpool.ts'

setDefaultTimeout(120_000)

const server = await ownServer('pgpool in front of a primary and a standby')
const standby = await server?.standby()
const servers = [new URL(server?.url ?? 'postgres://nowhere').host, standby?.hostAndPort ?? '']
const balancing = server && (await startPgpool('a pgpool that balances', servers, 'on'))
const plain = server && (await startPgpool('a pgpool that does not balance', servers, 'off'))

afterAll(async () => {
  await balancing?.stop()
  await plain?.stop()
  await server?.remove()
})

const openThrough = (hostAndPort = '', isBrief = false) =>
  openDatabase({ databaseUrl: `postgres://postgres@${hostAndPort}/postgres`, dataDir: 'never-made', isBrief })

describe.skipIf(!balancing)('behind pgpool', () => {
  test('that balances, the start is refused with the setting to change', async () => {
    for (let times = 0; times < 5; times++)
      await expect(openThrough(balancing?.hostAndPort)).rejects.toThrow('Set load_balance_mode = off in pgpool.conf')
  })

  test('that does not balance, it serves', async () => {
    const db = await openThrough(plain?.hostAndPort)
    expect([...(await db.sql`select 1 as one`)]).toEqual([{ one: 1 }])
    await db.close()
  })
})
