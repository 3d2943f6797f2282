import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { usualHeaders } from '../support/mcp.ts'
import { serviceProcesses } from '../support/service-process.ts'

setDefaultTimeout(300_000)

const folder = mkdtempSync(join(tmpdir(), 'cardstock-modules-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const notes = join(folder, 'modules')
const preloaded = join(import.meta.dir, '../support/modules-noted.ts')
const { serve, operator } = await serviceProcesses({
  ...{ BUN_OPTIONS: `--preload ${preloaded}`, NOTED: '/@(modelcontextprotocol|opentelemetry)/', NOTES: notes },
})

test('the library of the protocol is loaded by the first message and by nothing else, and that of traces isn’t without a collector', async () => {
  const { child, address } = await serve()
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(address + path, { ...init, headers: { ...operator, ...init.headers } })
  for (const path of ['/health', '/openapi.json', '/v2/cards', '/', '/mcp']) await (await ask(path)).text()
  expect(existsSync(notes)).toBe(false)
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const answer = await ask('/mcp', { method: 'POST', body, headers: usualHeaders })
  expect([answer.status, (await answer.text()).includes('search_cards')]).toEqual([200, true])
  const noted = await Bun.file(notes).text()
  expect(noted).toContain('/@modelcontextprotocol/server/')
  expect(noted).not.toContain('/@opentelemetry/')
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
})
