import type { Queryable } from './client.ts'

/** The connections that a process opens: for requests, for jobs and commands, two for the gate, one each for /health and LISTEN. */
const connectionsOf = (poolSize: number) => poolSize + Math.max(2, Math.ceil(poolSize / 2)) + 4

/** How many connections so many processes open, and how many the server has for them. */
export const countConnections = async ({ sql }: Queryable, poolSize: number, processes: number) => {
  const [row] = await sql<{ most: number }[]>`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`
  return { opened: processes * connectionsOf(poolSize), most: row?.most ?? 0 }
}
