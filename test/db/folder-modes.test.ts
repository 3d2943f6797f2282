import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeFolder } from '../../db/embedded/folder-modes.ts'
import { openEmbedded } from '../../db/embedded/open.ts'
import { openLog } from '../../src/lib/log.ts'
import { commandLine } from '../support/command-line.ts'
import { laxIn, modeOf, treeOf } from '../support/folder-tree.ts'
import { ownDatabaseRuns } from '../support/own-database.ts'
import { until } from '../support/until.ts'

const runs = ownDatabaseRuns('modes of the data directory')
setDefaultTimeout(240_000)

const root = mkdtempSync(join(tmpdir(), 'cardstock-modes-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const email = ['user', 'create', '--email', 'ada@example.org', '--password', 'long enough']

describe.skipIf(!runs)('DATA_DIR and all in it: 0700 and 0600', () => {
  test.each(['000', '077'])('whatever the umask is: %s', async (umask) => {
    const cwd = join(root, umask)
    mkdirSync(cwd)
    const { run, serve, start } = commandLine(cwd, { DATA_DIR: join(cwd, 'a', 'data') })
    const server = await serve({ umask })
    expect((await run(email, { umask })).code).toBe(0)
    expect((await run(['export', '--bulk'], { umask })).code).toBe(0)
    expect((await run(['export', '--bulk', '--out', 'out/deep'], { umask })).code).toBe(0)
    expect((await run(['backup', 'all.zst'], { umask })).code).toBe(0)
    expect(laxIn(join(cwd, 'a', 'data'))).toEqual([])
    expect(treeOf(join(cwd, 'a', 'data'))).toContain(join(cwd, 'a', 'data', 'commands.sock'))
    await server.stop()
    const demo = start(['quickstart', '--json'], { umask })
    await until(() => demo.out().includes('"key"'))
    await demo.stop()
    expect((await run(['restore', 'all.zst'], { umask })).code).toBe(0)
    expect(laxIn(join(cwd, 'a', 'data'))).toEqual([])
    // What a caller names is as other programs of theirs would make it, but for a backup, which holds secrets.
    const others = Number.parseInt(umask, 8)
    expect(modeOf(join(cwd, 'all.zst'))).toBe('600')
    for (const folder of ['out', 'out/deep']) expect(modeOf(join(cwd, folder))).toBe((0o777 & ~others).toString(8))
    for (const name of readdirSync(join(cwd, 'out/deep')))
      expect(modeOf(join(cwd, 'out/deep', name))).toBe((0o666 & ~others).toString(8))
  })

  test('what was laxer is closed at the start, and what others put there is left as it is', async () => {
    const cwd = join(root, 'lax')
    const home = join(cwd, 'data')
    mkdirSync(cwd)
    await (await openEmbedded(home, { durable: false })).close()
    for (const name of ['images/ab/one', 'bulk/two', 'outbox', 'notes'])
      mkdirSync(join(home, name), { recursive: true })
    for (const name of ['images/ab/one/full.jpg', 'outbox/x.eml', 'notes/own.txt', 'own.txt'])
      writeFileSync(join(home, name), '')
    for (const path of treeOf(home)) chmodSync(path, lstatSync(path).isDirectory() ? 0o775 : 0o664)
    writeFileSync(join(root, 'elsewhere'), '')
    chmodSync(join(root, 'elsewhere'), 0o644)
    symlinkSync(join(root, 'elsewhere'), join(home, 'outbox', 'link'))
    const { serve } = commandLine(cwd, { DATA_DIR: home })
    const server = await serve()
    const left = laxIn(home).map((path) => path.slice(home.length + 1))
    await server.stop()
    expect(left.sort()).toEqual(['notes', 'notes/own.txt', 'outbox/link', 'own.txt'])
    expect(modeOf(join(root, 'elsewhere'))).toBe('644')
    expect(server.err()).not.toContain('DATA_DIR is open')
  })

  test('a folder that is everybody’s is warned of and stays so', () => {
    const shared = join(root, 'shared')
    mkdirSync(shared)
    chmodSync(shared, 0o1777)
    writeFileSync(join(shared, 'app-secret'), '')
    chmodSync(join(shared, 'app-secret'), 0o644)
    let told = ''
    closeFolder(shared, openLog('warn', 'json', { write: (text) => (told += text) }))
    expect(JSON.parse(told)).toMatchObject({ level: 'warn', event: 'DATA_DIR is open to others', path: shared })
    expect([modeOf(shared), modeOf(join(shared, 'app-secret'))]).toEqual(['1777', '600'])
  })
})
