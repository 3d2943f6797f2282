import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { freePort } from './free-port.ts'
import { kitFileWith, programFor } from './kit.ts'
import { until } from './until.ts'

/** HAProxy in front of two servers, of which it leads to the primary. */
export type Balancer = { hostAndPort: string; stop: () => Promise<void> }

/** Starts one. Undefined if HAProxy is missing, and a line says so. */
export const startBalancer = async (what: string, servers: [string, string]): Promise<Balancer | undefined> => {
  const program = programFor(what, 'haproxy')
  if (!program) return undefined
  await allowChecks(servers[0])
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-balancer-'))
  chmodSync(folder, 0o755)
  const port = freePort()
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, configuration(port, servers))
  const child = Bun.spawn([program, '-db', '-f', file], { stdout: 'ignore', stderr: 'ignore' })
  // At first, it takes each server for a primary.
  await until(async () => (await Promise.all(servers.map(() => leadsToPrimary(port)))).every(Boolean))
  return {
    hostAndPort: `127.0.0.1:${port}`,
    stop: async () => {
      child.kill('SIGKILL')
      await child.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The role that asks which of them is the primary. */
const allowChecks = async (primary: string) => {
  const sql = postgres(`postgres://postgres@${primary}/postgres`, { max: 1 })
  await sql`create role haproxy login`
  await sql.end()
}

const leadsToPrimary = async (port: number) => {
  const sql = postgres(`postgres://postgres@127.0.0.1:${port}/postgres`, { max: 1, connect_timeout: 2 })
  const asked = sql`select where not pg_is_in_recovery()`
  const isPrimary = await asked.then(({ length }) => length === 1).catch(() => false)
  await sql.end({ timeout: 1 })
  return isPrimary
}

/** The kit's part for PostgreSQL, with these servers. */
const configuration = (port: number, [one, two]: [string, string]) =>
  sectionOf(
    kitFileWith('haproxy.cfg', { 'one:5432': one, 'two:5432': two, 'bind :5432': `bind 127.0.0.1:${port}` }),
    'primary',
  )

const sectionOf = (text: string, name: string): string => {
  const [section] = new RegExp(`^listen ${name}\\n(?: .*\\n)*`, 'm').exec(text) ?? []
  if (!section) throw new Error(`haproxy.cfg has no section ${name}`)
  return section
}
