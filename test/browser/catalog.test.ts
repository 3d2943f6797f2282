import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { aJpeg } from '../support/image.ts'
import { seriousFaults } from '../support/pages/axe.ts'
import { findChromium, heading, openTab, startChromium, submit, textOf } from '../support/pages/chromium.ts'
import { serveDemo } from '../support/pages/executable.ts'

setDefaultTimeout(60_000)

const chromium = findChromium('the catalog browser')
if (chromium) {
  const [browser, served] = await Promise.all([startChromium(chromium), serveDemo()])
  afterAll(() => Promise.all([browser.close(), served.stop()]))

  const { page, wrong } = await openTab(browser)
  const { address, email, password } = served

  const goTo = async (path: string, title: string) => {
    await page.goto(`${address}${path}`)
    await heading(page, title)
  }
  const follow = async (text: string, title: string) => {
    const link = await page.waitForSelector(`xpath/.//main//a[normalize-space()='${text}']`)
    await link?.click()
    await heading(page, title)
  }
  const read = async (path: string) => {
    const answer = await fetch(`${address}/v1/${path}`, { headers: { Authorization: `Bearer ${served.key}` } })
    return ((await answer.json()) as { data: { id: string }[] }).data
  }
  const fleer = (await read('sets?filter[name]=1986-87 Fleer Basketball'))[0]?.id
  const finest = (await read('sets?filter[name]=1993 Finest Baseball'))[0]?.id
  const jordan = (await read('cards?filter[name]=57 Michael Jordan RC'))[0]?.id
  const player = (await read('players?filter[full_name]=Michael Jordan'))[0]?.id

  const numbers = () =>
    page.$$eval('tbody td:first-child', (cells) => cells.map((cell) => parseInt(cell.textContent ?? '', 10)))

  test('a visitor comes from the start by genre and set to a card and its player, and back', async () => {
    await goTo('/', 'Trading cards, set by set')
    await follow('Basketball', 'Sets')
    await follow('1986-87 Fleer Basketball', '1986-87 Fleer Basketball')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    expect(await numbers()).toEqual(Array.from({ length: 100 }, (_, place) => place + 1))
    await follow('57 57 Michael Jordan RC', '57 Michael Jordan RC')
    await follow('Michael Jordan (Chicago Bulls)', 'Michael Jordan')
    expect(await page.$$eval('tbody tr', (rows) => rows.length)).toBe(2)
    await page.goBack()
    await heading(page, '57 Michael Jordan RC')
    await page.goBack()
    await heading(page, '1986-87 Fleer Basketball')
  })

  test('every page opens by its address alone, and where nothing is it says so', async () => {
    await goTo(`/sets/${fleer}?page=2`, '1986-87 Fleer Basketball')
    expect((await numbers())[0]).toBe(101)
    await goTo(`/cards/${jordan}`, '57 Michael Jordan RC')
    await goTo(`/players/${player}`, 'Michael Jordan')
    await goTo(`/sets/${crypto.randomUUID()}`, 'Not here')
  })

  test('a search finds sets, players and teams by a part of their names, or says that nothing is called so', async () => {
    await goTo('/', 'Trading cards, set by set')
    await submit(page, { q: 'bulls' })
    await heading(page, 'Search: bulls')
    expect(await textOf(page, 'main .section')).toContain('Chicago Bulls')
    await submit(page, { q: 'no such name' })
    await heading(page, 'Search: no such name')
    expect(await textOf(page, '.empty')).toContain('no such name')
  })

  test('a checklist of several pages prints whole, in the order of the numbers', async () => {
    await goTo(`/sets/${finest}`, '1993 Finest Baseball')
    await follow('Print the checklist', '1993 Finest Baseball')
    await page.waitForSelector('.boxes li')
    const lines = await page.$$eval('.boxes li', (items) => items.map(({ textContent }) => textContent ?? ''))
    expect(lines.length).toBe(199)
    expect(lines.map((line) => parseInt(line, 10))).toEqual(lines.map((_, place) => place + 1))
    await page.emulateMediaType('print')
    expect(await page.$eval('header', (header) => getComputedStyle(header).display)).toBe('none')
    await page.emulateMediaType()
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
    await goTo(`/cards/${jordan}`, '57 Michael Jordan RC')
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.images img')?.naturalWidth)
    expect(await page.$eval('.images img', ({ alt }) => alt)).toBe('57 Michael Jordan RC')
  })

  test('the keyboard leads past the navigation to the search, and what has the focus is seen', async () => {
    await goTo('/', 'Trading cards, set by set')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content')
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
    ['a sign-up', '/signup'],
    ['the way to start', '/getting-started'],
  ]

  test.each(pages)('%s is accessible in light and dark, and has room at 360 pixels', async (_, path) => {
    for (const [width, scheme] of [
      [1280, 'light'],
      [360, 'dark'],
    ] as const) {
      await page.setViewport({ width, height: 800 })
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
      await page.goto(`${address}${path}`)
      await page.waitForSelector('h1')
      await page.waitForFunction(() => !document.querySelector('.placeholder'))
      expect(await seriousFaults(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    }
    await page.setViewport({ width: 1280, height: 800 })
    await page.emulateMediaFeatures([])
  })

  test.each(pages)('%s first loads less than 150 kB beside images, and nothing in it jumps', async (what, path) => {
    const fresh = await openTab(browser)
    const client = await fresh.page.createCDPSession()
    const images = new Set<string>()
    let bytes = 0
    await client.send('Network.enable')
    client.on('Network.responseReceived', ({ requestId, type }) => type === 'Image' && images.add(requestId))
    client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (!images.has(requestId)) bytes += encodedDataLength
    })
    await fresh.page.evaluateOnNewDocument(() => {
      const kept = globalThis as unknown as { shift: number }
      kept.shift = 0
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) kept.shift += (entry as unknown as { value: number }).value
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await fresh.page.goto(`${address}${path}`)
    await fresh.page.waitForSelector('h1')
    await fresh.page.waitForFunction(() => !document.querySelector('.placeholder'))
    const shift = await fresh.page.evaluate(() => (globalThis as unknown as { shift: number }).shift)
    console.log(`${what}: ${(bytes / 1000).toFixed(1)} kB, layout shift ${shift.toFixed(3)}`)
    expect(bytes).toBeWithin(10_000, 150_000)
    expect(shift).toBeLessThan(0.01)
    await fresh.page.close()
  })

  test('an operator browses drafts, too, and is told which they are', async () => {
    await goTo('/signin?next=/sets', 'Sign in')
    await submit(page, { email, password })
    await heading(page, 'Sets')
    await page.waitForSelector('.rows .badge')
    expect(await textOf(page, '.rows li:has(.badge)')).toContain('2024 Topps Chrome')
    await follow('2024 Topps Chrome Baseball', '2024 Topps Chrome Baseball')
  })

  test('nothing went wrong behind the pages: no error, and nothing that the policy refused', () => {
    expect(wrong).toEqual([])
  })
}
