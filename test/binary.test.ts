import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { openDatabase } from '../db/client.ts'
import { gatherNotices } from '../src/commands/notices/notices.ts'
import { builtExecutable } from './support/executable.ts'
import { type ClientMode, clientModes } from './support/mcp.ts'
import { until } from './support/until.ts'

setDefaultTimeout(300_000)

const folder = mkdtempSync(join(tmpdir(), 'cardstock-alone-'))
const executable = join(folder, 'cardstock')

beforeAll(async () => copyFileSync(await builtExecutable(), executable))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const serve = async (cwd = folder) => {
  const server = Bun.spawn([executable, 'serve', '--json'], {
    cwd,
    env: { PATH: '/usr/bin:/bin', PORT: '0' },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const begun = performance.now()
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of server.stderr) {
    text += decoder.decode(chunk, { stream: true })
    const address = /"address":"([^"]+)"/.exec(text)?.[1]
    if (address) return { server, address, milliseconds: performance.now() - begun }
  }
  throw new Error(`the executable ended: ${text}`)
}

test('the executable serves from an empty folder, stops when told to, and serves from that folder again', async () => {
  for (const start of ['empty', 'existing']) {
    const { server, address, milliseconds } = await serve()
    const health = await fetch(`${address}/health`)
    expect(await health.json()).toMatchObject({ status: 'ok', checks: { database: 'ok' } })
    console.log(`${start} folder: listening after ${Math.round(milliseconds)} ms`)
    server.kill('SIGTERM')
    expect(await server.exited).toBe(0)
  }
  expect(readdirSync(join(folder, 'data'))).not.toContain('pg.tmp')
})

test('a request with a body and headers is understood in the executable, too', async () => {
  const { server, address } = await serve()
  const answer = await fetch(`${address}/v1/sets`, {
    method: 'POST',
    headers: { 'content-type': 'application/vnd.api+json' },
    body: '{}',
  })
  expect(answer.status).toBe(401)
  expect(answer.headers.get('content-type')).toStartWith('application/vnd.api+json')
  server.kill('SIGTERM')
  await server.exited
})

test('the executable takes no settings from files of the folder that it starts in', async () => {
  const theirs = mkdtempSync(join(folder, 'theirs-'))
  const names = ['.env', '.env.local', '.env.production', '.env.development', '.env.test']
  for (const name of names)
    writeFileSync(join(theirs, name), 'DATABASE_URL=postgres://them@127.0.0.1:1/theirs\nPORT=nonsense\nHOST=nonsense\n')
  writeFileSync(join(theirs, 'bunfig.toml'), 'preload = ["./preload.ts"]\nenv = true\n')
  writeFileSync(join(theirs, 'preload.ts'), 'process.exit(9)\n')
  writeFileSync(join(theirs, 'package.json'), '{"type":"commonjs"}\n')
  const { server, address } = await serve(theirs)
  expect(await (await fetch(`${address}/health`)).json()).toMatchObject({ status: 'ok' })
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  expect(readdirSync(join(theirs, 'data'))).toContain('pg')
})

test.each(Object.keys(clientModes) as ClientMode[])(
  'the executable serves a client %s over HTTP and stdio',
  async (mode) => {
    const cwd = mkdtempSync(join(folder, 'assistant-'))
    const run = async (...words: string[]) => {
      const child = Bun.spawn([executable, ...words, '--json'], {
        cwd,
        env: { PATH: '/usr/bin:/bin' },
        stderr: 'inherit',
      })
      return JSON.parse(await new Response(child.stdout).text())
    }
    const { server, address } = await serve(cwd)
    const email = 'ann@example.org'
    await run('user', 'create', '--email', email, '--password', 'correct horse battery')
    const { key } = await run('key', 'create', '--user', email, '--plan', 'pro')
    const requestInit = { headers: { Authorization: `Bearer ${key}` } }
    for (const transport of [
      new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { requestInit }),
      new StdioClientTransport({ command: executable, args: ['mcp', '--url', address, '--key', key], cwd }),
    ]) {
      const client = new Client({ name: 'a test', version: '1.0.0' }, clientModes[mode])
      await client.connect(transport)
      expect((await client.listTools()).tools.length).toBe(7)
      const { structuredContent } = await client.callTool({ name: 'search_cards', arguments: { query: 'jordan' } })
      expect(structuredContent).toMatchObject({ total: 0, cards: [] })
      await client.close()
    }
    server.kill('SIGTERM')
    expect(await server.exited).toBe(0)
  },
)

test('a password that the executable hashes costs what it does in a service, whatever its environment', async () => {
  const words = ['user', 'create', '--email', 'ann@example.org', '--password', 'correct horse battery']
  const environment = { PATH: '/usr/bin:/bin', APP_ENV: 'development', NODE_ENV: 'test' }
  const made = Bun.spawn([executable, ...words], { cwd: folder, env: environment, stdout: 'ignore', stderr: 'inherit' })
  expect(await made.exited).toBe(0)
  const db = await openDatabase({ dataDir: join(folder, 'data') })
  const [user] = await db.sql<{ password_hash: string }[]>`select password_hash from users`.finally(() => db.close())
  expect(user?.password_hash).toStartWith('$argon2id$v=19$m=65536,t=2,p=1$')
})

test('the executable prints the licenses of what is inside, which the same source says', async () => {
  const child = Bun.spawn([executable, 'licenses'], { cwd: folder, env: {}, stdout: 'pipe', stderr: 'inherit' })
  expect(await new Response(child.stdout).text()).toBe(await gatherNotices())
  expect(await child.exited).toBe(0)
})

/** A service whose PostgreSQL nobody answers for, with more in its environment. */
const serveNowhere = (more: Record<string, string> = {}) =>
  Bun.spawn([executable, 'serve'], {
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', APP_ENV: 'development', DATABASE_URL: 'postgres://127.0.0.1:1/none', ...more },
    ...{ stdout: 'ignore', stderr: 'pipe' },
  })

test.skipIf(process.platform !== 'linux').each([
  ['PostgreSQL', ['serve'], { DATABASE_URL: 'postgres://127.0.0.1:1/none' }, 256],
  ['the embedded database', ['serve'], {}, 768],
  ['the embedded database, which is what no word means', [], {}, 768],
])('on %s it starts with a setting of the engine', async (_, words, database, megabytes) => {
  const settings = { PATH: '/usr/bin:/bin', APP_ENV: 'development', PORT: '0', DATA_DIR: join(folder, 'sized') }
  const env = { ...settings, ...database }
  const server = Bun.spawn([executable, ...words], { cwd: folder, env, stdout: 'ignore', stderr: 'ignore' })
  const setting = `BUN_JSC_forceRAMSize=${megabytes * 2 ** 20}\0`
  await until(async () => `${await Bun.file(`/proc/${server.pid}/environ`).text()}\0`.includes(setting))
  server.kill('SIGKILL')
  await server.exited
})

test('settings of the engine that somebody made stay as they are', async () => {
  const server = serveNowhere({ BUN_JSC_dumpOptions: '1' })
  const said = await new Response(server.stderr).text()
  expect(said.match(/Modified JSC options:/g)).toEqual(['Modified JSC options:'])
  expect(said).not.toContain('forceRAMSize')
})
