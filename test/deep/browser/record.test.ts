import { expect, test } from 'bun:test'
import { seriousFaults } from '../../support/pages/axe.ts'
import { focusIs, heading, press, submit, textOf } from '../../support/pages/chromium.ts'
import { visitDemo } from '../../support/pages/visit.ts'

const visit = await visitDemo('history, publishing and deleting on the page of a record')
if (visit) {
  const { served, page, wrong, goTo, says, read, confirm, expectFit } = visit
  const { address, email, password } = served
  const jordan = (await read('cards?filter[name]=57 Michael Jordan RC'))[0]?.id
  const jordanTitle = '57 Michael Jordan RC · 1986-87 Fleer Basketball'

  /** The status of an address for a visitor, who has no cookie. */
  const forVisitors = async (path: string) => (await fetch(`${address}${path}`)).status
  const edit = async (label: string, name: string, value: string) => {
    await page.locator(`aria/Edit ${label}[role="button"]`).click()
    await focusIs(page, 'name', name)
    await page.keyboard.down('Control')
    await page.keyboard.press('a')
    await page.keyboard.up('Control')
    await page.keyboard.type(value)
    await page.keyboard.press('Enter')
    await says('Saved.')
  }
  const lines = () =>
    page.$$eval('.revisions ul li', (all) => all.map(({ textContent }) => textContent?.replace(/\s+/g, ' ') ?? ''))

  test('a record that nobody has changed says so in its history', async () => {
    await goTo(`/signin?next=/cards/${jordan}`, 'Sign in')
    await submit(page, { email, password })
    await heading(page, jordanTitle)
    await press(page, 'History')
    await says('Nothing has changed since this record was created.')
    expect(await seriousFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => !document.querySelector('dialog'))
    await page.waitForFunction(() => document.activeElement?.textContent === 'History')
  })

  test('the history says who changed what, in names, and a change is taken back there', async () => {
    await edit('Number', 'number', '57b')
    await heading(page, jordanTitle.replace('57', '57b'))
    await edit('On the card', 'player', 'Clyde Drexler')
    await heading(page, '57b Clyde Drexler RC · 1986-87 Fleer Basketball')
    await press(page, 'History')
    await page.waitForSelector('.revisions li')
    expect(await page.$$eval('.revisions strong', (all) => all.map(({ textContent }) => textContent))).toEqual(
      Array(2).fill(expect.stringMatching(/\w/)),
    )
    expect(await lines()).toEqual([
      expect.stringMatching(/^On the card: Michael Jordan.* → Clyde Drexler.*$/),
      'Number: 57 → 57b',
    ])
    expect(await seriousFaults(page)).toEqual([])
    await page.locator('.revisions > li:nth-child(2) button').click()
    await says('Reverted.')
    await page.waitForFunction(() => document.querySelectorAll('.revisions > li').length === 3)
    await page.locator('.revisions > li:nth-child(2) button').click()
    await page.waitForFunction(() => document.querySelectorAll('.revisions > li').length === 4)
    await press(page, 'Close')
    await heading(page, jordanTitle)
  })

  test('a draft opens where it is read, marked as one, is published there with all below it, and taken back', async () => {
    const draft = (await operatorSets('2024 Topps Chrome'))[0]
    const path = `/sets/${draft}`
    expect(await forVisitors(path)).toBe(404)
    await page.goto(`${address}${path}`)
    await page.waitForSelector('.badge.warning')
    await press(page, 'Publish…')
    await page.waitForSelector('dialog form')
    expect(await seriousFaults(page)).toEqual([])
    await confirm()
    await says('Published:')
    expect(await forVisitors(path)).toBe(200)
    await press(page, 'Unpublish…')
    await page.waitForSelector('dialog form')
    expect(await textOf(page, 'dialog')).toMatch(/The set and its \d+ cards? become a draft/)
    await confirm()
    await says('Unpublished. Only operators can see it now.')
    await page.waitForSelector('main .facts .badge.warning')
    expect(await forVisitors(path)).toBe(404)
  })

  /** The sets of a name that an operator sees, drafts among them. */
  const operatorSets = (name: string) =>
    page.evaluate(async (wanted) => {
      const query = new URLSearchParams({ 'filter[name][like]': wanted, 'filter[parent][null]': 'true' })
      const answer = await fetch(`/v2/sets?${query}`)
      return ((await answer.json()) as { data: { id: string }[] }).data.map(({ id }) => id)
    }, name)

  test('a card is deleted after a question, and comes back in its place', async () => {
    await goTo(`/cards/${jordan}`, jordanTitle)
    await press(page, 'Delete…')
    await says('Its pictures and identifiers are deleted, too.')
    await confirm()
    await says('Deleted.')
    expect(await forVisitors(`/cards/${jordan}`)).toBe(404)
    await page.locator('aria/Undo the deletion').click()
    await page.waitForFunction(() => !document.querySelector('main')?.textContent?.includes('Deleted.'))
    expect(await forVisitors(`/cards/${jordan}`)).toBe(200)
  })

  test('the history is accessible in light and dark, at a desk and on a telephone', () =>
    expectFit(async () => {
      await page.goto(`${address}/cards/${jordan}`)
      await press(page, 'History')
      await page.waitForSelector('.revisions li')
    }))

  test('nothing went wrong behind the pages: no error, and nothing that the policy refused', () => {
    expect(wrong).toEqual([])
  })
}
