import { expect, test } from 'bun:test'
import { palette } from '../../../src/lib/palette.ts'
import * as account from '../../../src/mail/messages/account.ts'
import { escapeHtml } from '../../../src/mail/messages/layout.ts'
import * as trial from '../../../src/mail/messages/trial.ts'
import { webhookPaused } from '../../../src/mail/messages/webhook.ts'

const link = 'https://cards.example/base/verify#token=abc123&next="><script>'
const trialEndsAt = new Date('2026-03-14T23:59:59Z')

const messages = {
  verify_address: account.verifyAddress('cardstock', { link }),
  confirm_address: account.confirmAddress('cardstock', { link }),
  address_changed: account.addressChanged('cardstock', { link }),
  reset_password: account.resetPassword('cardstock', { link }),
  slot_free: account.slotFree('cardstock', { link }),
  welcome: trial.welcome('cardstock', { name: '<b>Ann</b>', baseUrl: 'https://cards.example', trialEndsAt }),
  trial_started: trial.trialStarted('cardstock', { link, trialEndsAt }),
  trial_reminder: trial.trialReminder('cardstock', { daysLeft: 7, link, sellsPlans: true }),
  webhook_paused: webhookPaused('cardstock', { host: '<b>Ann</b>', error: 'It answered 500.', link }),
  trial_suspended: trial.trialSuspended('cardstock', { link, sellsPlans: true }),
}

test.each(Object.entries(messages))(
  '%s says the same in HTML and text, under the brand, and nothing in it is markup',
  (kind, mail) => {
    expect(mail.kind).toBe(kind)
    expect(mail.subject).toContain('Cardstock')
    expect(mail.subject).not.toMatch(/[\r\n]/)
    expect(mail.text).toContain(mail.link as string)
    expect(mail.html).toContain(`href="${escapeHtml(mail.link as string)}"`)
    expect(mail.html).not.toMatch(/<script|<b>Ann/)
    expect(Math.max(...mail.html.split('\n').map((line) => line.length))).toBeLessThan(998)
    const [heading = ''] = mail.text.split('\n')
    expect(mail.html).toContain(`>${escapeHtml(heading)}</h1>`)
  },
)

test('the text names the call that redeems the token', () => {
  const { text } = messages.verify_address
  expect(text).toContain('curl -X POST https://cards.example/base/v1/signup/verify ')
  expect(text).toContain('"attributes":{"token":"abc123","password":"the password you chose"}}}')
})

test('a reminder counts the days; the last, whose end may lie on the next, says within a day', () => {
  const subjects = [7, 2, 1].map(
    (daysLeft) => trial.trialReminder('cardstock', { daysLeft, link, sellsPlans: true }).subject,
  )
  expect(subjects).toEqual([
    'Your Cardstock trial ends in 7 days',
    'Your Cardstock trial ends in 2 days',
    'Your Cardstock trial ends within a day',
  ])
})

test('the end of a trial leads to the plans on sale; where none are, the operator gives them', () => {
  const ends = [trial.trialReminder, trial.trialSuspended].flatMap((mail) =>
    [true, false].map((sellsPlans) => mail('cardstock', { daysLeft: 7, link, sellsPlans }).text),
  )
  expect(ends.map((text) => /Choose a plan/.test(text))).toEqual([true, false, true, false])
  expect(ends.map((text) => /operator of this service/.test(text))).toEqual([false, true, false, true])
})

test('a mail has the colors of the pages, and no other accent', () => {
  const { html } = messages.verify_address
  const colors: string[] = Object.values(palette.light)
  expect(html).toContain(`background:${palette.light.accent};color:${palette.light['on-accent']}`)
  expect([...new Set(html.match(/#[0-9a-f]{6}/g))].filter((color) => !colors.includes(color))).toEqual([])
})

test('a day is that of UTC', () => {
  expect(messages.welcome.text).toContain('March 14, 2026')
})
