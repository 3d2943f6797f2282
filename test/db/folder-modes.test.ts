import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeFolder } from '../../db/embedded/folder-modes.ts'
import { openEmbedded } from '../../db/embedded/open.ts'
import { openLog } from '../../src/lib/log.ts'
import { commandLine } from '../support/command-line.ts'
import { builtExecutable } from '../support/executable.ts'
import { ownDatabaseRuns } from '../support/own-database.ts'
import { until } from '../support/until.ts'

const runs = ownDatabaseRuns('modes and owners of the data directory')
const isRoot = process.getuid?.() === 0
if (!isRoot) console.log('skipped: owners of the data directory (only root may give files away)')
setDefaultTimeout(240_000)

const root = mkdtempSync(join(tmpdir(), 'cardstock-modes-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const modeOf = (path: string) => (lstatSync(path).mode & 0o7777).toString(8)

/** Every folder and file of a tree, itself included. */
const all = (folder: string) => [
  folder,
  ...readdirSync(folder, { recursive: true, withFileTypes: true }).map(({ parentPath, name }) =>
    join(parentPath, name),
  ),
]

const laxIn = (folder: string) =>
  all(folder).filter((path) => modeOf(path) !== (lstatSync(path).isDirectory() ? '700' : '600'))

const email = ['user', 'create', '--email', 'ada@example.org', '--password', 'long enough']

describe.skipIf(!runs)('DATA_DIR and all in it: 0700 and 0600', () => {
  test.each(['000', '022', '077'])('whatever the umask is: %s', async (umask) => {
    const cwd = join(root, umask)
    mkdirSync(cwd)
    const { run, serve, start } = commandLine(cwd, { DATA_DIR: join(cwd, 'a', 'data') })
    const server = await serve({ umask })
    expect((await run(email, { umask })).code).toBe(0)
    expect((await run(['export', '--bulk'], { umask })).code).toBe(0)
    expect((await run(['export', '--bulk', '--out', 'out/deep'], { umask })).code).toBe(0)
    expect((await run(['backup', 'all.zst'], { umask })).code).toBe(0)
    expect(laxIn(join(cwd, 'a', 'data'))).toEqual([])
    expect(all(join(cwd, 'a', 'data'))).toContain(join(cwd, 'a', 'data', 'commands.sock'))
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
    for (const path of all(home)) chmodSync(path, lstatSync(path).isDirectory() ? 0o775 : 0o664)
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

const uid = 12_345

describe.skipIf(!runs || !isRoot)('as root, for a service of another user', () => {
  const cwd = join(root, 'service')
  const home = join(cwd, 'data')
  const { run, serve } = commandLine(cwd, { DATA_DIR: home })
  /** The executable alone: where Bun and its packages lie, that user may not read. */
  const asUser = { uid, program: [join(root, 'cardstock')] }
  const ownersIn = (folder: string) => [...new Set(all(folder).map((path) => lstatSync(path).uid))]
  const prepare = async () => {
    chmodSync(root, 0o755)
    copyFileSync(await builtExecutable(), join(root, 'cardstock'))
    mkdirSync(cwd, { recursive: true })
    chownTo(cwd)
    expect((await run(email, asUser)).code).toBe(0)
    expect((await run(['backup', 'all.zst'], asUser)).code).toBe(0)
  }

  test('restore gives all that it writes the owner of DATA_DIR, with modes 0700 and 0600', async () => {
    await prepare()
    chmodSync(home, 0o755)
    const restored = await run(['restore', 'all.zst', '--json'])
    expect(restored.code).toBe(0)
    expect(JSON.parse(restored.out)).toMatchObject({ uid, replaced: expect.stringContaining(home) })
    expect(ownersIn(home)).toEqual([uid])
    expect(laxIn(home)).toEqual([])
    const server = await serve(asUser)
    expect((await run([...email.slice(0, 3), 'bea@example.org', ...email.slice(4)], asUser)).code).toBe(0)
    await server.stop()
  })

  test('what a command of root writes belongs to the owner, too', async () => {
    expect((await run([...email.slice(0, 3), 'root@example.org', ...email.slice(4)])).code).toBe(0)
    expect((await run(['export', '--bulk'])).code).toBe(0)
    expect(ownersIn(home)).toEqual([uid])
    await (await serve(asUser)).stop()
  })

  test('where there is no DATA_DIR yet, the owner of the folder that it is made in', async () => {
    rmSync(home, { recursive: true })
    const deeper = commandLine(cwd, { DATA_DIR: join(cwd, 'new', 'data') })
    const { code, out } = await deeper.run(['restore', 'all.zst'])
    expect({ code, out }).toEqual({
      code: 0,
      out: `Restored. Everything belongs to uid ${uid}: start the service as that user.\n`,
    })
    expect(ownersIn(join(cwd, 'new'))).toEqual([uid])
    await (await deeper.serve(asUser)).stop()
    expect((await deeper.run([...email, '--json'], asUser)).err).toContain('There is an account')
  })

  test('a folder that may not be read is no missing database: permission, owner and uid are said', async () => {
    const foreign = commandLine(cwd, { DATA_DIR: home })
    await (await openEmbedded(home, { durable: false })).close()
    const sentence = (path: string, mode: string) =>
      `${path} cannot be used: permission denied. It belongs to uid 0 (mode ${mode}), and this process runs as uid ${uid}: `
    const refused = async () => {
      const { code, err } = await foreign.run(['serve'], asUser)
      expect(code).toBe(1)
      expect(err).not.toContain('move it away')
      return err
    }
    expect(await refused()).toContain(sentence(home, '0700'))
    chownTo(home)
    expect(await refused()).toContain(sentence(join(home, 'lock'), '0600'))
    chownTo(join(home, 'lock'))
    expect(await refused()).toContain(sentence(join(home, 'pg'), '0700'))
    for (const path of all(join(home, 'pg'))) chownTo(path)
    Bun.spawnSync(['chown', '0:0', join(home, 'pg', 'global', 'pg_control')])
    expect(await refused()).toContain(sentence(join(home, 'pg', 'global', 'pg_control'), '0600'))
  })

  const chownTo = (path: string) => void Bun.spawnSync(['chown', `${uid}:${uid}`, path])
})
