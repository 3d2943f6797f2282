import { expect, test } from 'bun:test'
import { aJpeg } from '../../support/image.ts'
import { heading, submit, textOf } from '../../support/pages/chromium.ts'
import { visitDemo } from '../../support/pages/visit.ts'

const visit = await visitDemo('the catalog browser')
if (visit) {
  const { served, page, wrong, goTo, follow, read, expectFit, expectLight } = visit
  const { address, email, password } = served
  const fleer = (await read('sets?filter[name]=1986-87 Fleer Basketball'))[0]?.id
  const finest = (await read('sets?filter[name]=1993 Finest Baseball'))[0]?.id
  const jordan = (await read('cards?filter[name]=57 Michael Jordan RC'))[0]?.id
  const player = (await read('players?filter[full_name]=Michael Jordan'))[0]?.id

  const jordanTitle = '57 Michael Jordan RC · 1986-87 Fleer Basketball'

  const numbers = () =>
    page.$$eval('.card-row .to-card', (all) => all.map((one) => parseInt(one.textContent ?? '', 10)))
  const rows = (selector = '.card-row') =>
    page.$$eval(selector, (all) => all.map(({ textContent }) => textContent ?? ''))

  test('a visitor comes from the start by genre and set to a card and its player, and back', async () => {
    await goTo('/', 'Trading cards, set by set')
    await follow('Basketball', 'Sets')
    await follow('1986-87 Fleer Basketball', '1986-87 Fleer Basketball')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    expect((await numbers()).slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, place) => place + 1))
    await follow('57', jordanTitle)
    await follow('Michael Jordan', 'Michael Jordan')
    expect(await rows()).toEqual(Array(2).fill(expect.stringContaining('1986-87 Fleer Basketball')))
    await page.goBack()
    await heading(page, jordanTitle)
    await page.goBack()
    await heading(page, '1986-87 Fleer Basketball')
  })

  test('a press on the name in a row opens the card, and its last links open the team and the player', async () => {
    await goTo(`/sets/${fleer}`, '1986-87 Fleer Basketball')
    await page.locator(`xpath/.//*[contains(@class, 'card-row')]//*[.='Mark Aguirre']`).click()
    await heading(page, '3 Mark Aguirre RC · 1986-87 Fleer Basketball')
    await page.goBack()
    await heading(page, '1986-87 Fleer Basketball')
    await page.locator('aria/Mark Aguirre, player').click()
    await heading(page, 'Mark Aguirre')
    await page.goBack()
    await heading(page, '1986-87 Fleer Basketball')
    await page.locator('aria/Dallas Mavericks, team').click()
    await heading(page, 'Dallas Mavericks')
  })

  test('every page opens by its address alone, and where nothing is it says so', async () => {
    await goTo(`/sets/${fleer}?page=2`, '1986-87 Fleer Basketball')
    expect((await numbers())[0]).toBe(101)
    await goTo(`/cards/${jordan}`, jordanTitle)
    await goTo(`/players/${player}`, 'Michael Jordan')
    await goTo(`/sets/${crypto.randomUUID()}`, 'Not found')
  })

  test('a search finds cards, sets, players and teams by words with a wrong letter, or says that there is nothing', async () => {
    await goTo('/', 'Trading cards, set by set')
    await submit(page, { q: 'bulls' })
    await heading(page, 'Search: bulls')
    expect(await textOf(page, 'main .section')).toContain('Chicago Bulls')
    await submit(page, { q: 'micheal jordan' })
    await heading(page, 'Search: micheal jordan')
    expect(await page.$$eval('main .section h2', (titles) => titles.map((title) => title.textContent))).toEqual([
      'Players',
      'Cards',
    ])
    expect(await textOf(page, '.card-rows')).toContain('1986-87 Fleer Basketball')
    await submit(page, { q: 'fleer' })
    await heading(page, 'Search: fleer')
    expect((await rows()).filter((row) => !row.includes('1986-87 Fleer Basketball'))).toEqual([])
    await submit(page, { q: 'set:stickers' })
    await heading(page, 'Search: set:stickers')
    expect(await textOf(page, '.card-rows')).toContain('1986-87 Fleer Basketball › Stickers')
    await submit(page, { q: 'jordan -rookie -nosuchword' })
    await heading(page, 'Search: jordan -rookie -nosuchword')
    await submit(page, { q: 'nosuchname' })
    await heading(page, 'Search: nosuchname')
    expect(await textOf(page, '.empty')).toContain('nosuchname')
  })

  test('a search says where a query is wrong, offers records while one types, and goes on page by page', async () => {
    await submit(page, { q: 'jordan "fleer' })
    await heading(page, 'Search: jordan "fleer')
    expect(await textOf(page, '.notice.bad')).toBe('Did you mean jordan "fleer"?The quotation mark is not closed.')
    await page.locator('h1').click()
    await page.keyboard.press('/')
    await page.keyboard.type('michael jo')
    await page.waitForFunction(() => document.querySelector('.offer')?.textContent === 'Michael Jordanplayer')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await heading(page, 'Michael Jordan')
    await page.keyboard.press('/')
    await submit(page, { q: 'set:fleer' })
    await heading(page, 'Search: set:fleer')
    const first = await page.$eval('.to-card', (link) => link.getAttribute('href') ?? '')
    await page.click('.pager a[rel=next]')
    await page.waitForFunction((href) => !document.querySelector(`.to-card[href="${href}"]`), {}, first)
    expect((await rows()).length).toBeGreaterThan(0)
  })

  test('a checklist of several pages prints whole, in the order of the numbers', async () => {
    await goTo(`/sets/${finest}`, '1993 Finest Baseball')
    await page.select('select[name="parallels"]', 'no')
    await page.waitForSelector('a[href$="/print?parallels=no"]')
    await follow('Print checklist', '1993 Finest Baseball')
    await page.waitForSelector('.boxes li')
    const lines = await page.$$eval('.boxes li', (items) => items.map(({ textContent }) => textContent ?? ''))
    expect(lines.length).toBe(199)
    expect(lines.map((line) => parseInt(line, 10))).toEqual(lines.map((_, place) => place + 1))
    await page.emulateMediaType('print')
    expect(await page.$eval('header', (header) => getComputedStyle(header).display)).toBe('none')
    await page.emulateMediaType()
    await goTo(`/sets/${fleer}/print`, '1986-87 Fleer Basketball')
    expect(await textOf(page, '.boxes li:nth-child(57)')).toBe('57 Michael Jordan (Chicago Bulls) RC')
    expect(await rows('h2')).toEqual(['1986-87 Fleer Basketball', 'Stickers'])
    const today = await page.evaluate(() => new Date().toISOString().slice(0, 4))
    expect(await textOf(page, 'main > p.faint')).toEndWith(today)
  })

  test('a card shows its image', async () => {
    const session = await fetch(`${address}/v1/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/vnd.api+json' },
      body: JSON.stringify({ data: { type: 'sessions', attributes: { email, password } } }),
    })
    const { meta } = (await session.json()) as { meta: { token: string } }
    await fetch(`${address}/v1/card-images?card_id=${jordan}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${meta.token}`, 'Content-Type': 'image/jpeg' },
      body: Buffer.from(await aJpeg(500, 700)),
    })
    await goTo(`/cards/${jordan}`, jordanTitle)
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.images img')?.naturalWidth)
    expect(await page.$eval('.images img', ({ alt }) => alt)).toBe('57 Michael Jordan RC')
    await goTo(`/sets/${fleer}?image=yes`, '1986-87 Fleer Basketball')
    expect(await numbers()).toEqual([57])
    expect(await page.$eval('.strip img', ({ alt }) => alt)).toBe('57 Michael Jordan RC')
  })

  test('the keyboard leads past the navigation to the search, and what has the focus is seen', async () => {
    await goTo('/', 'Trading cards, set by set')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    const focus = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement
      return { name: element.getAttribute('name'), outline: getComputedStyle(element).outlineStyle }
    })
    expect(focus).toEqual({ name: 'q', outline: 'solid' })
    await page.keyboard.type('jordan')
    await page.keyboard.press('Enter')
    await heading(page, 'Search: jordan')
  })

  const pages: [string, string][] = [
    ['the start', '/'],
    ['the list of sets', '/sets'],
    ['a set', `/sets/${fleer}`],
    ['a set for paper', `/sets/${finest}/print`],
    ['a card', `/cards/${jordan}`],
    ['a player', `/players/${player}`],
    ['a search', '/search?q=fleer'],
    ['a search in pictures', '/search?q=jordan&view=grid'],
    ['the syntax of a search', '/search/syntax'],
    ['a sign-up', '/signup'],
    ['the way to start', '/getting-started'],
  ]

  test.each(pages)('%s is accessible in light and dark, and has room at 360 pixels', async (_, path) => {
    await expectFit(async () => {
      await page.goto(`${address}${path}`)
      await page.waitForSelector('h1')
      await page.waitForFunction(() => !document.querySelector('.placeholder'))
    })
  })

  test.each(pages)('%s first loads less than 150 kB beside images, and nothing in it jumps', (_, path) =>
    expectLight(path),
  )

  test('an operator browses drafts, too, and is told which they are', async () => {
    await goTo('/signin?next=/sets', 'Sign in')
    await submit(page, { email, password })
    await heading(page, 'Sets')
    await page.waitForSelector('.rows .badge')
    expect(await textOf(page, '.rows li:has(.badge)')).toContain('2024 Topps Chrome')
    await follow('2024 Topps Chrome Baseball', '2024 Topps Chrome Baseball')
  })

  /** Sends a document as the operator who is signed in. */
  const send = (path: string, body: object) =>
    page.evaluate(
      async (to, text) => {
        const headers = { 'Content-Type': 'application/vnd.api+json' }
        const answer = await fetch(to, { method: 'POST', headers, body: text })
        return (await answer.json()) as { data: { id: string } }
      },
      path,
      JSON.stringify(body),
    )
  const create = async (path: string, data: object) => (await send(`/v1/${path}`, { data })).data

  test('a card leads to its parallels, each with the set that it is of', async () => {
    const status = 'published'
    const set = await create('sets', { type: 'sets', attributes: { name: 'Holograms', status } })
    const gold = { name: 'Gold', status, kind: 'parallel', parent_id: set.id }
    await create('sets', { type: 'sets', attributes: gold })
    const card = {
      ...{ type: 'cards', id: crypto.randomUUID(), attributes: { number: '1', title: 'Eagle' } },
      relationships: { set: { data: { type: 'sets', id: set.id } } },
    }
    await send('/internal/card-batches', { data: [card], meta: { propagate: true } })
    await goTo(`/cards/${card.id}`, '1 Eagle · Holograms')
    expect(await rows('.rainbow a')).toEqual(['Holograms: 1 Eagle', 'Gold: 1 Eagle'])
    await follow('Gold: 1 Eagle', '1 Eagle · Gold · Holograms')
    await page.waitForFunction(() => document.querySelector('.crumbs')?.textContent === 'SetsHologramsGold')
  })

  test('names of 255 characters without a space keep to the width of a telephone', async () => {
    const long = 'W'.repeat(255)
    const attributes = { name: long, description: long, status: 'published' }
    const bearer = await create('players', { type: 'players', attributes: { first_name: long, last_name: long } })
    const set = await create('sets', { type: 'sets', attributes })
    const card = await create('cards', {
      type: 'cards',
      attributes: { number: long, serial_number: long, title: long },
      relationships: {
        set: { data: { type: 'sets', id: set.id } },
        oncard: { data: [{ type: 'players', id: bearer.id }] },
      },
    })
    await page.setViewport({ width: 360, height: 800 })
    for (const path of [
      '/sets',
      `/sets/${set.id}`,
      `/cards/${card.id}`,
      `/players/${bearer.id}`,
      `/search?q=${long}`,
    ]) {
      await page.goto(`${address}${path}`)
      await page.waitForFunction(() => document.querySelector('main')?.textContent?.includes('WWWWW'))
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect({ path, isWithin: width <= 360 }).toEqual({ path, isWithin: true })
    }
  })

  test('nothing went wrong behind the pages: no error, and nothing that the policy refused', () => {
    expect(wrong).toEqual([])
  })
}
