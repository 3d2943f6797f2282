import { afterAll } from 'bun:test'
import { readExposition } from './exposition.ts'
import { calls, usualHeaders } from './mcp.ts'
import { type OwnServer, ownServer, type Standby } from './own-server.ts'
import { openProcesses } from './service-process.ts'
import { until } from './until.ts'

const token = 'a-token-for-the-metrics'

/**
 * A primary with standbys, a primary of another cluster, and a service that has all of them as replicas, until the end of the
 * file. Undefined without PostgreSQL's programs.
 */
export const replicated = async (what: string, count: number) => {
  const [primary, stranger] = [await ownServer(what), await ownServer(what)]
  if (!primary || !stranger) return undefined
  afterAll(primary.remove)
  afterAll(stranger.remove)
  const standbys: Standby[] = []
  for (let no = 0; no < count; no++) standbys.push(await primary.standby())
  return { primary, stranger, standbys, ...(await serving(primary, [...standbys, stranger, primary])) }
}

export type Replicated = NonNullable<Awaited<ReturnType<typeof replicated>>>

const serving = async (primary: OwnServer, replicas: Pick<OwnServer, 'url'>[]) => {
  const processes = await openProcesses({
    DATABASE_URL: primary.url,
    DATABASE_REPLICA_URLS: replicas.map(({ url }) => url).join(),
    METRICS_TOKEN: token,
  })
  afterAll(processes.end)
  const { address, log } = await processes.serve()
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${address}${path}`, {
      ...init,
      headers: { ...processes.operator, 'Content-Type': 'application/vnd.api+json' },
    })
  const askTool = async (name: string, given: object) => {
    const headers = { ...processes.operator, ...usualHeaders }
    return (await fetch(`${address}/mcp`, { method: 'POST', headers, body: JSON.stringify(calls(name, given)) })).text()
  }
  const metrics = async () => {
    const answer = await fetch(`${address}/metrics`, { headers: { Authorization: `Bearer ${token}` } })
    return readExposition(await answer.text())
  }
  const of = ({ url }: Pick<OwnServer, 'url'>) => ({ server: new URL(url).host })
  return {
    ...{ processes, address, log, ask, askTool, metrics },
    readsOf: async (server: Pick<OwnServer, 'url'>) =>
      (await metrics()).sum('cardstock_catalog_reads_total', of(server)),
    isServing: async (server: Standby) => (await metrics()).sum('cardstock_replica_up', of(server)) === 1,
    /** Waits for a line of the log that says why a server is left out. */
    isLeftOut: (server: Pick<OwnServer, 'url'>, why: RegExp) =>
      until(() =>
        log()
          .split('\n')
          .some((line) => line.includes('replica left out') && line.includes(of(server).server) && why.test(line)),
      ),
  }
}
