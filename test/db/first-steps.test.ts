import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { ownServer } from '../support/own-server.ts'

setDefaultTimeout(120_000)

const root = join(import.meta.dir, '../..')
const server = await ownServer('the first steps of docs/operations.md')
const folder = mkdtempSync(join(tmpdir(), 'cardstock-steps-'))
afterAll(async () => {
  await server?.remove()
  rmSync(folder, { recursive: true })
})

/** The commands under the heading PostgreSQL, as they stand there. */
const documented = () => {
  const text = readFileSync(join(root, 'docs/operations.md'), 'utf8')
  return /^## PostgreSQL\n.*?```sh\n(.*?)```/ms.exec(text)?.[1]?.trim().split('\n') ?? []
}

test.skipIf(!server)(
  'the first steps of docs/operations.md make a database that its role, no superuser, can migrate',
  async () => {
    const { hostname, port } = new URL(server?.url ?? '')
    const [serve, ...steps] = documented().reverse()
    expect(serve).toBe('cardstock serve')
    const script = steps.reverse().join('\n').replace('…@db:5432', `secret@${hostname}:${port}`)
    writeFileSync(
      join(folder, 'cardstock'),
      `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'src/main.ts')}' "$@"\n`,
      { mode: 0o755 },
    )
    // Without a terminal of its own the question for a password is answered from standard input.
    const child = Bun.spawn(['setsid', '-w', 'sh', '-e', '-c', script], {
      cwd: folder,
      env: {
        PATH: `${folder}:${process.env.PATH}`,
        HOME: tmpdir(),
        PGHOST: hostname,
        PGPORT: port,
        PGUSER: 'postgres',
      },
      ...{ stdin: new Blob(['secret\nsecret\n']), stdout: 'pipe', stderr: 'pipe' },
    })
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    expect({ code: await child.exited, err }).toMatchObject({ code: 0 })
    expect(out).toContain('applied 0001_baseline\n')
    const sql = postgres(`postgres://postgres@${hostname}:${port}/cardstock`, { max: 1 })
    const [role] = await sql`
      select rolsuper, rolcreaterole, rolcreatedb, rolpassword is not null as has_password
      from pg_authid where rolname = 'cardstock'`
    const owners = await sql`select distinct tableowner from pg_tables where schemaname = 'public'`
    await sql.end()
    expect(role).toEqual({ rolsuper: false, rolcreaterole: false, rolcreatedb: false, has_password: true })
    expect([...owners]).toEqual([{ tableowner: 'cardstock' }])
  },
)
