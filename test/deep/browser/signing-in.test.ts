import { expect, setDefaultTimeout, test } from 'bun:test'
import { endsFirst } from '../../support/ending.ts'
import {
  findChromium,
  focusIs,
  heading,
  openTab,
  sharedChromium,
  submit,
  textOf,
} from '../../support/pages/chromium.ts'
import { serveHere } from '../../support/pages/in-process.ts'
import { anAddress, goodPassword, signingUp } from '../../support/signing-up.ts'

const chromium = findChromium('signing in, long passwords and ended plans in a browser')
if (chromium) {
  const [browser, app] = await Promise.all([sharedChromium(chromium), serveHere({ FOUNDING_SLOTS: 'unlimited' })])
  setDefaultTimeout(240_000)
  const { join } = signingUp(app)
  const { page, wrong } = await openTab(browser)
  endsFirst(() => page.browserContext().close())
  const goTo = async (path: string, title: string) => {
    await page.goto(`${app.address}${path}`)
    await heading(page, title)
    await page.waitForFunction(() => !document.querySelector('.placeholder'))
  }

  test('a sign-in leads to a page of this service, whatever the link said', async () => {
    const { email } = await join()
    for (const next of [
      'https://elsewhere.example/',
      '//elsewhere.example',
      '/\\elsewhere.example',
      '/\t/elsewhere.example',
      '/\n\\elsewhere.example',
    ]) {
      await goTo(`/signin?next=${encodeURIComponent(next)}`, 'Sign in')
      await submit(page, { email, password: goodPassword })
      await heading(page, 'Account')
      expect(page.url()).toBe(`${app.address}/account`)
    }
  })

  test('a password that is too long is refused, not cut', async () => {
    await goTo('/signup', 'Sign up')
    await page.locator('[name=email]').fill(anAddress())
    await page.type('[name=password]', 'x'.repeat(129))
    await submit(page, { name: 'Ann' })
    expect(await textOf(page, '.fault')).toContain('10 to 128')
    await focusIs(page, 'name', 'password')
  })

  test('a plan that has ended does not renew', async () => {
    const { email, id } = await join()
    await app.db.sql`
      update subscriptions set plan = 'pro', status = 'canceled', current_period_end = now() + interval '20 days',
        stripe_subscription_id = 'sub_ended' where user_id = ${id}`
    await goTo('/signin', 'Sign in')
    await submit(page, { email, password: goodPassword })
    await heading(page, 'Account')
    await page.waitForFunction(() => !document.querySelector('.placeholder'))
    const facts = await textOf(page, '.section:last-of-type .facts')
    expect(facts).toContain('canceled')
    expect(facts).not.toContain('Renews')
  })

  test('nothing went wrong behind the pages', () => expect(wrong).toEqual([]))
}
