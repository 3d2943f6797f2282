import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { waitSeconds } from '../../src/jobs/settle.ts'
import { verifyAddress } from '../../src/mail/messages/account.ts'
import { resendCarrier } from '../../src/mail/resend.ts'
import { testApp } from '../support/app.ts'
import { runJobs } from '../support/jobs.ts'
import { resendDouble } from '../support/resend.ts'

const double = resendDouble()
const app = await testApp({
  environment: { RESEND_API_KEY: 're_test', RESEND_BASE_URL: double.url, MAIL_FROM: 'Cards <cards@example.org>' },
})
const { context, db, clock, lines } = app
afterAll(() => double.stop())

const link = 'http://cards.example.org/verify#token=a-secret-token'
const message = verifyAddress('cardstock', { link })
const send = () => db.transaction((tx) => context.mail.queue(tx, 'ann@example.org', message, { now: clock.now() }))
const later = (attempt: number) => {
  clock.offsetSeconds += waitSeconds(attempt, 1) + 1
}

beforeEach(() => {
  double.inbox.length = 0
  double.faults.length = 0
  lines.length = 0
})

describe('a mail by Resend', () => {
  test('comes with sender, subject, HTML and text, and is neither logged nor written to a file', async () => {
    await send()
    expect(await runJobs(context)).toMatchObject([{ name: 'send_mail', outcome: 'completed' }])
    const { subject, html, text } = message
    expect(double.inbox).toMatchObject([
      { from: 'Cards <cards@example.org>', to: ['ann@example.org'], subject, html, text },
    ])
    const told = JSON.stringify(lines)
    for (const secret of ['ann@example.org', 'a-secret-token', 're_test']) expect(told).not.toContain(secret)
    expect(existsSync(join(context.config.dataDir, 'outbox'))).toBe(false)
  })

  test.each([
    { status: 500, name: 'application_error' },
    { status: 429, name: 'rate_limit_exceeded' },
    { status: 403, name: 'invalid_api_key' },
    { status: 409, name: 'concurrent_idempotent_requests' },
  ])('that is refused with $status $name is tried again and then sent once', async (fault) => {
    double.faults.push(fault, fault)
    await send()
    for (const attempt of [1, 2]) {
      expect(await runJobs(context)).toMatchObject([{ outcome: 'queued' }])
      later(attempt)
    }
    expect(await runJobs(context)).toMatchObject([{ outcome: 'completed' }])
    expect(double.inbox).toHaveLength(1)
  })

  test.each([
    { status: 422, name: 'validation_error' },
    { status: 400, name: 'invalid_parameter' },
  ])('that is refused with $status $name has failed at once, and its error names no address', async (fault) => {
    double.faults.push(fault)
    await send()
    const [job] = await runJobs(context)
    expect(job?.outcome).toBe('failed')
    const [row] = await db.sql`select last_error from jobs where id = ${job?.id ?? ''}`
    expect(row?.last_error).toBe(`Resend answered ${fault.status}: ${fault.name}.`)
    expect(JSON.stringify(lines)).not.toContain('example.org')
    lines.length = 0
  })

  test('that arrived though its answer was lost is not sent again by the next attempt', async () => {
    const given = { apiKey: 're_test', baseUrl: double.url }
    const impatient = resendCarrier({ ...given, answerSeconds: 0.2 })
    const mail = { id: Bun.randomUUIDv7(), to: 'bob@example.org', from: 'cards@example.org', message, now: clock.now() }
    double.faults.push('silent')
    // An attempt may be over before Resend has heard of it.
    while (double.inbox.length === 0)
      expect(await impatient(mail).catch((error: Error) => error.message)).toBe(
        'Resend answered nothing: application_error.',
      )
    await resendCarrier(given)(mail)
    expect(double.inbox).toHaveLength(1)
  })

  test('waits in the queue while Resend cannot be reached', async () => {
    const carry = resendCarrier({ apiKey: 're_test', baseUrl: 'http://127.0.0.1:1' })
    const mail = { id: Bun.randomUUIDv7(), to: 'bob@example.org', from: 'cards@example.org', message, now: clock.now() }
    expect(await carry(mail).catch((error: Error) => error.message)).toBe('Resend answered nothing: application_error.')
  })

  test('whose process was killed after Resend had it is not sent again', async () => {
    await send()
    const [job] = await db.sql<{ id: string; payload: { sealed: string } }[]>`
      select id, payload from jobs where status = 'queued'`
    await context.mail.send(job?.payload.sealed ?? '', job?.id ?? '', clock.now())
    expect(await runJobs(context)).toMatchObject([{ id: job?.id, outcome: 'completed' }])
    expect(double.inbox).toHaveLength(1)
  })
})
