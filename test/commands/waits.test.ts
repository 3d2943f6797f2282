import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { takeFolder } from '../../db/embedded/lock.ts'
import { onceFree } from '../../src/commands/once-free.ts'
import { openLog } from '../../src/lib/log.ts'
import { commandLine } from '../support/command-line.ts'
import { ownDatabaseRuns } from '../support/own-database.ts'
import { until } from '../support/until.ts'

const runs = ownDatabaseRuns('servers that wait for a command')
setDefaultTimeout(240_000)

const root = mkdtempSync(join(tmpdir(), 'cardstock-waits-'))
const home = join(root, 'data')
const lock = join(home, 'lock')
const { start, run } = commandLine(root, { DATA_DIR: home })
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A command that has the folder open for as long as its standard input goes on. */
const longCommand = async () => {
  const command = start(['import', '-'])
  command.child.stdin.write('year,set,number,player\n')
  await command.child.stdin.flush()
  await until(() => existsSync(lock) && readFileSync(lock, 'utf8') === `${command.child.pid}\n`)
  return command
}

const mirrorOf = ['mirror', 'http://127.0.0.1:1', '--key', 'cardstock_live_x']

describe.skipIf(!runs)('serve waits up to 60 s for a command that has the folder open, and says so', () => {
  test('and starts as soon as it is free', async () => {
    const command = await longCommand()
    const server = start(['serve'])
    await server.said('"event":"waiting for a command"')
    expect(server.err()).toContain(`"data_dir":"${home}","at_most_seconds":60,"pid":${command.child.pid}`)
    expect(server.child.exitCode).toBeNull()
    command.child.stdin.end()
    expect((await command.ended).code).toBe(0)
    await server.said('"event":"listening"')
    expect(server.err().match(/waiting/g)).toHaveLength(1)
    expect((await server.stop()).code).toBe(0)
  })

  test('and so do quickstart and mirror', async () => {
    const command = await longCommand()
    const others = [start(['quickstart', '--json']), start(mirrorOf)]
    for (const server of others) await server.said('"event":"waiting for a command"')
    for (const server of others) await server.stop()
    command.child.stdin.end()
    await command.ended
  })

  test('a command that was killed is not waited for', async () => {
    const command = await longCommand()
    command.child.kill('SIGKILL')
    await command.ended
    const server = start(['serve'])
    await server.said('"event":"listening"')
    expect(server.err()).not.toContain('waiting')
    expect((await server.stop()).code).toBe(0)
  })

  test('after that it fails with a sentence', async () => {
    const letGo = takeFolder(home)
    const open = async () => takeFolder(home)
    const told = await onceFree(open, openLog('silent'), 0.2).catch(String)
    expect(told).toBe(
      `Error: A command (pid ${process.pid}) still has the folder ${home} open after 0.2 seconds. Start again once it has finished.`,
    )
    letGo()
    const taken = await onceFree(open, openLog('silent'))
    taken()
  })

  test('what a server that was killed has left is no server', async () => {
    const killed = start(['serve'])
    await killed.said('"event":"listening"')
    killed.child.kill('SIGKILL')
    await killed.ended
    expect(existsSync(join(home, 'commands.sock'))).toBe(true)
    const letGo = takeFolder(home)
    const server = start(['serve'])
    await server.said('"event":"waiting for a command"')
    letGo()
    await server.said('"event":"listening"')
    const second = await run(['serve'])
    expect(second).toMatchObject({ code: 1 })
    expect(second.err).toContain(
      `A server is already running on this DATA_DIR. Stop that one (pid ${server.child.pid})`,
    )
    await server.stop()
  })
})
