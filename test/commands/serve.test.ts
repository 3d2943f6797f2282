import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = mkdtempSync(join(tmpdir(), 'cardstock-serve-'))
const main = join(import.meta.dir, '../../src/main.ts')
afterAll(() => rmSync(root, { recursive: true, force: true }))

const start = (environment: Record<string, string>) => {
  const env = { PATH: process.env.PATH, HOME: root, DATA_DIR: join(root, 'data'), PORT: '0', ...environment }
  const child = Bun.spawn([process.execPath, main, 'serve'], { cwd: root, env, stdout: 'pipe', stderr: 'pipe' })
  const lines = child.stderr.pipeThrough(new TextDecoderStream())
  let text = ''
  const listening = Promise.withResolvers<string>()
  const ended = (async () => {
    for await (const piece of lines) {
      text += piece
      const address = /"address":"([^"]+)"/.exec(text)?.[1]
      if (address) listening.resolve(address)
    }
    listening.resolve('')
    return { exit: await child.exited, err: text }
  })()
  return { child, address: listening.promise, ended }
}

describe('serve', () => {
  test('answers what runs when it is told to stop, takes nothing new, and exits 0', async () => {
    const { child, address, ended } = start({ APP_ENV: 'development' })
    const at = await address
    expect((await fetch(`${at}/health`)).status).toBe(200)
    const body = new ReadableStream({
      start: async (controller) => {
        controller.enqueue(new TextEncoder().encode('grant_type='))
        await Bun.sleep(1500)
        controller.enqueue(new TextEncoder().encode('client_credentials'))
        controller.close()
      },
    })
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const running = fetch(`${at}/oauth/token`, { method: 'POST', headers, body })
    await Bun.sleep(500)
    const told = performance.now()
    child.kill('SIGTERM')
    expect((await running).status).toBe(401)
    const { exit, err } = await ended
    expect(exit).toBe(0)
    expect(performance.now() - told).toBeLessThan(10_000)
    expect(err).toContain('"event":"stopped"')
    expect(await fetch(`${at}/health`).catch(() => 'gone')).toBe('gone')
  }, 30_000)

  test('names every bad setting and does not start', async () => {
    const { exit, err } = await start({ PORT: 'x', APP_ENV: 'y' }).ended
    expect(exit).toBe(1)
    expect(err).toBe(
      'PORT is "x": it takes an integer from 0 to 65535.\nAPP_ENV is "y": it takes production, staging, development.\n',
    )
  }, 30_000)

  test('says so where its port is taken', async () => {
    const taken = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } })
    const { exit, err } = await start({ PORT: String(taken.port) }).ended
    taken.stop(true)
    expect(exit).toBe(1)
    expect(err).toContain(String(taken.port))
  }, 30_000)
})
