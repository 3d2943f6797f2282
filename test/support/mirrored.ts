import { markMirror } from '../../src/access/mirror.ts'
import { resourcesInV2 } from '../../src/catalog/model/v2.ts'
import { makeBulkFiles } from '../../src/catalog/sync/bulk/make.ts'
import { numberChanges, startNumbering } from '../../src/catalog/sync/feed/number.ts'
import { startMirroring } from '../../src/catalog/sync/mirror/mirroring.ts'
import { openSource } from '../../src/catalog/sync/mirror/source.ts'
import type { Shown } from './answer.ts'
import type { TestApp } from './app.ts'
import type { Client } from './callers.ts'
import { kept } from './catalog-copy.ts'
import { endsFirst } from './ending.ts'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

/** A service that others can reach, and what it should do to their requests before it answers them. */
export const reachable = (app: TestApp) => {
  const asked: URL[] = []
  const between: { answer?: (url: URL, request: Request) => Response | Promise<Response> | undefined } = {}
  const serve = () =>
    Bun.serve({
      ...{ port, hostname: '127.0.0.1', idleTimeout: 60 },
      fetch: async (request) => {
        const url = new URL(request.url)
        asked.push(url)
        return (await between.answer?.(url, request)) ?? app.fetch(request)
      },
    })
  const port = freePort()
  let server = serve()
  const stopNumbering = startNumbering(app.context)
  endsFirst(stopNumbering, () => server.stop(true))
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    between,
    /** Makes them once all changes have numbers: one that hid a record and is numbered later would withdraw them. */
    makeFiles: async () => {
      await untilNumbered(app)
      return makeBulkFiles(app.context, { signal: new AbortController().signal })
    },
    goAway: () => server.stop(true),
    comeBack: () => {
      server = serve()
    },
  }
}

/** Marks a service as the mirror of an address and follows it. Returns a function that stops it. */
export const follow = async ({ context, db }: TestApp, url: string, secret: string) => {
  await db.transaction((tx) => markMirror(tx, url))
  const stop = startMirroring(context, openSource(url, secret))
  endsFirst(stop)
  return stop
}

/** The secret in a bearer header. */
export const secretOf = (headers: Record<string, string>) => String(headers.Authorization).replace('Bearer ', '')

/** Every record that /v2 shows a caller, list by list, in the lists' own order, without what isn't kept. */
export const allOf = async (client: Client): Promise<Record<string, Shown[]>> => {
  const all: Record<string, Shown[]> = {}
  for (const { type, path } of resourcesInV2) {
    const list: Shown[] = []
    for (let address = `/v2/${path}?page[size]=100`; address; ) {
      const page = await client.get(address)
      list.push(...page.many.map(kept))
      address = ((page.links.next as string | null) ?? '').replace(/^https?:\/\/[^/]+/, '')
    }
    all[type] = list
  }
  return all
}

/** Numbers what was written, and returns whether all of it has a number. Somebody else may be numbering it. */
const isNumbered = async (db: TestApp['db']): Promise<boolean> => {
  await numberChanges(db)
  return (await db.sql`select 1 from changes where no is null limit 1`).length === 0
}

/** Waits until everything that was written has a number. */
export const untilNumbered = ({ db }: Pick<TestApp, 'db'>) => until(() => isNumbered(db))

/** The end of a service's feed. Undefined while something that was written has no number yet. */
export const endOfFeed = async ({ db, reader }: TestApp): Promise<string | undefined> => {
  if (!(await isNumbered(db))) return undefined
  return ((await reader.get('/v2/changes?page[after]=now')).meta.page as { cursor: string }).cursor
}

/** Waits until a mirror has reached the end of its source's feed. */
export const untilCurrent = async (source: TestApp, mirror: TestApp) => {
  await until(async () => {
    const [row] = await mirror.db.sql<{ cursor: string | null }[]>`select cursor from mirror`
    return row?.cursor === (await endOfFeed(source))
  })
  await untilNumbered(mirror)
}
