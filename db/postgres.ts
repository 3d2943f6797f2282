import postgres from 'postgres'
import { type Database, makeDatabase } from './database.ts'

export type PostgresOptions = {
  url: string
  /** Where to listen, past a pooler that would swallow notifications. */
  directUrl?: string
  prepare?: boolean
  poolSize?: number
  /** Whether to ask for the planner's settings at the start of a connection; old poolers refuse them. */
  planner?: boolean
}

/** A PostgreSQL server. Connects at the first query. */
export const openPostgres = ({
  url,
  directUrl,
  prepare = true,
  poolSize = 8,
  planner = true,
}: PostgresOptions): Database => {
  const client = postgres(url, {
    ...shared,
    connection: planner ? { ...session, ...plannerSettings } : session,
    max: poolSize,
    prepare,
  })
  const listener = directUrl ? postgres(directUrl, { ...shared, max: 1 }) : client
  return makeDatabase(client, {
    kind: 'postgres',
    notify: async (channel, payload = '') => void (await client`select pg_notify(${channel}, ${payload})`),
    listen: async (channel, heard) => {
      const { unlisten } = await listener.listen(channel, heard)
      return () => unlisten()
    },
    close: async () => {
      await Promise.all([client.end({ timeout: 5 }), listener === client ? undefined : listener.end({ timeout: 5 })])
    },
  })
}

/** A server that is away is tried again soon: the wait doubles up to a second. */
const backoff = (tries: number) => Math.min(0.05 * 2 ** tries, 1)

const session = { application_name: 'cardstock', TimeZone: 'UTC' }

/**
 * Every hot statement is prepared and finds its rows along an index, whatever its values are: planning it anew for each
 * execution costs up to ten times what running it does, and compiling it more.
 */
export const plannerSettings = { plan_cache_mode: 'force_generic_plan', jit: 'off' }

const shared = {
  max_pipeline: 1,
  connect_timeout: 10,
  backoff,
  connection: session,
  onnotice: () => {},
}
