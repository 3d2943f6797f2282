import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../support/free-port.ts'
import { kitFileWith, programFor } from '../support/kit.ts'

const bin = '/usr/lib/postgresql/15/bin'
const program = programFor('what Patroni says about its file', 'patroni')
const folder = mkdtempSync(join(tmpdir(), 'cardstock-patroni-'))
// Patroni looks whether something listens where etcd should be.
const etcd = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
afterAll(() => {
  etcd.stop(true)
  rmSync(folder, { recursive: true, force: true })
})

/** What Patroni finds wrong with the file on this machine, with one thing replaced. */
const complaints = (from: string, to: string) => {
  const text = kitFileWith('patroni.yml', {
    '10.0.0.11:2379, 10.0.0.12:2379, 10.0.0.13:2379': `127.0.0.1:${etcd.port}`,
    '10.0.0.11:8008': `127.0.0.2:${freePort()}`,
    '10.0.0.11:5432': `127.0.0.2:${freePort()}`,
    '/var/lib/postgresql/15/cards': join(folder, 'data'),
    [bin]: existsSync(bin) ? bin : folder,
  })
  const file = join(folder, 'config.yml')
  writeFileSync(file, text.replace(from, to))
  const { stdout, stderr } = Bun.spawnSync([program as string, '--validate-config', file], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  return `${stdout}${stderr}`.trim()
}

test.skipIf(!program || !existsSync(bin))('Patroni takes its file, and would not take one without a part', () => {
  expect(complaints('scope: cards', 'scope: cards')).toBe('')
  expect(complaints('data_dir:', 'dater_dir:')).toContain('data_dir  is not defined')
})
