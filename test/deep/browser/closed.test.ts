import { expect, setDefaultTimeout, test } from 'bun:test'
import { endsFirst } from '../../support/ending.ts'
import { seriousFaults } from '../../support/pages/axe.ts'
import { findChromium, heading, openTab, sharedChromium, textOf } from '../../support/pages/chromium.ts'
import { serveHere } from '../../support/pages/in-process.ts'
import { aPerson } from '../../support/people.ts'

const chromium = findChromium('a catalog that is closed, and has nothing in it yet, in a browser')
if (chromium) {
  const [browser, app] = await Promise.all([sharedChromium(chromium), serveHere({ PUBLIC_CATALOG: 'false' })])
  setDefaultTimeout(240_000)
  const { page, wrong } = await openTab(browser)
  endsFirst(() => page.browserContext().close())

  test('visitors of a closed catalog are asked to sign in, and are led nowhere else', async () => {
    await page.goto(app.address)
    await heading(page, 'This catalog isn’t public')
    expect(await page.$('nav a[href="/sets"]')).toBeNull()
    expect(await seriousFaults(page)).toEqual([])
  })

  test('an operator finds the way into it, and where nothing is in it the way to import a checklist', async () => {
    const { session } = await aPerson(app, { operator: true })
    await page.browserContext().setCookie({ name: 'cardstock_session', value: session, domain: '127.0.0.1' })
    await page.goto(`${app.address}/getting-started`)
    await page.locator('nav a[href="/sets"]').click()
    await heading(page, 'Sets')
    expect(await textOf(page, '.empty')).toContain('Nothing is published yet.')
    expect(await seriousFaults(page)).toEqual([])
    await page.locator('.empty a').click()
    await heading(page, 'Imports')
    await page.waitForFunction(() => !document.querySelector('.placeholder'))
  })

  test('nothing went wrong behind the pages: no error, and nothing that the policy refused', () => {
    expect(wrong).toEqual([])
  })
}
