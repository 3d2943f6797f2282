import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeApp } from '../../src/app.ts'
import { makeContext } from '../../src/context.ts'
import { testApp } from '../support/app.ts'
import { brief } from '../support/brief.ts'
import { testDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'

const app = await testApp()
const root = mkdtempSync(join(tmpdir(), 'cardstock-health-'))
const main = join(import.meta.dir, '../../src/main.ts')
afterAll(() => rmSync(root, { recursive: true, force: true }))

const health = async (port: number | undefined, ...flags: string[]) => {
  const env = {
    PATH: process.env.PATH,
    ...brief,
    HOME: root,
    HOST: '0.0.0.0',
    PORT: String(port),
    DATA_DIR: join(root, 'data'),
  }
  const child = Bun.spawn([process.execPath, main, 'health', ...flags], { env, stdout: 'pipe', stderr: 'pipe' })
  const [out = '', err = ''] = await Promise.all(
    [child.stdout, child.stderr].map((stream) => new Response(stream).text()),
  )
  return { exit: await child.exited, out, err }
}

test('a service that is well exits 0, wherever it listens', async () => {
  const server = Bun.serve({ port: 0, fetch: app.fetch })
  const [said, json] = [await health(server.port), await health(server.port, '--json')]
  await server.stop(true)
  expect(said).toMatchObject({ exit: 0, err: '', out: expect.stringMatching(/^healthy: \{"status":"ok".*\n$/) })
  expect([json.exit, JSON.parse(json.out).checks.database]).toEqual([0, 'ok'])
})

test('a service without its database exits 1 and says what fails', async () => {
  const db = await testDatabase()
  const away = makeApp(makeContext({ ...app.context, db }))
  await db.close()
  const server = Bun.serve({ port: 0, fetch: (request) => away.handle(request) })
  const said = await health(server.port)
  await server.stop(true)
  expect([said.exit, said.out]).toEqual([1, expect.stringContaining('"database":"failed"')])
  expect(said.out).toStartWith('not healthy: ')
})

test('where nothing answers it exits 1 with the address, and makes no data', async () => {
  const port = freePort()
  expect(await health(port)).toEqual({ exit: 1, out: '', err: `Nothing answers at http://127.0.0.1:${port}/health.\n` })
  expect(existsSync(join(root, 'data'))).toBe(false)
  expect((await health(port, '--wrong')).exit).toBe(2)
})
