import { expect, test } from 'bun:test'
import { focusIs, heading, submit } from '../../support/pages/chromium.ts'
import { visitDemo } from '../../support/pages/visit.ts'

const visit = await visitDemo('keys of the pages')
if (visit) {
  const { served, page, wrong, goTo, says, read, expectFit } = visit
  const { address, email, password } = served
  const fleer = (await read('sets?filter[name]=1986-87 Fleer Basketball'))[0]?.id
  const jordan = (await read('cards?filter[name]=57 Michael Jordan RC'))[0]?.id
  const jordanTitle = '57 Michael Jordan RC · 1986-87 Fleer Basketball'

  const sheet = async () => {
    await page.keyboard.press('?')
    await page.waitForSelector('dialog kbd')
    return page.$$eval('dialog kbd', (all) => all.map(({ textContent }) => textContent))
  }
  const closed = async () => {
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => !document.querySelector('dialog'))
  }
  /** Waits until the row of this number has the focus. */
  const rowIs = (number: string) =>
    page.waitForFunction(
      (wanted) => document.activeElement?.closest('.card-row')?.textContent?.startsWith(wanted),
      {},
      number,
    )

  test('a visitor sees which keys there are, without those of operators', async () => {
    await goTo(`/sets/${fleer}`, '1986-87 Fleer Basketball')
    expect(await sheet()).toEqual(['/', 'j', 'k', 'Enter', 'Escape', '?'])
    await closed()
  })

  test('rows are walked and opened by keys', async () => {
    await page.keyboard.press('j')
    await rowIs('1')
    await page.keyboard.press('j')
    await rowIs('2')
    await page.keyboard.press('k')
    await rowIs('1')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => location.pathname.startsWith('/cards/'))
  })

  test('a key that is typed into a field is no shortcut', async () => {
    await goTo(`/sets/${fleer}`, '1986-87 Fleer Basketball')
    await page.keyboard.press('/')
    await focusIs(page, 'name', 'q')
    await page.keyboard.type('j?')
    expect(await page.$eval('#q', (input) => (input as HTMLInputElement).value)).toBe('j?')
    expect(await page.$('dialog')).toBeNull()
  })

  test('an operator edits, adds cards and opens the history by a key', async () => {
    await goTo(`/signin?next=/cards/${jordan}`, 'Sign in')
    await submit(page, { email, password })
    await heading(page, jordanTitle)
    await page.waitForSelector('.pencil')
    await page.keyboard.press('e')
    await focusIs(page, 'name', 'number')
    await page.keyboard.press('Escape')
    await focusIs(page, 'aria-label', 'Edit Number')
    await page.keyboard.press('h')
    await says('Nothing has changed since this record was created.')
    await closed()
    await page.goto(`${address}/sets/${fleer}`)
    await page.waitForSelector('.pencil')
    expect(await sheet()).toEqual(['/', 'j', 'k', 'Enter', 'e', 'h', 'n', 'Delete', 'Escape', '?'])
    await closed()
    await page.keyboard.press('n')
    await focusIs(page, 'name', 'player')
  })

  test('the sheet is accessible in light and dark, at a desk and on a telephone', () =>
    expectFit(async () => {
      await page.goto(`${address}/sets/${fleer}`)
      await page.waitForSelector('.pencil')
      await sheet()
    }))

  test('nothing went wrong behind the pages: no error, and nothing that the policy refused', () => {
    expect(wrong).toEqual([])
  })
}
