import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { probeFolder } from '../../../db/probe-folder.ts'
import { until } from '../../support/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'cardstock-probed-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a probe leaves nothing behind, not even what a process left that was killed in the middle of one', async () => {
  const written = new Set<string>()
  const watcher = watch(folder, (_, name) => void written.add(name as string))
  probeFolder(folder)
  await until(() => written.size > 0)
  watcher.close()
  expect(readdirSync(folder)).toEqual([])
  for (const name of written) writeFileSync(join(folder, name), 'half of it')
  probeFolder(folder)
  expect(readdirSync(folder)).toEqual([])
})
