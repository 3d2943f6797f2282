import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ElementHandle, HTTPRequest } from 'puppeteer-core'
import { seriousFaults } from '../../support/pages/axe.ts'
import { heading, press } from '../../support/pages/chromium.ts'
import { visitConsole } from '../../support/pages/visit.ts'

const visit = await visitConsole('the operator console', { BATCH_INLINE_MAX: '2' })
if (visit) {
  const { page, wrong, goTo, says, read } = visit
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-console-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Chooses a file with this text where the page takes one. */
  const give = async (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    const input = await page.waitForSelector('input[type=file]')
    await (input as ElementHandle<HTMLInputElement>).uploadFile(join(folder, name))
  }

  /** Drops files from outside the browser where an element is. */
  const drop = async (selector: string, ...names: string[]) => {
    const client = await page.createCDPSession()
    const place = await page.waitForSelector(selector)
    await place?.scrollIntoView()
    const { x = 0, y = 0, width = 0, height = 0 } = (await place?.boundingBox()) ?? {}
    const data = { items: [], files: names.map((name) => join(folder, name)), dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await client.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data })
    await client.detach()
  }

  test('a checklist that is dropped on the page is imported, one at a time', async () => {
    const rows = (set: string) => `genre,year,brand,set,number,player\nBaseball,1991,Dropped,${set},1,Frank Thomas\n`
    for (const name of ['one', 'two']) writeFileSync(join(folder, `${name}.csv`), rows(name))
    await goTo('imports', 'Imports')
    await drop('.drop', 'one.csv', 'two.csv')
    await says('Only one file at a time.')
    await drop('h1', 'one.csv')
    await page.locator('aria/Publish the checklist’s sets').click()
    await drop('.drop', 'one.csv')
    await heading(page, 'Import')
    await says('Nothing has been written yet.')
    expect(await read('sets?scope=all&filter[name]=one')).toEqual([])
    await press(page, 'Import')
    await says('All rows were imported.')
    expect([
      (await read('sets?scope=all&filter[name]=one')).length,
      (await read('sets?filter[name]=two')).length,
    ]).toEqual([1, 0])
  })

  test('who goes on to another page while a checklist is sent stays there', async () => {
    await goTo('imports', 'Imports')
    const { promise: isSent, resolve: sent } = Promise.withResolvers<() => Promise<void>>()
    const hold = (request: HTTPRequest) =>
      request.method() === 'POST' ? sent(() => request.continue()) : void request.continue()
    await page.setRequestInterception(true)
    page.on('request', hold)
    await give('held.csv', 'genre,year,brand,number,player\nBaseball,1990,Fleer,4,Mark McGwire\n')
    const goOn = await isSent
    await page.locator('xpath/.//nav//a[.="Board"]').click()
    await heading(page, 'Board')
    const [answer] = await Promise.all([page.waitForResponse((one) => one.request().method() === 'POST'), goOn()])
    page.off('request', hold)
    await page.setRequestInterception(false)
    expect(answer.status()).toBe(202)
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    expect(await page.$eval('h1', ({ textContent }) => textContent)).toBe('Board')
  })

  test('an import tells how many rows are in, and which were refused and why', async () => {
    await goTo('imports', 'Imports')
    await give(
      '1990-fleer.csv',
      'genre,year,brand,number,player\nBaseball,1990,Fleer,1,Ken Griffey Jr.\nBaseball,1990,,2,Nobody\nBaseball,1990,Fleer,3,Barry Bonds\n',
    )
    await heading(page, 'Import')
    await says('1 row refused.')
    await press(page, 'Import')
    await says('1 row refused. The rest was imported.')
    expect(await page.$$eval('section tbody td', (cells) => cells.map((cell) => cell.textContent))).toEqual([
      '1990-fleer.csv',
      '3',
      expect.stringMatching(/\w/),
    ])
    expect(await seriousFaults(page)).toEqual([])
  })

  test('where all rows of an import are refused, nothing is said to be imported', async () => {
    await goTo('imports', 'Imports')
    await give('none.csv', 'genre,year,brand,number,player\nBaseball,1990,,1,Nobody\n')
    await heading(page, 'Import')
    await press(page, 'Import')
    await says('1 row refused. Nothing was imported.')
    expect(await page.$eval('main', ({ innerText }) => innerText)).not.toContain('The rest was imported.')
  })

  test('drafts get workflows, and a todo that is completed on the board moves its set on', async () => {
    await goTo('workflows', 'Workflows')
    await press(page, 'Give these drafts a workflow')
    await says('got a workflow')
    await goTo('board?step=discover_sources', 'Board')
    await says('1990 Fleer')
    const status = await page.waitForSelector('aria/Status of 1990 Fleer')
    await status?.select('completed')
    await page.waitForFunction(() => !document.querySelector('main')?.innerText.includes('1990 Fleer'))
    await goTo('board?step=fetch', 'Board')
    await says('1990 Fleer')
    expect(await seriousFaults(page)).toEqual([])
  })

  test('a batch is followed to its end, with the rows that failed', async () => {
    await goTo('batches', 'Batches')
    const rows = Array.from({ length: 5 }, () => ({
      type: 'cards',
      id: crypto.randomUUID(),
      attributes: { number: '1' },
    }))
    await give('batch.json', JSON.stringify({ data: rows }))
    await heading(page, 'Card batch')
    await says('5 rows failed. Nothing was written.')
    expect(await seriousFaults(page)).toEqual([])
  })

  test('a batch is written into the parallels of its sets, too, where that is asked for', async () => {
    const [finest] = await read('sets?filter[name]=1993 Finest Baseball')
    const [refractors] = await read('sets?scope=all&filter[name]=Refractors')
    const rows = ['801', '802'].map((number) => ({
      type: 'cards',
      id: crypto.randomUUID(),
      attributes: { number, title: 'From a batch' },
      relationships: { set: { data: { type: 'sets', id: finest?.id } } },
    }))
    const refractorsOf = (number: string) =>
      read(`cards?filter[set_id]=${refractors?.id}&filter[name]=${number} From a batch`)
    await goTo('batches', 'Batches')
    await give('plain.json', JSON.stringify({ data: rows.slice(0, 1) }))
    await says('All rows were written.')
    await goTo('batches', 'Batches')
    await page.locator('aria/Also write the cards to the parallels of their sets').click()
    await give('parallels.json', JSON.stringify({ data: rows.slice(1) }))
    await says('All rows were written.')
    expect([(await refractorsOf('801')).length, (await refractorsOf('802')).length]).toEqual([0, 1])
  })

  test('nothing went wrong behind the pages: no error, and nothing that the policy refused', () => {
    expect(wrong).toEqual([])
  })
}
