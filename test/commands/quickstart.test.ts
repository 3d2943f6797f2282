import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brief } from '../support/brief.ts'
import { freePort } from '../support/free-port.ts'

const root = mkdtempSync(join(tmpdir(), 'cardstock-quickstart-'))
const main = join(import.meta.dir, '../../src/main.ts')
afterAll(() => rmSync(root, { recursive: true, force: true }))

type Started = { address: string; email: string; password: string; key: string }

/** Starts, asks, stops. */
const quickstart = async <T>(ask: (started: Started) => Promise<T>): Promise<{ started: Started; answer: T }> => {
  const env = { PATH: process.env.PATH, ...brief, HOME: root, DATA_DIR: join(root, 'data'), PORT: String(freePort()) }
  const child = Bun.spawn([process.execPath, main, 'quickstart', '--json'], { cwd: root, env, stdout: 'pipe' })
  let text = ''
  for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += piece
    if (text.includes('\n')) break
  }
  const started: Started = JSON.parse(text)
  const answer = await ask(started)
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
  return { started, answer }
}

const totalOf = async ({ address, key }: Started, path: string) => {
  const answer = await fetch(`${address}/v1/${path}?per_page=1`, { headers: { Authorization: `Bearer ${key}` } })
  return ((await answer.json()) as { meta: { total: number } }).meta.total
}
const totals = async (started: Started) => ({
  cards: await totalOf(started, 'cards'),
  images: await totalOf(started, 'card-images'),
  published: await totalOf(started, 'sets'),
})

test('the quickstart serves demo cards, some with pictures, with a key that stays the same', async () => {
  const first = await quickstart(totals)
  expect(first.answer.cards).toBe(132 + 11 + 199 + 199)
  expect(first.answer.images).toBe(6)
  // The third release is a draft, which a key doesn't show.
  expect(first.answer.published).toBe(2)
  expect(first.started.key).toStartWith('cardstock_test_')
  const second = await quickstart(totals)
  expect(second.started).toEqual({ ...first.started, address: second.started.address })
  expect(second.answer).toEqual(first.answer)
}, 240_000)
