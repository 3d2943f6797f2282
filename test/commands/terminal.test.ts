import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brief } from '../support/brief.ts'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(120_000)

const root = mkdtempSync(join(tmpdir(), 'cardstock-terminal-'))
const main = join(import.meta.dir, '../../src/main.ts')
const env = { PATH: process.env.PATH, ...brief, HOME: root, DATA_DIR: join(root, 'data') }
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A device that takes nothing, as a full disk does. */
const full = '/dev/full'

test.skipIf(!existsSync(full)).each(['openapi', '--help'])(
  '%s fails with a sentence where its output is lost',
  (word) => {
    const { exitCode, stderr } = Bun.spawnSync([process.execPath, main, word], { env, stdout: openSync(full, 'w') })
    expect(exitCode).toBe(1)
    expect(stderr.toString()).toBe('Cannot write to standard output: the disk is full.\n')
  },
)

test.skipIf(!existsSync(full))('the service serves on where its log is lost', async () => {
  const port = freePort()
  const options = { cwd: root, env: { ...env, PORT: String(port) }, stderr: openSync(full, 'w') }
  const child = Bun.spawn([process.execPath, main, 'serve'], options)
  const health = async () => (await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined))?.status
  await until(async () => child.exitCode !== null || (await health()) === 200)
  expect(await health()).toBe(200)
  child.kill()
  expect(await child.exited).toBe(0)
})
