import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, writeDocument } from './written.ts'

setDefaultTimeout(300_000)

const linter = join(root, 'node_modules/@redocly/cli/bin/cli.js')
const isMissing = !existsSync(linter)
if (isMissing) console.log('skipped: the linter @redocly/cli is not installed')

const { folder, file } = await writeDocument()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.skipIf(isMissing)('an independent linter finds nothing to say about the document', () => {
  const { success, text } = run([process.execPath, linter, 'lint', '--config', join(root, 'redocly.yaml'), file])
  if (!success) console.log(text)
  expect(success).toBe(true)
})
