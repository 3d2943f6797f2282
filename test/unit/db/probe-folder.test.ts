import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { probeFolder } from '../../../db/probe-folder.ts'
import { until } from '../../support/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'cardstock-probed-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a probe leaves nothing behind, not even what a process left that was killed in the middle of one', async () => {
  const path = join(import.meta.dir, '../../../db/probe-folder.ts')
  const probing = `import { probeFolder } from '${path}'; for (;;) probeFolder('${folder}')`
  let left: string[] = []
  await until(async () => {
    const child = Bun.spawn([process.execPath, '-e', probing])
    await until(() => readdirSync(folder).length > 0)
    child.kill('SIGKILL')
    await child.exited
    left = readdirSync(folder)
    return left.length > 0
  })
  probeFolder(folder)
  expect([left.length, readdirSync(folder)]).toEqual([1, []])
})
