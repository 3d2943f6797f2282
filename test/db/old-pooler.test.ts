import { expect, test } from 'bun:test'
import type { Socket } from 'bun'
import { openDatabase } from '../../db/client.ts'
import { openLog } from '../../src/lib/log.ts'

const server = process.env.TEST_DATABASE_URL
if (!server) console.log('skipped: a pooler that refuses settings (set TEST_DATABASE_URL to a PostgreSQL server)')

test.skipIf(!server)('a pooler that refuses the planner settings gets connections without them', async () => {
  const pooler = startOldPooler(new URL(server ?? ''))
  const url = new URL(server ?? '')
  url.host = `127.0.0.1:${pooler.port}`
  try {
    const db = await openDatabase({ databaseUrl: url.href, dataDir: '.', prepare: false, log: openLog('silent') })
    const [row] = await db.sql<{ one: number }[]>`select 1 as one`
    await db.close()
    expect([row?.one, pooler.refused()]).toEqual([1, true])
  } finally {
    pooler.stop()
  }
})

type Client = { server?: Socket; waiting: Promise<unknown> }

/** Passes on what it is sent, but refuses a connection that asks for the planner's settings, as PgBouncer does. */
const startOldPooler = ({ hostname, port }: URL) => {
  let hasRefused = false
  const listener = Bun.listen<Client>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open: (client) => {
        client.data = { waiting: Promise.resolve() }
      },
      data: (client, bytes) => {
        const text = Buffer.from(bytes).toString('latin1')
        if (text.includes('plan_cache_mode\0')) {
          hasRefused = true
          client.end(refusal('unsupported startup parameter: plan_cache_mode'))
          return
        }
        const sent = Buffer.from(bytes)
        client.data.waiting = client.data.waiting.then(async () => {
          client.data.server ??= await Bun.connect({
            hostname,
            port: Number(port || 5432),
            socket: { data: (_server, answer) => void client.write(answer), close: () => void client.end() },
          })
          client.data.server.write(sent)
        })
      },
      close: (client) => void client.data.server?.end(),
    },
  })
  return { port: listener.port, refused: () => hasRefused, stop: () => listener.stop(true) }
}

/** An ErrorResponse of PostgreSQL's protocol, with the code of a protocol violation. */
const refusal = (message: string) => {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${message}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}
