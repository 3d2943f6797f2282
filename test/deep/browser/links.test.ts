import { expect, setDefaultTimeout, test } from 'bun:test'
import { endsFirst } from '../../support/ending.ts'
import { seriousFaults } from '../../support/pages/axe.ts'
import { findChromium, heading, openTab, press, sharedChromium, submit, textOf } from '../../support/pages/chromium.ts'
import { serveHere } from '../../support/pages/in-process.ts'
import { anAddress, asking, day, goodPassword, later, mailsOf, signingUp } from '../../support/signing-up.ts'

const chromium = findChromium('links of mails that work no more, and where no page is, in a browser')
if (chromium) {
  const [browser, app] = await Promise.all([sharedChromium(chromium), serveHere({ FOUNDING_SLOTS: '3' })])
  setDefaultTimeout(240_000)
  const { signUp, lastToken, join, signIn } = signingUp(app)
  const joined = await join()
  const { page, wrong } = await openTab(browser)
  endsFirst(() => page.browserContext().close())

  const goTo = async (path: string, title: string) => {
    const answer = await page.goto(`${app.address}${path}`)
    await heading(page, title)
    expect(await seriousFaults(page)).toEqual([])
    return answer?.status()
  }
  /** Presses Tab until an element with this text or name has the focus, which must be seen. */
  const tabTo = async (wanted: string) => {
    for (let presses = 0; presses < 30; presses++) {
      await page.keyboard.press('Tab')
      const focus = await page.evaluate(() => {
        const element = document.activeElement as HTMLElement
        const { outlineStyle } = getComputedStyle(element)
        return { name: element.getAttribute('name') ?? element.textContent ?? '', outlineStyle }
      })
      if (focus.name === wanted) return expect(focus).toEqual({ name: wanted, outlineStyle: 'solid' })
    }
    throw new Error(`Tab does not lead to ${wanted}`)
  }

  test('a link that has expired sends another, and one that was used leads to signing in', async () => {
    const email = anAddress()
    await signUp(email)
    const token = await lastToken(email)
    await later(app, day + 60, async () => {
      await goTo(`/verify#token=${token}`, 'Verify your address')
      await submit(page, { password: goodPassword })
      await heading(page, 'The link has expired')
      await press(page, 'Send a new link')
      expect(await textOf(page, '.notice.good')).toContain('a new link is on its way')
      const next = await lastToken(email)
      expect(next).not.toBe(token)
      await goTo(`/verify#token=${next}`, 'Verify your address')
      await submit(page, { password: goodPassword })
      await heading(page, 'Welcome')
      await goTo(`/verify#token=${next}`, 'Verify your address')
      await submit(page, { password: goodPassword })
      await heading(page, 'The link doesn’t work')
    })
    await goTo('/verify', 'The link doesn’t work')
    expect(await page.$('main form')).toBeNull()
  })

  test('the page that verifies asks for the password and says so where it is not that sign-up’s', async () => {
    const [email, mine] = [anAddress(), 'the one that I chose']
    await signUp(email, { password: 'what an attacker chose' })
    const theirs = await lastToken(email)
    await goTo(`/verify#token=${theirs}`, 'Verify your address')
    await submit(page, { password: mine })
    await page.waitForSelector('.fault')
    expect(await textOf(page, '.fault')).toContain('not the password of the sign-up that this link belongs to')
    expect(await textOf(page, 'main')).toContain('somebody else used your address to sign up')
    expect(await seriousFaults(page)).toEqual([])
    await signUp(email, { password: mine })
    const own = await lastToken(email)
    expect(own).not.toBe(theirs)
    await goTo(`/verify#token=${own}`, 'Verify your address')
    await tabTo('password')
    await page.keyboard.type(mine)
    await page.keyboard.press('Enter')
    await heading(page, 'Welcome')
    await page.waitForSelector('main p')
    expect((await signIn(email, mine)).status).toBe(201)
  })

  test('a link for a password that is too old, was used or is not whole leads to another', async () => {
    const { email } = joined
    await app.stranger().post('/v1/user/password/forgot', asking('password_resets', { email }))
    const link = new URL((await mailsOf(app, email, 'reset_password'))[0]?.link ?? '')
    await later(app, 2 * 3600, async () => {
      await goTo(link.pathname + link.hash, 'Set a new password')
      await submit(page, { password: goodPassword })
      await heading(page, 'The link doesn’t work')
    })
    await goTo('/reset-password', 'The link doesn’t work')
    await page.locator('xpath/.//main//a').click()
    await heading(page, 'Forgot your password?')
    expect(await seriousFaults(page)).toEqual([])
  })

  test('a link for a new address that works no more says that the address is what it was', async () => {
    await goTo('/confirm-email#token=nothing', 'The link doesn’t work')
    expect(await textOf(page, 'main')).toContain('Your address hasn’t changed.')
  })

  test('where all places are taken a sign-up says so before and after, by the keyboard alone', async () => {
    await goTo('/signup', 'Sign up')
    expect(await textOf(page, '.notice.warning')).toContain('Every place is taken right now')
    expect(await textOf(page, '#after')).toContain('It’s free. After 14 days an administrator decides')
    await tabTo('Skip to content')
    await page.keyboard.press('Enter')
    for (const [name, value] of Object.entries({ email: anAddress(), password: goodPassword, name: 'Ben' })) {
      await tabTo(name)
      await page.keyboard.type(value)
    }
    await tabTo('Sign up')
    await page.keyboard.press('Enter')
    await heading(page, 'You’re on the waiting list')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    expect(await seriousFaults(page)).toEqual([])
  })

  test('the keyboard alone signs in, opens a dialog, leaves it by Escape where it was, and confirms it', async () => {
    const { email, key } = joined
    await goTo('/signin', 'Sign in')
    await tabTo('email')
    await page.keyboard.type(email)
    await tabTo('password')
    await page.keyboard.type(goodPassword)
    await page.keyboard.press('Enter')
    await heading(page, 'Account')
    await page.waitForSelector('.facts')
    await tabTo('Regenerate key')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog[open]')
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => !document.querySelector('dialog'))
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Regenerate key')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog[open]')
    await tabTo('Regenerate key')
    await page.keyboard.press('Enter')
    expect(await textOf(page, '.notice.good code')).not.toBe(key)
  })

  test('an unknown URL shows a browser a 404 page that links home', async () => {
    expect(await goTo('/sets/%E0%A4%A', 'Page not found')).toBe(404)
    expect(await goTo('/no-such-page', 'Page not found')).toBe(404)
    await page.locator('xpath/.//main//a').click()
    await heading(page, 'Trading cards, set by set')
  })

  test('nothing went wrong behind the pages: no error, and nothing that the policy refused', () => {
    expect(wrong).toEqual([])
  })
}
