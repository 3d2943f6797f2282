import { expect, setDefaultTimeout, test } from 'bun:test'
import { endsFirst } from '../../support/ending.ts'
import { seriousFaults } from '../../support/pages/axe.ts'
import {
  findChromium,
  focusIs,
  heading,
  openTab,
  press,
  sharedChromium,
  submit,
  textOf,
} from '../../support/pages/chromium.ts'
import { serveHere } from '../../support/pages/in-process.ts'
import { anAddress, asking, goodPassword, later, mailsOf, signingUp } from '../../support/signing-up.ts'

const chromium = findChromium('what asks for the password again, and undoes a change of address, in a browser')
if (chromium) {
  const [browser, app] = await Promise.all([sharedChromium(chromium), serveHere({ FOUNDING_SLOTS: 'unlimited' })])
  setDefaultTimeout(240_000)
  const { join, signIn } = signingUp(app)
  const { page, wrong } = await openTab(browser)
  endsFirst(() => page.browserContext().close())

  const goTo = async (path: string, title: string) => {
    await page.goto(`${app.address}${path}`)
    await heading(page, title)
    await page.waitForFunction(() => !document.querySelector('.placeholder'))
  }
  const isClean = async () => expect(await seriousFaults(page)).toEqual([])
  const signInHere = async (email: string) => {
    await goTo('/signin?next=/account/settings', 'Sign in')
    await submit(page, { email, password: goodPassword })
    await heading(page, 'Settings')
  }
  const linkOf = async (email: string, kind: string) => {
    const { pathname, hash } = new URL((await mailsOf(app, email, kind)).at(-1)?.link ?? '')
    return pathname + hash
  }
  /** Fills in the field that asks for the password, in the form with the field of this name, and sends it. */
  const enterPassword = async (beside: string, password: string) => {
    const field = await page.waitForSelector(`form:has([name="${beside}"]) [name="current_password"]`)
    await field?.evaluate((input) => (input as HTMLInputElement).select())
    await field?.type(password)
    await field?.press('Enter')
  }

  test('a change of address asks for the current password where the session is old, and the link to the old address undoes it', async () => {
    const { email } = await join()
    const wanted = anAddress()
    await signInHere(email)
    await later(app, 1000, async () => {
      await submit(page, { email: wanted })
      await focusIs(page, 'name', 'current_password')
      expect(await textOf(page, '.fault')).toContain('Enter your current password')
      expect(await page.$('.notice.bad')).toBeNull()
      await isClean()
      await enterPassword('email', 'not the password')
      await page.waitForFunction(() =>
        document.querySelector('.fault')?.textContent?.includes('This is not the current'),
      )
      await enterPassword('email', goodPassword)
      expect(await textOf(page, '.notice')).toContain(wanted)
      await goTo(await linkOf(wanted, 'confirm_address'), 'Your new address')
      expect(await textOf(page, '.notice.good')).toContain(wanted)
      const undo = await linkOf(email, 'address_changed')
      await goTo(undo, 'Undo the address change')
      expect(new URL(page.url()).hash).toBe('')
      await isClean()
      expect((await signIn(email)).status).toBe(401)
      await press(page, 'Undo the change')
      expect(await textOf(page, '.notice.good')).toContain(`The account’s address is ${email} again`)
      await isClean()
      await page.locator("xpath/.//main//a[normalize-space()='Set a new one']").click()
      await heading(page, 'Forgot your password?')
      await goTo('/account/settings', 'Sign in')
      await goTo(undo, 'Undo the address change')
      await press(page, 'Undo the change')
      await heading(page, 'The link doesn’t work')
      await isClean()
      expect((await signIn(email)).status).toBe(201)
    })
    await goTo('/undo-email', 'The link doesn’t work')
  })

  test('the deletion of an account asks for the current password where the session is old', async () => {
    const { email } = await join()
    await signInHere(email)
    await later(app, 1000, async () => {
      await press(page, 'Delete account')
      await submit(page, { confirm_email: email })
      await focusIs(page, 'name', 'current_password')
      expect(await textOf(page, 'dialog .fault')).toContain('Enter your current password')
      await isClean()
      await enterPassword('confirm_email', goodPassword)
      await heading(page, 'Sign up')
      const gone = await app.stranger().post('/v1/session', asking('sessions', { email, password: goodPassword }))
      expect(gone.status).toBe(401)
    })
  })

  test('nothing went wrong behind the pages: no error, and nothing that the policy refused', () => {
    expect(wrong).toEqual([])
  })
}
