import { afterAll, describe, expect, test } from 'bun:test'
import { type AddressInfo, connect, createServer } from 'node:net'
import { openDatabase } from '../../db/client.ts'
import { openPostgres } from '../../db/postgres.ts'
import { ownServer } from '../support/own-server.ts'

const server = await ownServer('which databases are refused at the start')
afterAll(() => server?.remove())

const open = (databaseUrl: string) => openDatabase({ databaseUrl, dataDir: 'never-made' })

describe.skipIf(!server)('at the start', () => {
  const url = server?.url ?? ''

  test('a database that knows only ASCII is refused with a line that makes a better one', async () => {
    const db = openPostgres({ url, poolSize: 1 })
    await db.sql.unsafe(`create database plain template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`)
    await db.close()
    const plain = url.replace(/postgres$/, 'plain')
    await expect(open(plain)).rejects.toThrow(/createdb --template=template0 --encoding=UTF8 .* plain_utf8$/)
  })

  test('a database that is missing is refused with a line that makes it', async () => {
    await expect(open(url.replace(/postgres$/, 'missing'))).rejects.toThrow(
      '"missing" does not exist. Create it with createdb',
    )
  })

  test('a server that is not there is refused with its address', async () => {
    for (const [host, told] of [
      ['127.0.0.1:1', 'nothing listens at 127.0.0.1:1.'],
      ['[::1]:1', 'nothing listens at ::1:1.'],
      ['nowhere.invalid', 'no address of nowhere.invalid was found.'],
    ])
      await expect(open(`postgres://postgres@${host}/cardstock`)).rejects.toThrow(
        `The database cannot be reached: ${told}`,
      )
  })

  test('an IPv6 address is reached', async () => {
    const { hostname, port } = new URL(url)
    const relay = createServer((socket) => {
      const onward = connect(Number(port || 5432), hostname)
      socket.pipe(onward).pipe(socket)
      for (const one of [socket, onward]) one.on('error', () => {})
    })
    await new Promise<void>((resolve) => relay.listen(0, '::1', resolve))
    const { port: own } = relay.address() as AddressInfo
    const db = await open(url.replace(/@[^/]+/, `@[::1]:${own}`))
    expect([...(await db.sql`select 1 as one`)]).toEqual([{ one: 1 }])
    await db.close()
    relay.close()
  })

  test('a fit database opens', async () => {
    const db = await open(url)
    expect(db.kind).toBe('postgres')
    await db.close()
  })
})
