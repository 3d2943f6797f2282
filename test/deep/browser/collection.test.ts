import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { heading, submit, textOf } from '../../support/pages/chromium.ts'
import { visitDemo } from '../../support/pages/visit.ts'
import { until } from '../../support/until.ts'

type Kept = { data: { attributes: { card_id: string; status: string } }[] }

const visit = await visitDemo('the collection in the browser')
if (visit) {
  const { served, page, wrong, goTo, read, says, follow, confirm, expectFit, expectLight } = visit
  const { address } = served
  const finest = (await read('sets?filter[name]=1993 Finest Baseball'))[0]?.id
  const fleer = (await read('sets?filter[name]=1986-87 Fleer Basketball'))[0]?.id
  const jordan = (await read('cards?filter[name]=57 Michael Jordan RC'))[0]?.id
  const jordanTitle = '57 Michael Jordan RC · 1986-87 Fleer Basketball'

  const openFleer = () => goTo(`/sets/${fleer}`, '1986-87 Fleer Basketball')
  const press = (label: string) => page.locator(`button[aria-label="${label}"]`).click()
  const pressed = (label: string) =>
    page.waitForSelector(`button[aria-label="${label}"][aria-pressed=true]`, { timeout: 10_000 })
  const numbers = () =>
    page.$$eval('.card-row', (rows) =>
      rows.flatMap((row) => (row.checkVisibility() ? (row.querySelector('.to-card')?.textContent ?? '') : [])),
    )
  const button = (text: string) => page.locator(`xpath/.//main//button[normalize-space()='${text}']`).click()

  const empty = async () => {
    await button('Remove everything')
    await confirm()
    await says('Nothing here yet.')
  }

  test('cards of a set are ticked as had or wanted without being opened, counted, and there again tomorrow', async () => {
    await openFleer()
    expect(await textOf(page, '.mine strong')).toBe('0 of 143')
    await press('Have 1 Kareem Abdul-Jabbar')
    await press('Have 2 Alvan Adams')
    await press('Want 57 Michael Jordan RC')
    await pressed('Want 57 Michael Jordan RC')
    expect(await textOf(page, '.mine strong')).toBe('2 of 143')
    expect(page.url()).toBe(`${address}/sets/${fleer}`)
    await openFleer()
    await pressed('Have 1 Kareem Abdul-Jabbar')
    await press('Have 1 Kareem Abdul-Jabbar')
    await page.waitForFunction(() => document.querySelector('.mine strong')?.textContent === '1 of 143')
  })

  test('the keyboard ticks, and what is pressed is told to screen readers', async () => {
    await page.focus('button[aria-label="Have 3 Mark Aguirre RC"]')
    await page.keyboard.press('Space')
    await pressed('Have 3 Mark Aguirre RC')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await pressed('Want 3 Mark Aguirre RC')
    expect(await page.$eval('button[aria-label="Have 3 Mark Aguirre RC"]', (one) => one.ariaPressed)).toBe('false')
    await press('Have 3 Mark Aguirre RC')
    await pressed('Have 3 Mark Aguirre RC')
  })

  test('a checklist shows what the reader has, misses or wants', async () => {
    await button('Have')
    await page.waitForSelector('.shows-have')
    expect(await numbers()).toEqual(['2', '3'])
    await button('Want')
    await page.waitForSelector('.shows-want')
    expect(await numbers()).toEqual(['57'])
    await button('Missing')
    await page.waitForFunction(() => document.querySelectorAll('.card-row').length === 143)
    expect((await numbers()).length).toBe(141)
    expect(await page.$$eval('.group h3', (all) => all.map((one) => one.textContent))).toEqual([
      '1986-87 Fleer Basketball2 of 132',
      'Stickers11 cards',
    ])
  })

  test('a search and the page of a card tick the same collection', async () => {
    await goTo(`/cards/${jordan}`, jordanTitle)
    await pressed('Want 57 Michael Jordan RC')
    await goTo('/search?q=aguirre', 'Search: aguirre')
    await pressed('Have 3 Mark Aguirre RC')
    await goTo(`/sets/${finest}`, '1993 Finest Baseball')
    await page.locator('.card-row button.have').click()
    await page.waitForSelector('.card-row button.have[aria-pressed=true]')
  })

  test('the collection’s page has its sets with their progress, and a want list to print', async () => {
    await goTo('/collection', 'My collection')
    await says('1986-87 Fleer Basketball')
    expect(await page.$$eval('.collected .count:first-of-type', (all) => all.map((one) => one.textContent))).toEqual([
      '2 of 132',
      '1 of 199',
    ])
    await expectFit(async () => {
      await page.goto(`${address}/collection`)
      await page.waitForSelector('.collected')
    })
    await goTo('/collection/wants', 'My want list')
    expect(await textOf(page, '.boxes li')).toBe('57 Michael Jordan (Chicago Bulls) RC')
    await page.emulateMediaType('print')
    expect(await page.$eval('header', (header) => getComputedStyle(header).display)).toBe('none')
    await page.emulateMediaType()
  })

  test('the collection goes out as CSV and comes in again, and a link shows it to others, who are asked first', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cardstock-collection-'))
    const client = await page.createCDPSession()
    await client.send('Page.setDownloadBehavior', { behavior: 'allow', downloadPath: folder })
    await goTo('/collection', 'My collection')
    await says('Download as CSV')
    await button('Download as CSV')
    const file = join(folder, 'collection.csv')
    await until(() => Bun.file(file).exists())
    const text = await Bun.file(file).text()
    expect(text).toContain(`want,1986-87 Fleer Basketball,57,Michael Jordan,Chicago Bulls,,RC,,${jordan}`)
    expect(text.trim().split('\r\n').length).toBe(5)

    await page.evaluate(() => {
      navigator.clipboard.writeText = async (text) => void document.body.setAttribute('data-copied', text)
    })
    await button('Copy a link that shows it')
    await says('Copied')
    const link = await page.$eval('body', (body) => body.dataset.copied ?? '')
    await empty()

    await (await page.waitForSelector('input[type=file]'))?.uploadFile(file)
    await says('4 cards added.')
    await empty()
    await openFleer()
    await page.locator('.card-row:nth-child(9) button.have').click()
    await page.waitForSelector('.card-row:nth-child(9)[data-mark=have]')

    await page.goto(link)
    await heading(page, 'A collection that somebody shows you')
    await says('57 Michael Jordan (Chicago Bulls) RC')
    expect(await page.$$eval('.collected .count:first-of-type', (all) => all.map((one) => one.textContent))).toEqual([
      '2 of 132',
      '1 of 199',
    ])
    await button('Replace mine with it')
    await button('Cancel')
    await button('Add it to my collection')
    await heading(page, 'My collection')
    await says('3 of 132')
    rmSync(folder, { recursive: true })
  })

  test('a link that was cut off shows nothing, and says so', async () => {
    await page.goto(`${address}/collection#show1=AAAA`)
    await says('This link is cut off')
  })

  test('the rainbow of a card has its parallels side by side, with what is missing', async () => {
    const card = (await read('cards?filter[name]=1 David Justice'))[0]?.id
    await goTo(`/cards/${card}`, '1 David Justice · 1993 Finest Baseball')
    await follow('Side by side', 'Rainbow: 1 David Justice · 1993 Finest Baseball')
    expect(await page.$$eval('.spectrum .lacking', (all) => all.length)).toBe(1)
    expect(await textOf(page, '.lede')).toBe('You have 1 of 2')
    await page.locator('.lacking button.have').click()
    await says('You have 2 of 2')
    expect(await page.$('.lacking')).toBeNull()
    await expectFit(async () => {
      await page.goto(`${address}/cards/${card}/rainbow`)
      await page.waitForSelector('.spectrum')
    })
  })

  test.each(['/collection', '/collection/wants'])('%s loads little, and nothing in it jumps', (path) =>
    expectLight(path),
  )

  test('without JavaScript nothing is there to be ticked', async () => {
    await page.setJavaScriptEnabled(false)
    await page.goto(`${address}/sets/${fleer}`)
    const seen = await page.$$eval('.ticks, .mine', (all) => all.filter((one) => one.checkVisibility()).length)
    await page.setJavaScriptEnabled(true)
    expect(seen).toBe(0)
  })

  /** What the service keeps for the operator, by the cards' names. */
  const kept = () =>
    page.evaluate(async () => {
      const { data } = (await (await fetch('/v1/user/collection')).json()) as Kept
      return data.map(({ attributes: { card_id, status } }) => `${status} ${card_id}`).sort()
    })
  const keeps = (wanted: (all: string[]) => boolean) => until(async () => wanted(await kept()))

  test('after a sign-in the account has the browser’s cards, too, keeps its own, and hears of each tick', async () => {
    await page.goto(`${address}/signin?next=/sets/${fleer}`)
    const before = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('collection ')))
    expect(before.length).toBeGreaterThan(0)
    await goTo('/collection', 'My collection')
    const cards = await page.$$eval(
      '.counts strong',
      (all) => Number(all[0]?.textContent) + Number(all[1]?.textContent),
    )
    await page.goto(`${address}/signin?next=/sets/${fleer}`)
    await submit(page, { email: served.email, password: served.password })
    await heading(page, '1986-87 Fleer Basketball')
    await keeps((all) => all.length === cards && all.includes(`want ${jordan}`))
    await press('Have 57 Michael Jordan RC')
    await keeps((all) => all.includes(`have ${jordan}`))
    expect(await textOf(page, '.mine strong')).toBe('4 of 143')
    // Another browser of theirs changes it.
    await page.evaluate(async (card_id) => {
      const headers = { 'Content-Type': 'application/json' }
      const body = JSON.stringify({ cards: [{ card_id, status: null }] })
      await fetch('/v1/user/collection/batch', { method: 'POST', headers, body })
    }, jordan)
    await openFleer()
    await page.waitForFunction(() => document.querySelector('.mine strong')?.textContent === '3 of 143')
    await goTo('/collection', 'My collection')
    await says('Kept in your account.')
  })

  test('a sign-out takes the copy along, and the next sign-in brings it back', async () => {
    const all = (await kept()).length
    await goTo('/account/settings', 'Settings')
    await button('Sign out')
    await page.waitForFunction(() => !Object.keys(localStorage).some((key) => key.includes('collection ')))
    await page.goto(`${address}/signin?next=/collection`)
    await submit(page, { email: served.email, password: served.password })
    await heading(page, 'My collection')
    await says('1986-87 Fleer Basketball')
    expect((await kept()).length).toBe(all)
  })

  test('nothing went wrong behind the pages', () => {
    expect(wrong).toEqual([])
  })
}
