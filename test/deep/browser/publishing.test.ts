import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seriousFaults } from '../../support/pages/axe.ts'
import { heading, press, submit, textOf } from '../../support/pages/chromium.ts'
import { visitConsole } from '../../support/pages/visit.ts'

const visit = await visitConsole('publishing in the pages')
if (visit) {
  const { served, page, wrong, goTo, says, confirm, expectFit, expectLight } = visit
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-publishing-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const importRows = async (rows: string[]) => {
    const file = join(folder, 'drafts.csv')
    writeFileSync(file, ['genre,year,set,parallel,number,player', ...rows].join('\n'))
    await served.run('import', file)
  }
  /** Whether somebody with a key that reads what is published finds sets of this name. */
  const readers = async (name: string) => {
    const query = new URLSearchParams({ scope: 'all', 'filter[name]': name })
    const answer = await fetch(`${served.address}/pages/v1/sets?${query}`)
    return ((await answer.json()) as { data: { attributes: { name: string } }[] }).data.length
  }
  /** Counts what a person presses. */
  let presses = 0
  const pressButton = (text: string) => {
    presses++
    return press(page, text)
  }
  const confirmed = () => {
    presses++
    return confirm()
  }

  test('an operator who signs in begins at the operations', async () => {
    await page.goto(`${served.address}/signin`)
    await submit(page, { email: served.email, password: served.password })
    await heading(page, 'Operations')
  })

  test('a draft is published with the drafts below it in two clicks from the start of operations, and its preview is true', async () => {
    await importRows([
      'Baseball,1999,1999 Fleer Brilliants,,1,Jim Thome',
      'Baseball,1999,1999 Fleer Brilliants,Gold,1,Jim Thome',
      'Baseball,1999,1999 Fleer Brilliants,Blue,1,Jim Thome',
    ])
    await goTo('', 'Operations')
    // Its own card, and those of the drafts below it.
    await says('1999 Fleer Brilliants 3 cards')
    await says('2 drafts.')
    presses = 0
    await pressButton('Publish 1999 Fleer Brilliants…')
    await says('3 sets with 3 cards')
    await says('1 player: Jim Thome')
    expect(await seriousFaults(page)).toEqual([])
    expect(await page.$$eval('dialog .choice', (all) => all.map(({ textContent }) => textContent))).toEqual([
      expect.stringContaining('Blue'),
      expect.stringContaining('Gold'),
    ])
    await confirmed()
    await says('Published: 3 sets with 3 cards.')
    expect(presses).toBeLessThanOrEqual(3)
    expect(await readers('1999 Fleer Brilliants')).toBe(1)
    await page.locator('.notice.good a').click()
    await page.waitForFunction(() => location.pathname.startsWith('/sets/'))
  })

  test('a draft that is not ticked stays one', async () => {
    await importRows([
      'Baseball,1998,1998 Fleer Metal,,1,Xander Longshot',
      'Baseball,1998,1998 Fleer Metal,Red,2,Cal Ripken',
    ])
    await goTo('', 'Operations')
    await press(page, 'Publish 1998 Fleer Metal…')
    await page.locator('dialog input[type=checkbox]').click()
    await says('1 set with 1 card')
    await says('1 player: Xander Longshot')
    await confirm()
    await says('Published: 1 set with 1 card.')
    expect(await readers('1998 Fleer Metal')).toBe(1)
    expect(await readers('1998 Fleer Metal Red')).toBe(0)
  })

  test('the step “publish” of a workflow publishes the set once the steps before are done, and is done with it', async () => {
    await importRows(['Baseball,1997,1997 Fleer Ultra,,1,Jose Canseco'])
    await goTo('', 'Operations')
    await page.locator(`xpath/.//main//a[.='1997 Fleer Ultra']`).click()
    await heading(page, '1997 Fleer Ultra')
    await press(page, 'Give it a workflow')
    for (const step of ['discover_sources', 'fetch', 'parse', 'populate']) {
      await page.waitForSelector(`#todo-${step}`)
      await page.select(`#todo-${step}`, 'skipped')
      await page.waitForFunction(
        (id) => (document.getElementById(id) as HTMLSelectElement).value === 'skipped',
        {},
        `todo-${step}`,
      )
    }
    await page.waitForFunction(() => document.querySelector('.progress span')?.textContent === '4 of 6')
    await press(page, 'Publish…')
    await says('Validate isn’t done.')
    await press(page, 'Cancel')
    await page.select('#todo-validate', 'completed')
    await page.waitForFunction(() => document.querySelector('.progress span')?.textContent === '5 of 6')
    await page.select('#todo-publish', 'completed')
    await says('1 set with 1 card')
    expect(await readers('1997 Fleer Ultra')).toBe(0)
    await confirm()
    await says('Published: 1 set with 1 card.')
    await page.waitForFunction(() => document.querySelector('.progress span')?.textContent === '6 of 6')
    expect(await readers('1997 Fleer Ultra')).toBe(1)
    expect(await textOf(page, '.facts .badge')).toBe('published')
  })

  test('a board on which nothing is to be done says where to begin, or that it is the filters', async () => {
    await goTo('board?status=review', 'Board')
    await says('Show everything pending')
    expect(await seriousFaults(page)).toEqual([])
  })

  test('a picture that is sent to the import is refused in words before it is sent', async () => {
    const picture = join(folder, 'scan.csv')
    writeFileSync(picture, new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70, 73, 70, 0, 1]))
    await goTo('imports', 'Imports')
    const input = await page.waitForSelector('.drop input')
    await (input as unknown as { uploadFile: (path: string) => Promise<void> }).uploadFile(picture)
    await says('scan.csv is a picture (JPEG)')
    expect(new URL(page.url()).pathname).toBe('/operations/imports')
  })

  test('names of 255 letters without a space have room at 360 pixels', async () => {
    const long = 'X'.repeat(255)
    await importRows([`Baseball,1996,${long},,1,${long}`])
    await expectFit(() => goTo('', 'Operations'))
    await page.setViewport({ width: 360, height: 740 })
    await page.locator(`xpath/.//main//a[.='${long}']`).click()
    await heading(page, long)
    await press(page, 'Publish…')
    await page.waitForSelector('dialog form')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    expect(await page.$eval('dialog', (dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0)
    await page.setViewport({ width: 1280, height: 800 })
    await expectLight('')
  })

  test('nothing went wrong behind the pages: no error, and nothing that the policy refused', () => {
    expect(wrong).toEqual([])
  })
}
