import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSnapshot, snapshotName } from '../db/embedded/snapshot.ts'
import { packName, packPages } from '../src/dashboard/files.ts'

/**
 * Builds dist/cardstock: one executable with the service, its pages, the embedded database, and an initial one, ready to
 * unpack.
 */
const root = join(import.meta.dir, '..')
const dist = join(root, 'dist')
const outfile = join(dist, 'cardstock')

mkdirSync(dist, { recursive: true })
const snapshot = join(dist, snapshotName)
writeFileSync(snapshot, await readSnapshot())
const pages = join(dist, packName)
writeFileSync(pages, await packPages())

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
    'src/start.ts',
    'db/embedded/worker.ts',
    snapshot,
    pages,
  ],
  { cwd: root, stdout: 'inherit', stderr: 'inherit' },
)
rmSync(snapshot)
rmSync(pages)
if (build.success) console.log(`${outfile} (${Math.round(Bun.file(outfile).size / 1e6)} MB)`)
process.exit(build.exitCode)
