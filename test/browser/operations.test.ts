import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, ElementHandle, Page } from 'puppeteer-core'
import { seriousFaults } from '../support/pages/axe.ts'
import { findChromium, heading, openTab, press, startChromium, submit, type Tab } from '../support/pages/chromium.ts'
import { type Served, serveDemo } from '../support/pages/executable.ts'

const chromium = findChromium('the operator console')
let served: Served
let browser: Browser
let tab: Tab
let page: Page
const folder = mkdtempSync(join(tmpdir(), 'cardstock-console-'))

beforeAll(async () => {
  if (!chromium) return
  ;[served, browser] = await Promise.all([serveDemo({ BATCH_INLINE_MAX: '2' }), startChromium(chromium)])
  tab = await openTab(browser)
  page = tab.page
  await page.goto(`${served.address}/signin?next=/operations`)
  await submit(page, { email: served.email, password: served.password })
  await heading(page, 'Operations')
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await served?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const open = async (path: string, title: string) => {
  await page.goto(`${served.address}/operations/${path}`)
  await heading(page, title)
}

const says = async (text: string) => {
  const isThere = (wanted: string) => document.querySelector('main')?.innerText.includes(wanted)
  await page.waitForFunction(isThere, {}, text).catch(async () => {
    throw new Error(`No “${text}”: ${await page.evaluate(() => document.body.innerText)}`)
  })
}

/** Chooses a file with this text where the page takes one. */
const give = async (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  const input = await page.waitForSelector('input[type=file]')
  await (input as ElementHandle<HTMLInputElement>).uploadFile(join(folder, name))
}

test.skipIf(!chromium)('an import tells how many rows are in, and which were refused and why', async () => {
  await open('imports', 'Imports')
  await give(
    '1990-fleer.csv',
    'genre,year,brand,number,player\nBaseball,1990,Fleer,1,Ken Griffey Jr.\nBaseball,1990,,2,Nobody\nBaseball,1990,Fleer,3,Barry Bonds\n',
  )
  await heading(page, 'Import')
  await says('1 row refused; the rest is in.')
  expect(await page.$$eval('section tbody td', (cells) => cells.map((cell) => cell.textContent))).toEqual([
    '1990-fleer.csv',
    '3',
    expect.stringMatching(/\w/),
  ])
  expect(await seriousFaults(page)).toEqual([])
})

test.skipIf(!chromium)('drafts get workflows, and a todo that is completed on the board moves its set on', async () => {
  await open('batches', 'Batches')
  await press(page, 'Give all these drafts a workflow')
  await says('got a workflow')
  await open('board?step=discover_sources', 'Board')
  await says('1990 Fleer')
  const status = await page.waitForSelector('aria/Status of 1990 Fleer')
  await status?.select('completed')
  await page.waitForFunction(() => !document.querySelector('main')?.innerText.includes('1990 Fleer'))
  await open('board?step=fetch', 'Board')
  await says('1990 Fleer')
  expect(await seriousFaults(page)).toEqual([])
})

test.skipIf(!chromium)('a batch is followed to its end, with the rows that failed', async () => {
  await open('batches', 'Batches')
  const rows = Array.from({ length: 5 }, () => ({
    type: 'cards',
    id: crypto.randomUUID(),
    attributes: { number: '1' },
  }))
  await give('batch.json', JSON.stringify({ data: rows }))
  await heading(page, 'Card batch')
  await says('5 rows failed; the rest is in.')
  expect(await seriousFaults(page)).toEqual([])
})

const places = [
  ['board', 'Board'],
  ['imports', 'Imports'],
  ['batches', 'Batches'],
  ['jobs', 'Jobs'],
] as const

test.skipIf(!chromium)(
  'no view has a serious fault, none is wider than 360 px, in light and dark',
  async () => {
    for (const [path, title] of places)
      for (const scheme of ['light', 'dark']) {
        await page.setViewport({ width: 360, height: 740 })
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
        await open(path, title)
        await page.waitForFunction(() => !document.querySelector('.placeholder'))
        expect({ path, scheme, faults: await seriousFaults(page) }).toEqual({ path, scheme, faults: [] })
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
      }
    expect(tab.wrong).toEqual([])
  },
  60_000,
)
