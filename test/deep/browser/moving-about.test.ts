import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { submit } from '../../support/pages/chromium.ts'
import { visitDemo } from '../../support/pages/visit.ts'

const visit = await visitDemo('the way through the pages and back in a browser')
if (visit) {
  const { served, page, wrong, goTo } = visit

  const file = join(tmpdir(), `cardstock-long-${process.pid}.csv`)
  const rows = Array.from({ length: 5100 }, (_, at) => `Baseball,1991,Long,Long Set,${at + 1},Player ${at + 1}`)
  writeFileSync(file, ['genre,year,brand,set,number,player', ...rows].join('\n'))
  await served.run('import', file, '--publish')
  const set = `/sets/${(await visit.read('sets?filter[name]=Long Set'))[0]?.id}`
  await page.setViewport({ width: 1000, height: 800 })

  /** Waits for the page of the checklist that begins with this number. */
  const begins = (number: number) =>
    page.waitForFunction(
      (wanted) => parseInt(document.querySelector('.to-card')?.textContent ?? '', 10) === wanted,
      {},
      number,
    )
  const isAt = (y: number) => page.waitForFunction((wanted) => Math.abs(scrollY - wanted) < 3, {}, y)
  const focused = () => page.evaluate(() => document.activeElement?.tagName)
  /** Scrolls as a person does, and lets the page rest. */
  const scroll = async (y: number) => {
    await page.evaluate((to) => scrollTo(0, to), y)
    await page.waitForFunction((wanted) => history.state?.y === wanted, {}, y)
  }

  test('the next page of a list is shown from its top, and has the focus', async () => {
    await goTo(`${set}?page=2`, 'Long Set')
    await begins(101)
    await page.locator('.pager a[rel=next]').click()
    await begins(201)
    await isAt(0)
    expect(await focused()).toBe('H1')
  })

  test('who comes back, and who loads a page again, is where they were', async () => {
    await goTo(`${set}?page=2`, 'Long Set')
    await begins(101)
    await scroll(1500)
    await page.$$eval('.to-card', (links) => (links[20] as HTMLElement).click())
    await page.waitForFunction(() => location.pathname.startsWith('/cards/'))
    await isAt(0)
    await page.goBack()
    await begins(101)
    await isAt(1500)
    await page.reload()
    await begins(101)
    await isAt(1500)
    await page.goForward()
    await page.waitForFunction(() => location.pathname.startsWith('/cards/'))
    await isAt(0)
  })

  test('a long checklist goes on to its end as it is scrolled, each row once and in its place', async () => {
    await goTo(set, 'Long Set')
    await page.waitForFunction(
      () => {
        scrollTo(0, document.documentElement.scrollHeight)
        return document.querySelectorAll('.card-row').length === 5100
      },
      { polling: 'raf' },
    )
    const numbers = await page.$$eval('.to-card', (all) => all.map((one) => Number(one.textContent)))
    expect(numbers).toEqual(Array.from({ length: 5100 }, (_, place) => place + 1))
    expect(await page.$eval('.pager', ({ textContent }) => textContent)).toBe('5,100 cards')
  })

  test('any page of a long list is leapt to, and one that there is not leads to the last', async () => {
    await goTo(`${set}?page=2`, 'Long Set')
    await submit(page, { page: '4' })
    await begins(301)
    expect(new URL(page.url()).search).toBe('?page=4')
    await goTo(`${set}?page=99`, 'Long Set')
    expect(await page.$('.card-row')).toBeNull()
    const last = await page.waitForSelector('.pager a')
    await last?.click()
    await begins(5001)
  })

  test('a checklist that is longer than what is printed at once prints part by part', async () => {
    const lines = () =>
      page.$$eval('.boxes li', (all) => [all.length, all[0]?.textContent, all.at(-1)?.textContent].map(String))
    await goTo(`${set}/print`, 'Long Set')
    await page.waitForSelector('.boxes')
    expect(await lines()).toEqual(['5000', '1 Player 1', '5000 Player 5000'])
    await page.locator('.pager a[rel=next]').click()
    await page.waitForFunction(() => document.querySelector('.boxes li')?.textContent === '5001 Player 5001')
    expect([await lines(), await page.$eval('.lede', ({ textContent }) => textContent)]).toEqual([
      ['100', '5001 Player 5001', '5100 Player 5100'],
      '5,001–5,100 of 5,100 cards',
    ])
  })

  test('an address that is written wrongly is no page, and a page of it is no reason to ask again', async () => {
    await goTo('/sets/%E0%A4%A', 'Page not found')
    await goTo('/sets?page=first', 'Sets')
    const notice = await page.waitForSelector('.notice.bad')
    expect(await notice?.evaluate(({ textContent }) => textContent)).toBe('Must be an integer of 1 or more.')
  })

  test('nothing went wrong behind the pages: no error, and nothing that the policy refused', () => {
    expect(wrong).toEqual([])
  })
}
