import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ElementHandle } from 'puppeteer-core'
import { seriousFaults } from '../../support/pages/axe.ts'
import { heading, press, textOf } from '../../support/pages/chromium.ts'
import { visitConsole } from '../../support/pages/visit.ts'

const visit = await visitConsole('imports in a browser')
if (visit) {
  const { page, wrong, goTo, says, read, confirm, expectFit, expectLight } = visit
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-importing-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Chooses a file with these lines on the page of imports, and waits for what it would change. */
  const give = async (name: string, ...lines: string[]) => {
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`)
    await goTo('imports', 'Imports')
    const input = await page.waitForSelector('input[type=file]')
    await (input as ElementHandle<HTMLInputElement>).uploadFile(join(folder, name))
    await says('Nothing has been written yet.')
  }
  const cards = async (name: string) =>
    (await read(`cards?filter[name]=${encodeURIComponent(name)}`)) as unknown as {
      id: string
      attributes: { title: string | null }
    }[]
  const header = 'genre,year,set,number,player,title,Crd Color'
  /** Changes a card as a person does, by the API with the session. */
  const correct = (id: string, title: string) =>
    page.evaluate(
      async (id, title) => {
        const headers = { 'Content-Type': 'application/vnd.api+json', Accept: 'application/vnd.api+json' }
        const body = JSON.stringify({ data: { type: 'cards', id, attributes: { title } } })
        const { status } = await fetch(`/v2/cards/${id}`, { method: 'PATCH', headers, body })
        if (status !== 200) throw new Error(`The card answered ${status}.`)
      },
      id,
      title,
    )

  test('a file shows what it would change before anything is written, and is imported by one more press', async () => {
    await goTo('imports', 'Imports')
    await page.locator('aria/Publish the checklist’s sets').click()
    writeFileSync(
      join(folder, 'leaf.csv'),
      [header, 'Baseball,1948,1948 Leaf,1,Joe DiMaggio,,blue', 'Baseball,1948,1948 Leaf,8,Satchel Paige,,red'].join(
        '\n',
      ),
    )
    const input = await page.waitForSelector('input[type=file]')
    await (input as ElementHandle<HTMLInputElement>).uploadFile(join(folder, 'leaf.csv'))
    await says('Nothing has been written yet.')
    await says('Options: publish the sets.')
    await says('What would change: 3 sets and cards')
    await says('8 Satchel Paige')
    await says('Unread columns')
    expect(await cards('8 Satchel Paige')).toEqual([])
    expect(await seriousFaults(page)).toEqual([])
    await press(page, 'Import')
    await says('All rows were imported.')
    expect(await cards('8 Satchel Paige')).toHaveLength(1)
    await page.locator(`xpath/.//main//a[.='1948 Leaf']`).click()
    await heading(page, '1948 Leaf')
  })

  test('a heading that was not read is given its meaning, and the file is tried again so', async () => {
    await give('titles.csv', 'genre,year,set,number,player,Crd Ttl', 'Baseball,1949,1949 Leaf,4,Bob Feller,Night game')
    await says('Read “Crd Ttl” as')
    await page.select('select[name=heading-0]', 'title')
    await press(page, 'Try again')
    await says('title: Night game')
    await page.waitForFunction(() => !document.querySelector('main')?.innerText.includes('Crd Ttl'))
    expect(await page.evaluate(() => location.pathname)).toMatch(/^.operations.imports.[0-9a-f-]{36}$/)
  })

  test('what somebody corrected is kept, with both values, and the file’s is taken by a press; missing cards are listed', async () => {
    const [card] = await cards('1 Joe DiMaggio')
    await correct(card?.id ?? '', 'Yankee Clipper')
    await give('leaf.csv', header, 'Baseball,1948,1948 Leaf,1,Joe DiMaggio,Joltin Joe,blue')
    await says('Corrections kept: 1')
    await says('title is Yankee Clipper; the file says Joltin Joe')
    await says('Missing from the file: 1 card')
    await says('8 Satchel Paige')
    await press(page, 'Import')
    await says('All rows were imported.')
    await press(page, 'Use the file’s title of 1 Joe DiMaggio Joltin Joe')
    await says('Changed to the file’s value.')
    expect((await cards('1 Joe DiMaggio Joltin Joe'))[0]?.attributes.title).toBe('Joltin Joe')
  })

  test('who is on a card is taken from the file by a press, too', async () => {
    const rows = [header, 'Baseball,1947,1947 Leaf,1,Luke Appling,,']
    await give('people.csv', ...rows)
    await press(page, 'Import')
    await says('All rows were imported.')
    await page.evaluate(async () => {
      const headers = { 'Content-Type': 'application/vnd.api+json', 'X-Cardstock-Ignore-Status': 'true' }
      const answer = await fetch('/v2/cards?filter[name]=1 Luke Appling', { headers })
      const [{ id, type }] = ((await answer.json()) as { data: [{ id: string; type: string }] }).data
      const body = JSON.stringify({ data: { type, id, relationships: { oncard: { data: [] } } } })
      await fetch(`/v2/cards/${id}`, { method: 'PATCH', headers, body })
    })
    await give('people.csv', ...rows)
    await says('people is nothing; the file says Luke Appling')
    await press(page, 'Import')
    await press(page, 'Use the file’s people of 1 Luke Appling')
    await says('Changed to the file’s value.')
    const drafts = await page.evaluate(async () => {
      const headers = { 'X-Cardstock-Ignore-Status': 'true' }
      return (await fetch('/v2/cards?filter[name]=1 Luke Appling', { headers })).text()
    })
    expect(JSON.parse(drafts).data).toHaveLength(1)
  })

  test('an import is undone from its report, which says what stays as somebody had changed it', async () => {
    await give(
      'undone.csv',
      header,
      'Baseball,1950,1950 Bowman,1,Mel Parnell,,',
      'Baseball,1950,1950 Bowman,2,Vern Stephens,,',
    )
    await press(page, 'Import')
    await says('All rows were imported.')
    const operatorsCard = await page.evaluate(async () => {
      const headers = { 'X-Cardstock-Ignore-Status': 'true' }
      const answer = await fetch('/v2/cards?filter[name]=2 Vern Stephens', { headers })
      return ((await answer.json()) as { data: { id: string }[] }).data[0]?.id
    })
    await correct(operatorsCard ?? '', 'Red Sox')
    await press(page, 'Undo')
    await says('This deletes what the import created')
    expect(await seriousFaults(page)).toEqual([])
    await confirm()
    await says('because somebody has changed or used them.')
    await says('2 Vern Stephens Red Sox: Somebody has changed it since.')
    const [, told] = /What stays: (\d+) records/.exec(await textOf(page, 'main')) ?? []
    expect(await page.$$eval('.lot > li', ({ length }) => String(length))).toBe(told ?? '')
    expect(await textOf(page, 'main')).not.toContain('Bytes read')
    await goTo('imports', 'Imports')
    const first = (column: string) =>
      page.$$eval(`td[data-title="${column}"]`, (cells) => cells.slice(0, 2).map(({ innerText }) => innerText.trim()))
    expect(await first('Kind')).toEqual(['Undo', 'Import'])
    expect((await first('Status'))[1]).toContain('undone')
    expect(await first('By')).toEqual(['Demo operator', 'Demo operator'])
    expect((await first('File')).every((file) => file.startsWith('undone.csv'))).toBeTrue()
    // What a button in a table asks is broken into lines as elsewhere.
    await press(page, 'Undo')
    expect(await page.$eval('dialog', ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    await page.keyboard.press('Escape')
  })

  test('refused rows are listed, and come as a CSV to fix', async () => {
    await give('refused.csv', header, 'Baseball,1951,1951 Bowman,1,Whitey Ford,,', 'Baseball,1951,,2,Nobody,,')
    await says('Refused rows: 1')
    const href = await page.$eval('a[download]', (link) => link.getAttribute('href') ?? '')
    const text = await page.evaluate(async (path) => (await fetch(path)).text(), href)
    expect(text).toContain('refused_because')
    expect(text).toContain('Nobody')
  })

  test('a thousand changes are listed a part at a time, and grow as one scrolls', async () => {
    const rows = Array.from({ length: 1_100 }, (_, row) => `Baseball,1952,1952 Long,${row + 1},Player ${row % 50},,`)
    await give('long.csv', header, ...rows)
    await says('What would change: 1,101 sets and cards')
    await says('Showing the first 1,000.')
    const lines = () => page.$$eval('.lot > li', ({ length }) => length)
    const before = await lines()
    expect(before).toBeWithin(100, 1001)
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await page.waitForFunction((few) => document.querySelectorAll('.lot > li').length > few, {}, before)
    const path = (await page.evaluate(() => location.pathname)).slice('/operations/'.length)
    await expectFit(() => goTo(path, 'Import'))
    await expectLight('imports')
  })

  test('nothing went wrong behind the pages: no error, and nothing that the policy refused', () => {
    expect(wrong).toEqual([])
  })
}
