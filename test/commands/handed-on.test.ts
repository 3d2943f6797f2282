import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brief } from '../support/brief.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(240_000)

const root = mkdtempSync(join(tmpdir(), 'cardstock-commands-'))
const home = join(root, 'data')
const main = join(import.meta.dir, '../../src/main.ts')
const env = { PATH: process.env.PATH, ...brief, HOME: root, DATA_DIR: home, PORT: '0', LOG_LEVEL: 'info' }

const start = (...words: string[]) =>
  Bun.spawn([process.execPath, main, ...words], { cwd: root, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })

const run = async (...words: string[]) => {
  const child = start(...words)
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { out, err, code }
}

let server: ReturnType<typeof start>
beforeAll(async () => {
  server = start('serve')
  await until(() => existsSync(join(home, 'commands.sock')))
})
afterAll(async () => {
  server.kill()
  await server.exited
  rmSync(root, { recursive: true })
})

test('a command runs while a server has the data directory', async () => {
  const made = await run('user', 'create', '--email', 'ada@example.org', '--password', 'long enough', '--json')
  expect(made).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(made.out)).toMatchObject({ email: 'ada@example.org' })
  const key = await run('key', 'create', '--user', 'ada@example.org', '--json')
  expect(JSON.parse(key.out).key).toStartWith('cardstock_live_')
})

test('its exit code and its complaints come back', async () => {
  expect(await run('key', 'create', '--user', 'nobody@example.org')).toMatchObject({ code: 1, out: '' })
  const wrong = await run('user', 'create', '--emial', 'ada@example.org')
  expect(wrong.code).toBe(2)
  expect(wrong.err).toContain('--emial')
})

test('a running server on the folder is still refused at once, whichever command would serve', async () => {
  for (const words of [['serve'], ['quickstart'], ['mirror', 'http://127.0.0.1:1', '--key', 'x']]) {
    const { code, err } = await run(...words)
    expect(code).toBe(1)
    expect(err).toContain(`A server is already running on this DATA_DIR. Stop that one (pid ${server.pid})`)
    expect(err).not.toContain('waiting')
  }
})

test('a backup is taken from the running server; a restore wants it stopped', async () => {
  const taken = await run('backup', 'all.tar.zst', '--json')
  expect(taken.code).toBe(0)
  expect(JSON.parse(taken.out)).toEqual({
    file: join(root, 'all.tar.zst'),
    bytes: statSync(join(root, 'all.tar.zst')).size,
  })
  const refused = await run('restore', 'all.tar.zst')
  expect(refused.code).toBe(1)
  expect(refused.err).toContain('Stop it first')
})

test('once the server has stopped, commands at the same time take turns, and a restore goes back', async () => {
  server.kill()
  expect(await server.exited).toBe(0)
  const made = await Promise.all(
    ['b', 'c', 'd'].map((name) => run('user', 'create', '--email', `${name}@example.org`, '--password', 'long enough')),
  )
  expect(made.map(({ code }) => code)).toEqual([0, 0, 0])
  const restored = await run('restore', 'all.tar.zst', '--json')
  expect(restored.code).toBe(0)
  expect(existsSync(join(JSON.parse(restored.out).replaced, 'pg'))).toBe(true)
  expect((await run('key', 'create', '--user', 'ada@example.org')).code).toBe(0)
  expect((await run('key', 'create', '--user', 'b@example.org')).code).toBe(1)
})
