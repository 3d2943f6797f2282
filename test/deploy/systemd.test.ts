import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kitFile, kitVariables, programFor, shutdownSeconds } from '../support/kit.ts'

const unit = kitFile('cardstock.service')
const settingOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] as string

const folder = mkdtempSync(join(tmpdir(), 'cardstock-unit-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const program = programFor('the unit by systemd', 'systemd-analyze')

/** What systemd says of a unit whose executable is there. It speaks of others on this machine, too. */
const complaintsAbout = (text: string) => {
  const file = join(folder, 'cardstock.service')
  writeFileSync(file, text.replace('=/usr/local/bin/cardstock', `=${process.execPath}`))
  const { stderr } = Bun.spawnSync([program as string, 'verify', '--man=no', file], {
    stdout: 'ignore',
    stderr: 'pipe',
  })
  return `${stderr}`.split('\n').filter((line) => line.includes('cardstock.service'))
}

test.skipIf(!program)('systemd knows every line of the unit', () => {
  expect(complaintsAbout(unit)).toEqual([])
  expect(complaintsAbout(unit.replace('ProtectHome', 'ProtectHouse')).join()).toContain("Unknown key 'ProtectHouse'")
})

test.skipIf(!program)('systemd finds the service little exposed', () => {
  const file = join(folder, 'exposed.service')
  writeFileSync(file, unit)
  const words = ['security', '--offline=true', '--threshold=20', '--no-pager', file]
  expect(Bun.spawnSync([program as string, ...words], { stdout: 'ignore', stderr: 'ignore' }).exitCode).toBe(0)
})

test('the unit runs the executable on its folder, with the settings that the guide puts there', () => {
  const guide = kitFile('README.md')
  expect(settingOf('ExecStart')).toBe('/usr/local/bin/cardstock serve')
  expect(settingOf('Environment')).toBe(`DATA_DIR=/var/lib/${settingOf('StateDirectory')}`)
  expect(guide).toContain(`cardstock.env ${settingOf('EnvironmentFile')}`)
  expect(guide).toContain(`${settingOf('User')}\ninstall -m 755 cardstock /usr/local/bin/`)
})

test('a reload replaces processes, of which there are several', () => {
  expect(settingOf('ExecReload')).toBe('/bin/kill -HUP $MAINPID')
  expect(kitVariables('cardstock.env').PROCESSES).toBe('auto')
})

test('the service has time to drain before it is killed', () => {
  expect(Number(settingOf('TimeoutStopSec'))).toBeGreaterThan(shutdownSeconds(kitVariables('cardstock.env')))
})
