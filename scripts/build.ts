import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSnapshot, snapshotName } from '../db/embedded/snapshot.ts'
import { entries, gatherNotices, noticesName } from '../src/commands/notices/notices.ts'
import { packName, packPages } from '../src/dashboard/files.ts'
import { packClient } from './pack-client.ts'

/**
 * Builds dist/cardstock: one executable with the service, its pages, the embedded database, an initial one, ready to
 * unpack, and the notices of all that. Beside it, the package of the TypeScript client.
 */
const root = join(import.meta.dir, '..')
const dist = join(root, 'dist')
const outfile = join(dist, 'cardstock')

mkdirSync(dist, { recursive: true })
const snapshot = join(dist, snapshotName)
writeFileSync(snapshot, await readSnapshot())
const pages = join(dist, packName)
writeFileSync(pages, await packPages())
const notices = join(dist, noticesName)
writeFileSync(notices, await gatherNotices())

// Not minified, because Elysia reads the source text of the functions it gets.
const build = Bun.spawnSync(
  [
    process.execPath,
    'build',
    '--compile',
    '--splitting',
    `--outfile=${outfile}`,
    '--entry-naming=[name].[ext]',
    '--asset-naming=[name].[ext]',
    // Whatever folder it starts in, its settings are the environment's alone.
    '--no-compile-autoload-bunfig',
    '--no-compile-autoload-dotenv',
    ...entries,
    snapshot,
    pages,
    notices,
  ],
  { cwd: root, stdout: 'inherit', stderr: 'inherit' },
)
for (const file of [snapshot, pages, notices]) rmSync(file)
if (build.success) console.log(`${outfile} (${Math.round(Bun.file(outfile).size / 1e6)} MB)`)
if (!build.success) process.exit(build.exitCode)
const client = await packClient(dist)
console.log(`${client} (${Math.round(Bun.file(client).size / 1e3)} KB)`)
process.exit(0)
