import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { brief } from '../support/brief.ts'

const main = join(import.meta.dir, '../../src/main.ts')

const openapi = (...flags: string[]) => {
  const command = [process.execPath, main, 'openapi', '--json', ...flags]
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { env: { PATH: process.env.PATH, ...brief } })
  return { exitCode, printed: stdout.toString(), said: stderr.toString() }
}

test('openapi --media json prints the document with application/json for JSON:API, and refuses what it doesn’t know', () => {
  const bodyTypes = ({ printed }: ReturnType<typeof openapi>) =>
    Object.keys(JSON.parse(printed).paths['/v1/brands'].post.requestBody.content)
  expect(bodyTypes(openapi())).toEqual(['application/vnd.api+json'])
  expect(bodyTypes(openapi('--media', 'json'))).toEqual(['application/json'])
  const { exitCode, said } = openapi('--media', 'xml')
  expect([exitCode, said]).toEqual([2, expect.stringContaining('--media must be one of json')])
})
