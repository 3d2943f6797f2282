import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testApp } from '../support/app.ts'
import { endsFirst } from '../support/ending.ts'
import { factories } from '../support/factories.ts'
import { mcpService } from '../support/mcp.ts'

const root = join(import.meta.dir, '../..')
const page = await Bun.file(join(root, 'docs/mcp.md')).text()
const program = /^ *```ts\n(.*?)^ *```/ms.exec(page)?.[1] ?? ''

const app = await testApp()
const make = factories(app)
const service = mcpService(app.context)

test('the program of docs/mcp.md finds a card', async () => {
  const set = await make.set({ name: '1986-87 Fleer', year: await make.year({ name: '1986' }), status: 'published' })
  const player = await make.player({ first_name: 'Michael', last_name: 'Jordan' })
  const rookie = await make.attribute({ attribute: 'RC', name: 'Rookie Card' })
  await make.card({ set, number: '57', oncard: [player], attributes: [rookie] })
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-mcp-page-'))
  endsFirst(() => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'shop.ts'), program)
  const key = app.headers.reader.Authorization?.replace('Bearer ', '')
  const child = Bun.spawn([process.execPath, 'shop.ts'], {
    ...{ cwd: folder, stdout: 'pipe', stderr: 'pipe' },
    env: { PATH: process.env.PATH, CARDSTOCK_KEY: key, CARDSTOCK_URL: new URL(service.address).origin },
  })
  const [printed, faults] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  expect(faults).toBe('')
  expect(printed).toContain('57 Michael Jordan RC')
})
