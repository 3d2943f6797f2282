import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../../src/config.ts'
import { type Context, openContext } from '../../../src/context.ts'
import { listJobs } from '../../../src/jobs/read.ts'
import { openLog } from '../../../src/lib/log.ts'
import { verifyAddress } from '../../../src/mail/messages/account.ts'
import { clonedDatabase } from '../../support/cloned-database.ts'
import { resendDouble } from '../../support/resend.ts'
import { until } from '../../support/until.ts'

const double = resendDouble()
const folder = mkdtempSync(join(tmpdir(), 'cardstock-mail-'))
const server = process.env.TEST_DATABASE_URL
const cloned = server ? await clonedDatabase(server) : undefined
const environment = {
  ...(cloned ? { DATABASE_URL: cloned.url } : {}),
  ...{ DATA_DIR: folder, APP_ENV: 'development', PORT: '0' },
  ...{ RESEND_API_KEY: 're_test', RESEND_BASE_URL: double.url, MAIL_FROM: 'cards@example.org' },
}
afterAll(async () => {
  await double.stop()
  await cloned?.drop()
  rmSync(folder, { recursive: true, force: true })
})

const main = join(import.meta.dir, '../../../src/main.ts')
const serve = () =>
  Bun.spawn([process.execPath, main, 'serve'], {
    env: { PATH: process.env.PATH, HOME: folder, ...environment },
    stdout: 'ignore',
    stderr: 'ignore',
  })

const withContext = async <T>(work: (context: Context) => Promise<T>) => {
  const context = await openContext(readConfig(environment), openLog('silent'))
  return work(context).finally(() => context.db.close())
}

test('a mail is neither lost nor sent twice by a server that is killed after Resend took it', async () => {
  const link = 'http://cards.example.org/verify#token=abc'
  await withContext(({ db, mail, clock }) =>
    db.transaction((tx) =>
      mail.queue(tx, 'ann@example.org', verifyAddress('cardstock', { link }), { now: clock.now() }),
    ),
  )
  double.faults.push('silent')
  const first = serve()
  await until(() => double.inbox.length === 1)
  first.kill('SIGKILL')
  await first.exited

  const second = serve()
  await until(() => double.requests() === 2)
  await Bun.sleep(300)
  second.kill('SIGTERM')
  expect(await second.exited).toBe(0)
  expect(double.inbox).toMatchObject([{ to: ['ann@example.org'] }])
  const jobs = await withContext(({ db }) => listJobs(db, { name: 'send_mail' }))
  expect(jobs).toMatchObject([{ status: 'completed', attempts: 2 }])
}, 60_000)
