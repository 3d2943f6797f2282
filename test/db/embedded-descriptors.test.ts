import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseFiles } from '../../db/embedded/open-files.ts'

setDefaultTimeout(120_000)

const isLimited = Boolean(Bun.which('prlimit'))
if (!isLimited) console.log('skipped: an embedded database without free descriptors (needs prlimit)')

test('the embedded database keeps half of what the process may open at most, and what PostgreSQL needs', () => {
  expect([64, 128, 256, 1024, 1_048_576].map((limit) => databaseFiles(limit))).toEqual([64, 64, 128, 512, 1000])
})

test.skipIf(!isLimited)(
  'no free file descriptors: the embedded database answers, and one that broke down comes back',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cardstock-descriptors-'))
    const child = Bun.spawn(
      [
        'prlimit',
        '--nofile=200:200',
        process.execPath,
        join(import.meta.dir, '../support/without-descriptors.ts'),
        folder,
      ],
      { stdout: 'pipe', stderr: 'inherit' },
    )
    const said = await new Response(child.stdout).text()
    rmSync(folder, { recursive: true, force: true })
    expect(JSON.parse(said || '[]')).toEqual(['answered', 'broke down', 'answered', 'answered', 'answered'])
  },
)
