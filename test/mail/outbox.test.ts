import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { confirmAddress, verifyAddress } from '../../src/mail/messages/account.ts'
import { welcome } from '../../src/mail/messages/trial.ts'
import { testApp } from '../support/app.ts'
import { runJobs } from '../support/jobs.ts'
import { mailsTo } from '../support/mail.ts'
import { anAddress, signingUp } from '../support/signing-up.ts'

const app = await testApp()
const { context, db, clock, lines } = app
const link = 'http://cards.example.org/verify#token=a-secret-token'
const folder = join(context.config.dataDir, 'outbox')
const now = () => ({ now: clock.now() })

describe('a mail without a key for Resend', () => {
  test('is one file that only its owner reads, and its subject, recipient and link are logged', async () => {
    await db.transaction((tx) => context.mail.queue(tx, 'ann@example.org', verifyAddress('cardstock', { link }), now()))
    expect(mailsTo(context, 'ann@example.org')).toEqual([])
    expect(await runJobs(context)).toMatchObject([{ name: 'send_mail', outcome: 'completed' }])
    const [mail, ...more] = mailsTo(context, 'Ann@example.org')
    expect(more).toEqual([])
    const subject = 'Verify your e-mail address for Cardstock'
    expect(mail).toMatchObject({ kind: 'verify_address', subject, link })
    expect(mail?.text).toContain(link)
    expect(mail?.text).toContain('/v1/signup/verify')
    expect(mail?.html).toContain(link)
    const [file = ''] = readdirSync(folder)
    expect([file.slice(-4), statSync(join(folder, file)).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([
      '.eml',
      0o600,
      0o700,
    ])
    const logged = lines.filter(({ event }) => event === 'mail')
    expect(logged).toMatchObject([{ level: 'info', fields: { to: 'ann@example.org', subject, link } }])
  })

  test('has its link logged only where APP_ENV is not production, where the log has no address either', async () => {
    const live = await testApp({ environment: { APP_ENV: 'production' } })
    await live.context.mail.queue(live.db, 'ann@example.org', verifyAddress('cardstock', { link }), now())
    await runJobs(live.context)
    expect(mailsTo(live.context, 'ann@example.org')).toMatchObject([{ link }])
    const logged = live.lines.filter(({ event }) => event === 'mail')
    const file = join(
      live.context.config.dataDir,
      'outbox',
      readdirSync(join(live.context.config.dataDir, 'outbox'))[0] ?? '',
    )
    expect(logged).toEqual([
      { level: 'info', event: 'mail', fields: { subject: 'Verify your e-mail address for Cardstock', file } },
    ])
    for (const secret of ['a-secret-token', 'ann@example.org']) expect(JSON.stringify(live.lines)).not.toContain(secret)
  })

  test('is not sent where the change that it tells of is rolled back', async () => {
    const refused = db.transaction(async (tx) => {
      await context.mail.queue(tx, 'bob@example.org', verifyAddress('cardstock', { link }), now())
      throw new Error('no')
    })
    await expect(refused).rejects.toThrow('no')
    await runJobs(context)
    expect(mailsTo(context, 'bob@example.org')).toEqual([])
  })

  test('is one mail under one key', async () => {
    const message = verifyAddress('cardstock', { link })
    for (let n = 0; n < 3; n++) await context.mail.queue(db, 'cy@example.org', message, { ...now(), key: 'welcome cy' })
    await runJobs(context)
    await context.mail.queue(db, 'cy@example.org', message, { ...now(), key: 'welcome cy' })
    await runJobs(context)
    expect(mailsTo(context, 'cy@example.org')).toHaveLength(1)
  })

  test('cannot be read in the database while it waits, and is gone from there when it is sent', async () => {
    await context.mail.queue(db, 'dee@example.org', verifyAddress('cardstock', { link }), now())
    const kept = async () => {
      const rows = await db.sql<{ row: string }[]>`select row_to_json(jobs)::text as row from jobs`
      return rows.map(({ row }) => row).join('\n')
    }
    const waiting = await kept()
    expect(waiting).toContain('sealed')
    for (const secret of ['a-secret-token', 'dee@', btoa('a-secret-token').slice(0, 12)])
      expect(waiting).not.toContain(secret)
    await runJobs(context)
    expect(await kept()).not.toContain('sealed')
  })

  test('that was queued under another secret fails for good, and says why', async () => {
    await context.mail.queue(db, 'eve@example.org', verifyAddress('cardstock', { link }), now())
    await db.sql`
      update jobs set payload = json_build_object('sealed', encode(sha256('x'), 'base64')) where status = 'queued'`
    expect(await runJobs(context)).toMatchObject([{ outcome: 'failed' }])
    const [job] = await db.sql`select last_error from jobs where status = 'failed'`
    expect(job?.last_error).toContain('APP_SECRET')
    lines.splice(0)
  })

  test.each([
    'a@example.org\r\nBcc: all@example.org',
    'a@example.org, b@example.org',
    'Somebody <a@example.org>',
    'no address',
  ])('to %j is not sent to anybody', async (address) => {
    const before = readdirSync(folder).length
    await context.mail.queue(db, address, verifyAddress('cardstock', { link }), now())
    expect(await runJobs(context)).toMatchObject([{ outcome: 'failed' }])
    expect(readdirSync(folder)).toHaveLength(before)
    lines.splice(0)
  })
})

describe('the file of a mail', () => {
  test('stays a mail whatever a name holds', async () => {
    const name = '<script>alert("x")</script>\r\nBcc: all@example.org\r\n\r\n& Söhne'
    const details = { name, baseUrl: 'https://x.example', trialEndsAt: new Date('2026-03-14T12:00:00Z') }
    await context.mail.queue(db, 'fay@example.org', welcome('cardstock', details), now())
    await runJobs(context)
    const [mail] = mailsTo(context, 'fay@example.org')
    expect(mail?.html).not.toContain('<script>')
    expect(mail?.html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;')
    expect(mail?.html).toContain('&amp; Söhne')
    expect(mail?.html).toContain('March 14, 2026')
    const file = readdirSync(folder).sort().at(-1) ?? ''
    const [head = ''] = readFileSync(join(folder, file), 'utf8').split('\r\n\r\n')
    expect(head).not.toContain('Bcc')
    expect(mail?.text).toStartWith('Welcome, <script>alert("x")</script> Bcc: all@example.org & Söhne\n')
  })

  test('gets no header of a name that was kept before names were one line', async () => {
    const { signUp, lastToken, verify } = signingUp(app)
    const email = anAddress()
    await signUp(email, { name: 'Eve' })
    const token = await lastToken(email)
    const name = 'Eve\r\nBcc: all@example.org\r\n\r\nA text of hers'
    await db.sql`update sign_ups set name = ${name} where email = ${email}`
    expect((await verify(token)).status).toBe(200)
    await runJobs(context)
    const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
    const [file = ''] = files.filter((eml) => eml.includes('A text of hers'))
    expect(file).toContain('Welcome, Eve Bcc: all@example.org A text of hers\r\n')
    expect(file.split('\r\n').filter((line) => /^Bcc:|^A text/.test(line))).toEqual([])
  })

  test('has a subject of one line, in ASCII, whatever stands in it', async () => {
    const message = { ...confirmAddress('cardstock', { link }), subject: 'Grüße\r\nBcc: all@example.org' }
    await context.mail.queue(db, 'gus@example.org', message, now())
    await runJobs(context)
    const [mail] = mailsTo(context, 'gus@example.org')
    const decoded = mail?.subject.replace(/=\?utf-8\?B\?([^?]*)\?= ?/g, (_, text) =>
      Buffer.from(text, 'base64').toString(),
    )
    expect(decoded).toBe('Grüße Bcc: all@example.org')
  })
})
