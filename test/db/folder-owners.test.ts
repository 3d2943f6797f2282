import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, copyFileSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../../db/embedded/open.ts'
import { commandLine } from '../support/command-line.ts'
import { builtExecutable } from '../support/executable.ts'
import { laxIn, treeOf } from '../support/folder-tree.ts'
import { ownDatabaseRuns } from '../support/own-database.ts'

const runs = ownDatabaseRuns('owners of the data directory')
const isRoot = process.getuid?.() === 0
if (!isRoot) console.log('skipped: owners of the data directory (only root may give files away)')
setDefaultTimeout(240_000)

const root = mkdtempSync(join(tmpdir(), 'cardstock-owners-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const email = ['user', 'create', '--email', 'ada@example.org', '--password', 'long enough']
const uid = 12_345

describe.skipIf(!runs || !isRoot)('as root, for a service of another user', () => {
  const cwd = join(root, 'service')
  const home = join(cwd, 'data')
  const { run, serve } = commandLine(cwd, { DATA_DIR: home })
  /** The executable alone: where Bun and its packages lie, that user may not read. */
  const asUser = { uid, program: [join(root, 'cardstock')] }
  const ownersIn = (folder: string) => [...new Set(treeOf(folder).map((path) => lstatSync(path).uid))]
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
      out: `Restored. Everything belongs to uid ${uid}, so start the service as that user.\n`,
    })
    expect(ownersIn(join(cwd, 'new'))).toEqual([uid])
    await (await deeper.serve(asUser)).stop()
    expect((await deeper.run([...email, '--json'], asUser)).err).toContain(
      'An account with this e-mail address already exists.',
    )
  })

  test('a folder that may not be read is no missing database: permission, owner and uid are said', async () => {
    const foreign = commandLine(cwd, { DATA_DIR: home })
    await (await openEmbedded(home, { durable: false })).close()
    const sentence = (path: string, mode: string) =>
      `${path} cannot be used: permission denied. It belongs to uid 0 (mode ${mode}), and this process runs as uid ${uid}. `
    const refused = async () => {
      const { code, err } = await foreign.run(['serve'], asUser)
      expect(code).toBe(1)
      expect(err).not.toContain('Move it away')
      return err
    }
    expect(await refused()).toContain(sentence(home, '0700'))
    chownTo(home)
    expect(await refused()).toContain(sentence(join(home, 'lock'), '0600'))
    chownTo(join(home, 'lock'))
    expect(await refused()).toContain(sentence(join(home, 'pg'), '0700'))
    for (const path of treeOf(join(home, 'pg'))) chownTo(path)
    Bun.spawnSync(['chown', '0:0', join(home, 'pg', 'global', 'pg_control')])
    expect(await refused()).toContain(sentence(join(home, 'pg', 'global', 'pg_control'), '0600'))
  })

  const chownTo = (path: string) => void Bun.spawnSync(['chown', `${uid}:${uid}`, path])
})
