import { setDefaultTimeout, test } from 'bun:test'
import { failOver, type Turn } from '../../support/failing-over.ts'
import { type OwnServer, ownServer } from '../../support/own-server.ts'
import { type Pooler, startPooler } from '../../support/pooler.ts'

setDefaultTimeout(290_000)

const turns: Record<string, (pooler: Pooler, server: OwnServer) => Turn> = {
  'PgBouncer is restarted': ({ kill, start }) => ({ takes: kill, gives: start }),
  // Until the server is back, it says "server login has been failing".
  'the server behind PgBouncer is restarted': (_pooler, { kill, start }) => ({ takes: kill, gives: start }),
}

test.each(Object.keys(turns))(
  'no acknowledged write is lost or done twice where %s, and the service goes on',
  async (how) => {
    const server = await ownServer(how)
    if (!server) return
    const pooler = await startPooler(how, server.url, {
      ...{ pool_mode: 'transaction', default_pool_size: 20, max_client_conn: 200 },
      server_login_retry: 1,
    })
    try {
      const turn = pooler && turns[how]?.(pooler, server)
      if (!turn) return
      const settings = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: server.url, DATABASE_PREPARE: 'false' }
      await failOver(how, settings, turn)
    } finally {
      await pooler?.stop()
      await server.remove()
    }
  },
)
