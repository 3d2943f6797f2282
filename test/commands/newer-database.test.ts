import { expect, setDefaultTimeout, test } from 'bun:test'
import { version } from '../../src/version.ts'
import { serviceProcesses } from '../support/service-process.ts'

setDefaultTimeout(120_000)

const service = await serviceProcesses()
await service.withContext(
  ({ db }) => db.sql`insert into migrations (name, steps, finished_at) values ('9001_newer', 1, now())`,
)

const refusal = `The database has migrations that this Cardstock (${version}) does not know: 9001_newer.`

test('an executable refuses a database with migrations that it does not know: serve and every command that opens it', async () => {
  for (const words of [['serve'], ['migrate'], ['mirror', '--stop'], ['client', 'list'], ['export']]) {
    const { ended, log } = service.start(...words)
    expect([words, await ended()]).toEqual([words, 1])
    expect(log()).toContain(refusal)
  }
})
