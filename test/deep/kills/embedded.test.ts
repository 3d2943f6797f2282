import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FolderInUse } from '../../../db/embedded/lock.ts'
import { openEmbedded } from '../../../db/embedded/open.ts'
import { ownDatabaseRuns } from '../../support/own-database.ts'
import { randomOf } from '../../support/random.ts'

const random = randomOf(35)

const runs = ownDatabaseRuns('kills of the embedded database')
setDefaultTimeout(300_000)

const folder = mkdtempSync(join(tmpdir(), 'cardstock-kill-'))
const writerPath = join(import.meta.dir, '../../support/writer.ts')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Line = { found?: { last: number; whole: number; rows: number }; acknowledged?: number }

/** A process that writes into the folder: `lines` grows as it says what it did. */
const startWriter = () => {
  const writer = Bun.spawn([process.execPath, writerPath, folder], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const lines: Line[] = []
  const heard = (async () => {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of writer.stdout) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = parts.pop() ?? ''
      lines.push(...parts.map((part) => JSON.parse(part) as Line))
    }
  })()
  const kill = async () => {
    writer.kill('SIGKILL')
    await writer.exited
    await heard
  }
  return { writer, lines, kill }
}

const until = async (happened: () => boolean) => {
  while (!happened()) await Bun.sleep(5)
}

test.skipIf(!runs)(
  'twenty kills in mid-write lose nothing that was acknowledged and leave no half of a transaction',
  async () => {
    let acknowledged = 0
    for (let kill = 1; kill <= 20; kill++) {
      const { writer, lines, kill: end } = startWriter()
      await until(() => lines.length > 1 || writer.exitCode !== null)
      await Bun.sleep(300 * random.next())
      await end()
      const found = lines[0]?.found
      expect(found?.last).toBeGreaterThanOrEqual(acknowledged)
      expect(found).toMatchObject({ whole: found?.last, rows: 2 * (found?.last ?? 0) })
      acknowledged = Math.max(...lines.map((line) => line.acknowledged ?? 0))
      expect(acknowledged).toBeGreaterThan(found?.last ?? 0)
    }
    const db = await openEmbedded(folder)
    const [row] = await db.sql`select count(*)::int as rows, max(id) as last from pairs`
    await db.close()
    expect(row?.last).toBeGreaterThanOrEqual(acknowledged)
    expect(row?.rows).toBe(2 * row?.last)
  },
)

test.skipIf(!runs)('a second process is refused while the first lives and let in once it was killed', async () => {
  const { writer, lines, kill } = startWriter()
  await until(() => lines.length > 0 || writer.exitCode !== null)
  const refusal = await openEmbedded(folder).catch((error: unknown) => error)
  await kill()
  expect(refusal).toBeInstanceOf(FolderInUse)
  expect((refusal as Error).message).toContain(`(pid ${writer.pid})`)
  const db = await openEmbedded(folder)
  await db.close()
})

test.skipIf(!runs)(
  'a start killed while it made the first database leaves a folder that the next start makes whole',
  async () => {
    const fresh = `${folder}-fresh`
    for (const milliseconds of [150, 300, 450]) {
      const starting = Bun.spawn([process.execPath, writerPath, fresh], { stdout: 'ignore' })
      await Bun.sleep(milliseconds)
      starting.kill('SIGKILL')
      await starting.exited
    }
    const db = await openEmbedded(fresh)
    const [row] = await db.sql`select count(*)::int as count from migrations where finished_at is null`
    await db.close()
    rmSync(fresh, { recursive: true, force: true })
    expect(row?.count).toBe(0)
  },
)
