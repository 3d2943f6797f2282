import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '../../../src/app.ts'
import { openApiDocument } from '../../../src/http/openapi/document.ts'
import { version } from '../../../src/version.ts'

export const root = join(import.meta.dir, '../../..')

/** The document of the service's routes. */
export const document = await openApiDocument(routes, { baseUrl: 'http://localhost:3000', brand: 'cardstock', version })

/** The document as a file in a new folder. */
export const writeDocument = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-openapi-'))
  const file = join(folder, 'openapi.json')
  await Bun.write(file, JSON.stringify(document, null, 2))
  return { folder, file }
}

/** Runs a program of node_modules, which is to call nobody; its output and whether it went well. */
export const run = (command: string[]) => {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { success, stdout, stderr } = Bun.spawnSync(command, { cwd: root, env, stdout: 'pipe', stderr: 'pipe' })
  return { success, text: `${stdout}${stderr}` }
}
