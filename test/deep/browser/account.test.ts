import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { seriousFaults } from '../../support/pages/axe.ts'
import { focusIs, heading, press, submit, textOf } from '../../support/pages/chromium.ts'
import { visitDemo } from '../../support/pages/visit.ts'
import { openStripeDouble } from '../../support/stripe/double.ts'
import { until } from '../../support/until.ts'

const stripe = openStripeDouble()
afterAll(() => stripe.close())
const visit = await visitDemo('the pages of an account in a browser', stripe.environment)
if (visit) {
  const { served, page, wrong, goTo, confirm, expectFit, expectLight } = visit
  await page.browserContext().overridePermissions(served.address, ['clipboard-read', 'clipboard-sanitized-write'])
  const email = 'ann@example.org'
  const password = 'correct horse battery'
  let key = ''

  const isAccepted = async (bearer: string) => {
    const answer = await fetch(`${served.address}/v1/sets`, { headers: { Authorization: `Bearer ${bearer}` } })
    return answer.status === 200
  }
  const receive = async (body: string, signature: string) => {
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Stripe-Signature': signature }
    return (await fetch(`${served.address}/webhooks/stripe`, { method: 'POST', headers, body })).status
  }
  const shown = () => textOf(page, '.notice.good code')
  const lastLink = async (to: string, count: number) => {
    await until(() => served.linksTo(to).length >= count)
    return new URL(served.linksTo(to)[count - 1] ?? '')
  }
  const isClean = async () => expect(await seriousFaults(page)).toEqual([])

  test('a sign-up says before what it costs afterwards', async () => {
    await goTo('/signup', 'Sign up')
    await page.waitForFunction(() =>
      document.body.textContent?.includes('Starter: 1,000 requests in 24 hours for $9 a month'),
    )
    await isClean()
  })

  test('a sign-up tells what is wrong beside the field, and then leads in three steps from a mail to a key that works', async () => {
    await goTo('/signup', 'Sign up')
    await isClean()
    await submit(page, { email, password, invite_code: 'no such code' })
    expect(await textOf(page, '.fault')).not.toBe('')
    await focusIs(page, 'name', 'invite_code')
    await isClean()
    await submit(page, { invite_code: '', name: 'Ann' })
    await heading(page, 'Check your e-mail')
    const { pathname, hash } = await lastLink(email, 1)
    let steps = 0
    const step = async (act: Promise<unknown>) => {
      steps++
      await act
    }
    await step(goTo(pathname + hash, 'Verify your address'))
    await isClean()
    await step(submit(page, { password }))
    await heading(page, 'Welcome')
    expect(new URL(page.url()).hash).toBe('')
    key = await shown()
    expect(await isAccepted(key)).toBeTrue()
    await step(press(page, 'Run it here: the first request'))
    await page.waitForSelector('aria/Copy the answer to the first request')
    expect(steps).toBeLessThanOrEqual(3)
    expect(await textOf(page, '.actions [role=status]')).toMatch(/^200, 9,99\d requests left$/)
    await page.locator('aria/Copy your key').click()
    await page.waitForFunction(() => document.querySelector('.copyable span')?.textContent === 'Copied')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
    await isClean()
    await goTo(pathname + hash, 'Verify your address')
    await submit(page, { password })
    await heading(page, 'The link doesn’t work')
    await isClean()
  })

  test('who is not signed in is asked to, and comes back to the page that was wanted', async () => {
    await goTo('/account/settings', 'Sign in')
    await submit(page, { email, password: 'a wrong password' })
    expect(await textOf(page, '.notice.bad')).toContain('password')
    await submit(page, { email, password })
    await heading(page, 'Settings')
    await isClean()
  })

  test('the overview shows the key, its window, its days with the limit, and the trial', async () => {
    await goTo('/account', 'Account')
    expect(await textOf(page, '.facts code')).toBe(`…${key.slice(-4)}`)
    expect(await textOf(page, '.progress span')).toMatch(/^\d of 10,000$/)
    await page.locator('.chart canvas').wait()
    expect(await textOf(page, '.chart details')).toContain('Your key’s limit: 10,000 requests')
    expect(await textOf(page, '.section:last-of-type .facts')).toMatch(/Trial.*trialing.*in 14 days/)
    await isClean()
  })

  test('a key is regenerated behind a confirmation: the old one ends, the new one is shown once', async () => {
    await goTo('/account', 'Account')
    await press(page, 'Regenerate key')
    await isClean()
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => !document.querySelector('dialog'))
    expect(await isAccepted(key)).toBeTrue()
    await press(page, 'Regenerate key')
    await confirm()
    const next = await shown()
    expect([await isAccepted(key), await isAccepted(next)]).toEqual([false, true])
    await page.reload()
    await heading(page, 'Account')
    await page.waitForFunction((end) => document.body.textContent?.includes(`…${end}`), {}, next.slice(-4))
    expect(await page.evaluate((secret) => document.body.textContent?.includes(secret), next)).toBeFalse()
    key = next
  })

  test('a client is made, gets a token with its secret, and is deleted', async () => {
    await goTo('/account/clients', 'Clients')
    await submit(page, { name: 'price-watcher' })
    const secret = await shown()
    const id = await textOf(page, 'td code')
    const token = await fetch(`${served.address}/oauth/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${id}:${secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
    const { access_token } = (await token.json()) as { access_token: string }
    expect(await isAccepted(access_token)).toBeTrue()
    await isClean()
    await press(page, 'Delete price-watcher')
    await confirm()
    await page.locator('.empty').wait()
    expect(await isAccepted(access_token)).toBeFalse()
  })

  test('a personal token is made with the scopes that the account may grant, and revoked', async () => {
    await goTo('/account/tokens', 'Tokens')
    expect(await page.$$eval('fieldset code', (codes) => codes.map(({ textContent }) => textContent))).toEqual([
      'read:published',
    ])
    await submit(page, { name: 'laptop' })
    const token = await shown()
    expect(await isAccepted(token)).toBeTrue()
    await isClean()
    await press(page, 'Revoke laptop')
    await confirm()
    await page.locator('.empty').wait()
    expect(await isAccepted(token)).toBeFalse()
  })

  test('the getting-started page has the address and the key that the tab was shown, and its examples run', async () => {
    await goTo('/getting-started', 'Getting started')
    const first = await textOf(page, 'pre code')
    expect(first).toContain(`curl -g '${served.address}/v1/sets`)
    expect(first).toContain(`Bearer ${key}`)
    const words = (await Bun.$`sh -c ${`${first} -s`}`.quiet()).json() as { data: unknown[] }
    expect(words.data.length).toBeGreaterThan(0)
    for (const label of ['the search for a player', 'the request for a player’s cards']) {
      await press(page, `Run it here: ${label}`)
      await page.waitForSelector(`aria/Copy the answer to ${label}`)
    }
    expect(await page.evaluate(() => document.body.textContent?.includes('PLAYER_ID'))).toBeFalse()
    const program = await page.$$eval('pre code', (codes) => codes.at(-1)?.textContent ?? '')
    const file = join(mkdtempSync(join(tmpdir(), 'cardstock-program-')), 'program.ts')
    writeFileSync(file, program)
    expect(await Bun.$`${process.execPath} ${file}`.text()).toStartWith('541 [')
    rmSync(dirname(file), { recursive: true })
    await isClean()
  })

  test('the pages of an account are accessible in light and dark, have room at 360 pixels, load little and do not jump', async () => {
    await goTo('/account/clients', 'Clients')
    await submit(page, { name: 'a-client-with-quite-a-long-name-that-goes-on' })
    await shown()
    for (const [path, title] of [
      ['/account/clients', 'Clients'],
      ['/account', 'Account'],
      ['/account/tokens', 'Tokens'],
      ['/account/settings', 'Settings'],
    ] as const) {
      await expectFit(() => goTo(path, title))
      await expectLight(path)
    }
  })

  test('a plan is bought at Stripe, is there without loading the page again, and is managed at Stripe', async () => {
    await goTo('/account', 'Account')
    const loss = await page.$$eval('.offer-panel', (all) =>
      all.map((one) => one.querySelector('.notice')?.textContent ?? ''),
    )
    expect(await page.$$eval('.offer-panel .figure', (all) => all.map((one) => one.textContent))).toEqual([
      '$9 a month',
      '$29 a month',
    ])
    expect(loss).toEqual([
      expect.stringMatching(
        /That’s less than you have now. Your 10,000 requests in 24 hours become 1,000.*You pay starting today/,
      ),
      expect.stringMatching(/^You pay starting today\. Your free trial, which would last until .*, ends early\.$/),
    ])
    await expectFit(() => goTo('/account', 'Account'))
    await press(page, 'Get Pro')
    await heading(page, 'Checkout')
    await page.locator('form:first-of-type button').click()
    await heading(page, 'Account')
    expect(await textOf(page, '.section:last-of-type > .notice')).toContain(
      'Thank you! Your payment is being confirmed',
    )
    expect(new URL(page.url()).search).toBe('')
    await isClean()
    for (const event of stripe.world.events) expect(await stripe.deliver(receive, event)).toBe(200)
    await page.waitForSelector('.notice.good')
    expect(await textOf(page, '.notice.good')).toMatch(
      /Thank you! You’re on Pro\. .* 10,000 requests in 24 hours\. The plan renews on/,
    )
    expect(await textOf(page, '.section:last-of-type .facts')).toMatch(/Pro: 10,000 .*\$29 a month.*active.*Renews/)
    await page.reload()
    await heading(page, 'Account')
    await page.waitForSelector('.section:last-of-type .facts')
    expect(await page.$('.section:last-of-type .notice')).toBeNull()
    expect(await page.$$eval('button', (all) => all.filter((one) => one.textContent?.startsWith('Get ')).length)).toBe(
      0,
    )
    await press(page, 'Manage billing')
    await page.waitForFunction((service) => location.origin !== service, {}, new URL(served.address).origin)
    expect(page.url()).toStartWith(`${stripe.origin}/portal/`)
  })

  test('the address changes by the link of a mail, the password by the one before, and a forgotten one by a link', async () => {
    await goTo('/account/settings', 'Settings')
    const other = 'ann.other@example.org'
    await submit(page, { email: other })
    expect(await textOf(page, '.notice')).toContain(other)
    const confirm = await lastLink(other, 1)
    await goTo(confirm.pathname + confirm.hash, 'Your new address')
    expect(await textOf(page, '.notice.good')).toContain(other)
    await isClean()
    await goTo('/account/settings', 'Settings')
    await submit(page, { current_password: password, password: 'a better password' })
    expect(await textOf(page, '.notice.good')).toContain('Your password has been changed')
    await press(page, 'Sign out')
    await heading(page, 'Sign in')
    await goTo('/forgot-password', 'Forgot your password?')
    await isClean()
    await submit(page, { email: other })
    const reset = await lastLink(other, 2)
    await goTo(reset.pathname + reset.hash, 'Set a new password')
    await isClean()
    await submit(page, { password })
    expect(await textOf(page, '.notice.good')).toContain('Your new password is set')
    await goTo('/signin', 'Sign in')
    await submit(page, { email: other, password })
    await heading(page, 'Account')
  })

  test('an account is deleted when its address is typed, and its key ends with it, also in the examples', async () => {
    await goTo('/account/settings', 'Settings')
    await press(page, 'Delete account')
    const goes = await textOf(page, 'dialog ul')
    expect(goes).toContain(`the key that ends in ${key.slice(-4)}`)
    expect(goes).toContain('the pro plan: Stripe cancels it now')
    await isClean()
    await submit(page, { confirm_email: 'somebody@example.org' })
    expect(await textOf(page, 'dialog .fault')).not.toBe('')
    await submit(page, { confirm_email: 'ann.other@example.org' })
    await heading(page, 'Sign up')
    expect(await textOf(page, '.notice.good')).toContain('Your account and everything in it has been deleted')
    expect(await isAccepted(key)).toBeFalse()
    await goTo('/getting-started', 'Getting started')
    expect(await page.$eval('#key', (field) => (field as HTMLInputElement).value)).toBe('')
  })

  test('nothing went wrong behind the pages: no error, and nothing that the policy refused', () => {
    expect(wrong).toEqual([])
  })
}
