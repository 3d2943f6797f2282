import { expect, test } from 'bun:test'
import { seriousFaults } from '../../support/pages/axe.ts'
import { heading, submit } from '../../support/pages/chromium.ts'
import { inEachLook } from '../../support/pages/looks.ts'
import { visitDemo } from '../../support/pages/visit.ts'

const visit = await visitDemo('the API page in a browser')
if (visit) {
  const { served, page, wrong } = visit
  const { address, email, password, key } = served
  const isClean = async () => expect(await seriousFaults(page)).toEqual([])
  // The page is large: it is asked four times a second, and not at each of its changes.
  const found = async (selector: string) => {
    await page.waitForFunction((one) => document.querySelector(one), { polling: 250, timeout: 30_000 }, selector)
    return page.$(selector)
  }
  // The page's own click: that of a mouse waits until the whole of it is painted.
  const pressThere = async (selector: string) =>
    (await found(selector))?.evaluate((button) => (button as HTMLElement).click())
  const text = async (selector: string) => (await found(selector))?.evaluate(({ textContent }) => textContent)
  /** Opens an operation, tries it out as it is filled in, and answers where it is on the page. */
  const execute = async (name: string) => {
    await page.goto('about:blank')
    await page.goto(`${address}/docs#/${name}`)
    const place = `#operations-${name.replace('/', '-')}`
    await pressThere(`${place} button.try-out__btn`)
    await pressThere(`${place} button.execute`)
    await found(`${place} .live-responses-table tbody .response-col_status`)
    return place
  }

  test('the first request of an operation returns records of this catalog, with the key that the tab was shown', async () => {
    await page.goto(`${address}/signin`)
    await submit(page, { email, password })
    await heading(page, 'Operations')
    await page.evaluate((shown) => sessionStorage.setItem('cardstock-key', shown), key)
    for (const name of ['Genres/listGenres', 'Sets/listSets', 'Cards/getCard', 'Players/listPlayerCards']) {
      const place = await execute(name)
      expect(await text(`${place} .curl-command .curl`)).toContain(`Bearer ${key}`)
      expect(await text(`${place} .live-responses-table tbody .response-col_status`)).toStartWith('200')
      const body = await text(`${place} .live-responses-table .response-col_description .microlight`)
      expect([name, body]).toEqual([name, expect.stringMatching(/"attributes"/)])
    }
  })

  test('operations are found by typing words, a path or a method, without a mouse', async () => {
    await page.goto('about:blank')
    await page.goto(`${address}/docs`)
    await found('.operation-filter-input')
    await page.keyboard.press('/')
    await page.keyboard.type('post merge')
    const shown = () => page.$$eval('.opblock-summary', (all) => all.map(({ textContent }) => textContent ?? ''))
    await page.waitForFunction(() => document.querySelectorAll('.opblock-summary').length === 1, { polling: 250 })
    expect(await shown()).toEqual([expect.stringMatching(/^POST.*internal.*merges/)])
    await isClean()
    await page.$eval('.operation-filter-input', (field) => (field as HTMLInputElement).select())
    await page.keyboard.type('cards of a set')
    const isFirst = () => /^GET\W*v1\W*cards\W*List/.test(document.querySelector('.opblock-summary')?.textContent ?? '')
    await page.waitForFunction(isFirst, { polling: 250 })
    await isClean()
  })

  const inLightAndDark = (width: number, open: () => Promise<unknown>) =>
    inEachLook(
      page,
      [
        { width, scheme: 'light', opens: true },
        { width, scheme: 'dark' },
      ],
      open,
      async () => {
        await isClean()
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      },
    )

  test.each([1440, 390])('the page is accessible in light and dark at %i pixels', async (width) => {
    await inLightAndDark(width, async () => {
      await execute('Sets/listSets')
      await page.waitForSelector('.microlight[tabindex]')
    })
  })

  test.each([1440, 390])('an operation that writes is accessible in light and dark at %i pixels', async (width) => {
    await inLightAndDark(width, async () => {
      await page.goto('about:blank')
      await page.goto(`${address}/docs#/Sets/createSet`)
      await found('#operations-Sets-createSet button.try-out__btn')
    })
  })

  test('nothing went wrong behind the page: no error, and nothing that the policy refused', () => {
    expect(wrong).toEqual([])
  })
}
