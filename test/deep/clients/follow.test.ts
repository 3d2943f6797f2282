import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateCatalog } from '../../bench/generate.ts'
import { aToken, aUser } from '../../support/callers.ts'
import { aFollower } from '../../support/follower.ts'
import { freePort } from '../../support/free-port.ts'
import { runtimes } from '../../support/runtimes.ts'
import { serviceProcesses } from '../../support/service-process.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(600_000)

/** A catalog is generated on a server alone. The bench follows one of a million cards. */
const cards = 200_000
const server = process.env.TEST_DATABASE_URL
if (!server) console.log('skipped: the client follows a catalog (set TEST_DATABASE_URL to a PostgreSQL server)')

const folder = mkdtempSync(join(tmpdir(), 'cardstock-follower-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const port = freePort()
const url = `http://127.0.0.1:${port}`
const service = server ? await serviceProcesses({ PORT: String(port), BASE_URL: url }) : undefined

test.skipIf(!service)(
  'the client reads 200,000 cards from bulk files and the feed behind them in the memory that 50,000 records take',
  async () => {
    if (!service) return
    const token = await service.withContext(async (context) => {
      await generateCatalog(context.db, cards)
      return (await aToken(context as never, await aUser(context), ['read:published'])).secret
    })
    const { child } = await service.serve()
    // A service that starts for the first time makes bulk files.
    await service.withContext(({ db }) =>
      until(
        async () => (await db.sql`select from jobs where name = 'bulk_export' and status = 'completed'`).length > 0,
      ),
    )
    const rows = Array.from({ length: 2000 }, (_, n) => `Later,${n},Player ${n}`)
    const csv = join(folder, 'later.csv')
    writeFileSync(csv, `set,number,player\n${rows.join('\n')}\n`)
    expect(await service.start('import', csv, '--publish').ended()).toBe(0)
    const follow = await aFollower(folder)
    for (const runtime of runtimes()) {
      const { records, changes, megabytes, earlyMegabytes } = await follow(runtime, url, token)
      console.log(`${runtime}: ${Math.round(megabytes)} MB, ${Math.round(earlyMegabytes)} of it for 50,000 records`)
      // Every tenth set is a draft.
      expect(records.cards).toBe(cards * 0.9)
      expect(changes).toBeGreaterThanOrEqual(2000)
      expect(megabytes).toBeLessThan(earlyMegabytes * 1.3)
    }
    child.kill('SIGTERM')
    await child.exited
  },
)
