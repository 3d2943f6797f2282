import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, writeDocument } from './written.ts'

setDefaultTimeout(300_000)

const generator = join(root, 'node_modules/openapi-typescript/bin/cli.js')
const isMissing = !existsSync(generator)
if (isMissing) console.log('skipped: the generator openapi-typescript is not installed')

const { folder, file } = await writeDocument()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.skipIf(isMissing)(
  'a typed client can be generated from the document, and knows what may be null or missing',
  () => {
    const types = join(folder, 'openapi.d.ts')
    const preload = join(import.meta.dir, 'typescript-5.ts')
    expect(run([process.execPath, '--preload', preload, generator, file, '--output', types])).toMatchObject({
      success: true,
    })
    const clients = ['client.ts', 'v2-client.ts']
    for (const client of clients) copyFileSync(join(import.meta.dir, `${client}.txt`), join(folder, client))
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: clients }))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const checked = run([process.execPath, tsc, '-p', folder])
    if (!checked.success) console.log(checked.text)
    expect(checked.success).toBe(true)
  },
)

const compilerOptions = {
  target: 'ESNext',
  module: 'ESNext',
  moduleResolution: 'bundler',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  types: [],
  paths: { 'openapi-fetch': [join(root, 'node_modules/openapi-fetch')] },
}
