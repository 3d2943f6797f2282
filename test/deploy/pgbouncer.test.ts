import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { freePort } from '../support/free-port.ts'
import { kitFileWith, kitFolder, programFor } from '../support/kit.ts'
import { ownServer } from '../support/own-server.ts'
import { openProcesses } from '../support/service-process.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(120_000)

const what = 'the service behind the kit’s PgBouncer'
const program = programFor(what, 'pgbouncer')
const psql = programFor('the kit’s role.sql', 'psql')
const server = program && psql ? await ownServer(what) : undefined
const folder = mkdtempSync(join(tmpdir(), 'cardstock-kit-'))
chmodSync(folder, 0o755)
const password = crypto.randomUUID().replaceAll('-', '')
let pooler: Bun.Subprocess | undefined
afterAll(async () => {
  pooler?.kill('SIGKILL')
  await pooler?.exited
  await server?.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** Makes the role and the database as the guide says. Their address on the server itself. */
const makeRole = async (admin: string) => {
  const run = Bun.$`${psql as string} ${admin} --set ON_ERROR_STOP=1 --file ${join(kitFolder, 'role.sql')}`
  await run.env({ ...process.env, DATABASE_PASSWORD: password }).quiet()
  const url = new URL(admin)
  return `postgres://cardstock:${password}@${url.host}/cardstock`
}

/** Starts PgBouncer with the kit's file and a list of users as the guide says. The address of the database through it. */
const startPooler = async (direct: string) => {
  const port = freePort()
  const { hostname, port: serverPort } = new URL(direct)
  const file = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'userlist.txt')
  writeFileSync(users, `"cardstock" "${password}"\n`, { mode: 0o644 })
  const replacements = {
    'host=postgres port=5432': `host=${hostname} port=${serverPort}`,
    'listen_addr = *': 'listen_addr = 127.0.0.1',
    'listen_port = 6432': `listen_port = ${port}`,
    '/etc/pgbouncer/userlist.txt': users,
  }
  writeFileSync(file, kitFileWith('pgbouncer.ini', replacements))
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  pooler = Bun.spawn([program as string, ...asUser, file], { stdout: 'ignore', stderr: 'ignore' })
  const url = `postgres://cardstock:${password}@127.0.0.1:${port}/cardstock`
  await until(async () => {
    const sql = postgres(url, { max: 1, prepare: false })
    const isThere = await sql`select 1`.then(() => true).catch(() => false)
    await sql.end()
    return isThere
  })
  return url
}

describe.skipIf(!server)(what, async () => {
  const DATABASE_DIRECT_URL = server ? await makeRole(server.url) : ''
  const DATABASE_URL = server ? await startPooler(DATABASE_DIRECT_URL) : ''
  const settings = { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_PREPARE: 'false' }

  test('reads and writes, listens, and finds nothing wrong', async () => {
    const processes = await openProcesses(settings)
    const { address, log } = await processes.serve()
    const post = await fetch(`${address}/v1/brands`, {
      ...{ method: 'POST', body: JSON.stringify({ data: { type: 'brands', attributes: { name: 'Topps' } } }) },
      headers: { ...processes.operator, 'Content-Type': 'application/vnd.api+json' },
    })
    const list = await fetch(`${address}/v1/brands`, { headers: processes.operator })
    const health = await fetch(`${address}/health`)
    expect([post.status, list.status, health.status]).toEqual([201, 200, 200])
    const { start } = processes
    const { out, ended } = start('doctor')
    await ended()
    await processes.end()
    expect(/^\S+ +pooler .*/m.exec(out())?.[0]).toMatch(/^ok +pooler +PgBouncer, server_login_retry is 1$/)
    // PgBouncer takes no planner settings from a connection, and the role has them.
    expect(log()).toContain('planner settings refused')
  })

  test('has the planner settings that it asks for, from its role', async () => {
    const sql = postgres(DATABASE_URL, { max: 1, prepare: false })
    const [row] = await sql`select current_setting('plan_cache_mode') as plans, current_setting('jit') as jit`
    await sql.end()
    expect(row).toEqual({ plans: 'force_generic_plan', jit: 'off' })
  })
})
