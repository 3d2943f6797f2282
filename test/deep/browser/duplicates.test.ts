import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seriousFaults } from '../../support/pages/axe.ts'
import { heading, press } from '../../support/pages/chromium.ts'
import { visitConsole } from '../../support/pages/visit.ts'

const visit = await visitConsole('duplicates, merges and splits in a browser')
if (visit) {
  const { served, page, wrong, goTo, says, expectFit, expectLight } = visit
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-duplicates-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const importRows = async (...rows: string[]) => {
    const file = join(folder, 'cards.csv')
    writeFileSync(file, ['genre,year,set,number,player,team', ...rows].join('\n'))
    await served.run('import', file, '--publish')
  }
  /** The players of a name, by the API. */
  const players = (name: string) => visit.read(`players?filter[full_name]=${encodeURIComponent(name)}`)
  /** Gives a player another spelling of a name that somebody has: an import makes no second record of those. */
  const respell = async (name: string, spelling: string) => {
    const [player] = await players(name)
    await served.run('rename', 'players', player?.id ?? '', spelling)
  }
  const openPage = async (path: string, title: string) => {
    await page.goto(`${served.address}${path}`)
    await heading(page, title)
  }
  /** Counts what a person presses. */
  let presses = 0
  const pressed = async (press: Promise<unknown>) => {
    presses++
    await press
  }
  const key = (one: 'm' | 'd' | 's' | 'u' | '1' | '2' | 'Enter') => pressed(page.keyboard.press(one))
  /** Merges by the keys, once the preview is there. */
  const mergeByKeys = async () => {
    await page.waitForSelector('button[aria-keyshortcuts=m]:not([aria-disabled=true])')
    await key('m')
    await key('Enter')
  }

  test('two players are merged in three steps from the start of operations, and the merge is undone by a key', async () => {
    await importRows(
      'Baseball,1989,1989 Upper Deck,1,Cal Ripken Sr.,Barons',
      'Baseball,1990,1990 Upper Deck,156,Cal Ripken Sr.,Barons',
      'Baseball,1991,1991 Upper Deck,555,Calvin Ripken,Barons',
    )
    await respell('Calvin Ripken', 'Cal Ripken Sr')
    await goTo('', 'Operations')
    presses = 0
    await pressed(page.locator(`xpath/.//nav[@aria-label='Operations']//a[.='Duplicates']`).click())
    await heading(page, 'Duplicates')
    await says('2 players whose names differ in spelling')
    await says('1 card and 1 player-team move to it.')
    await says('“Cal Ripken Sr” becomes an alias')
    await says('1 of 1')
    await says('1989 to 1990')
    expect(await seriousFaults(page)).toEqual([])
    await key('m')
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    expect(await focused()).toStartWith('Merge')
    expect(await players('Cal Ripken Sr')).toHaveLength(1)
    await key('Enter')
    await says('1 player merged into')
    expect(presses).toBeLessThanOrEqual(4)
    expect(await players('Cal Ripken Sr')).toEqual([])
    await says('1 group done')
    await key('u')
    await says('2 players whose names differ in spelling')
    expect(await players('Cal Ripken Sr')).toHaveLength(1)
  })

  test('who stays is chosen by its number; the next group comes by itself; groups are skipped, dismissed, and brought back', async () => {
    await importRows('Baseball,1992,1992 Upper Deck,1,Rogers Hornsby,', 'Baseball,1993,1993 Upper Deck,2,Raj Hornsby,')
    await respell('Raj Hornsby', 'ROGERS HORNSBY')
    await goTo('duplicates?type=players', 'Duplicates')
    await says('1 of 2')
    await key('s')
    await says('2 of 2')
    await says('2 players whose names differ in capitalization')
    await key('d')
    await says('Marked as different.')
    await says('2 groups done, 1 of them skipped.')
    await key('u')
    await says('2 players whose names differ in capitalization')
    const other = await page.$$eval('.side-by-side input[type=radio]', (all) =>
      all.findIndex((one) => !(one as HTMLInputElement).checked),
    )
    const names = await page.$$eval('.side-by-side strong', (all) => all.map(({ textContent }) => textContent ?? ''))
    await key(other === 0 ? '1' : '2')
    await says(`“${names[1 - other]}” becomes an alias`)
    await mergeByKeys()
    await says('2 groups done')
    const stayed = (await players('like:hornsby')) as unknown as { attributes: { name: string } }[]
    expect(stayed.map(({ attributes }) => attributes.name)).toEqual([names[other] ?? ''])
    await press(page, 'Go back to skipped groups')
    await says('Cal Ripken Sr')
  })

  test('keys do nothing while something is typed or chosen in a list', async () => {
    await goTo('duplicates?type=players', 'Duplicates')
    await says('1 of 1')
    await page.focus('select[name=kind]')
    await page.keyboard.press('s')
    await page.keyboard.press('Escape')
    await says('1 of 1')
  })

  test('where there is nothing to do the queue says what it looked for', async () => {
    await goTo('duplicates?type=brands', 'Duplicates')
    await says('No two records look the same')
    await expectFit(() => goTo('duplicates?type=players', 'Duplicates'))
    await expectLight('duplicates')
  })

  test('a record is merged from its page in three steps, with a preview and a note, and the undo is offered in place', async () => {
    await importRows(
      'Baseball,1994,1994 Upper Deck,1,Ozzie Guillen,',
      'Baseball,1994,1994 Upper Deck,2,Oswaldo Guillen,',
    )
    const [from] = await players('Oswaldo Guillen')
    const [into] = await players('Ozzie Guillen')
    await openPage(`/players/${from?.id}`, 'Oswaldo Guillen')
    presses = 0
    await pressed(page.locator(`xpath/.//main//a[.='Merge…']`).click())
    await heading(page, 'Merge players')
    await page.locator('input[name=record]').fill('Ozzie Gui')
    await pressed(press(page, 'Choose Ozzie Guillen'))
    await says('1 card moves to it.')
    await says('“Oswaldo Guillen” becomes an alias')
    await page.locator('textarea[name=note]').fill('his full name')
    expect(await seriousFaults(page)).toEqual([])
    await pressed(press(page, 'Merge'))
    await says('1 player merged')
    expect(presses).toBe(3)
    expect(await players('Oswaldo Guillen')).toEqual([])
    await page.goto(`${served.address}/players/${from?.id}`)
    await heading(page, 'Ozzie Guillen')
    expect(new URL(page.url()).pathname).toBe(`/players/${into?.id}`)
    await page.goBack()
    await goTo(`merge?type=players&id=${into?.id}`, 'Merge players')
    await page.locator('input[name=record]').fill('Cal Ripken Sr')
    await press(page, 'Choose Cal Ripken Sr.')
    await page.locator(`xpath/.//label[.//span[normalize-space()='Ozzie Guillen']]/input`).click()
    await says('Cal Ripken Sr.\u2069 becomes')
    await press(page, 'Merge')
    await says('1 player merged')
    await press(page, 'Undo the merge of Cal Ripken Sr.')
    await says('is a separate player again')
    expect(await players('Cal Ripken Sr.')).toHaveLength(1)
  })

  test('the list of merges says who merged what, and an undo that is refused says why and leads to what stands in the way', async () => {
    await goTo('merges?type=players', 'Merges')
    await says('his full name')
    await says('Demo operator')
    const [into] = await players('Ozzie Guillen')
    const [card] = await visit.read(`cards?filter[name]=${encodeURIComponent('2 Ozzie Guillen')}`)
    await page.evaluate(async (id) => {
      const headers = { 'Content-Type': 'application/vnd.api+json', Accept: 'application/vnd.api+json' }
      const data = { type: 'cards', id, attributes: {}, relationships: { oncard: { data: [] } } }
      const { status } = await fetch(`/v2/cards/${id}`, { method: 'PATCH', headers, body: JSON.stringify({ data }) })
      if (status !== 200) throw new Error(`The card answered ${status}.`)
    }, card?.id)
    await press(page, 'Undo the merge of Oswaldo Guillen')
    await says('This merge can’t be undone.')
    await says('A card was changed since: show the card')
    expect(await page.$eval('.notice.bad a', (link) => link.getAttribute('href'))).toBe(`/cards/${card?.id}`)
    expect(await page.$$eval('td a', (all) => all.map((link) => link.getAttribute('href')))).toContain(
      `/players/${into?.id}`,
    )
    await expectFit(() => goTo('merges', 'Merges'))
    await expectLight('merges')
    await page
      .locator(`xpath/.//button[contains(translate(., 'rogens', 'ROGENS'), 'HORNSBY') or contains(., 'Hornsby')]`)
      .click()
    await says('is a separate record again')
  })

  test('the audit log says what was merged by its name, and leads to the record that stayed', async () => {
    await goTo('audit-log?event_type=records.merged&auditable_type=players', 'Audit log')
    await page.locator(`xpath/.//main//td//a[.='player Ozzie Guillen']`).click()
    await heading(page, 'Ozzie Guillen')
  })

  test('a player is split by year from his page; the preview lists the cards, and leads to the new player', async () => {
    await importRows(
      'Baseball,1961,1961 Topps,382,Frank Thomas Sr,Pirates',
      'Baseball,1990,1990 Leaf,300,Frank Thomas Sr,White Sox',
      'Baseball,1991,1991 Leaf,281,Frank Thomas Sr,White Sox',
    )
    const [old] = await players('Frank Thomas Sr')
    await openPage(`/players/${old?.id}`, 'Frank Thomas Sr')
    presses = 0
    await pressed(page.locator(`xpath/.//main//a[.='Split…']`).click())
    await heading(page, 'Split Frank Thomas Sr')
    await says('0 of 3 cards would move')
    await pressed(page.select('select[name=year_to]', '1961'))
    await says('1 of 3 cards would move')
    await says('382 Frank Thomas Sr')
    await page.select('select[name=year_to]', '')
    await page.select('select[name=year_from]', '1990')
    await says('2 of 3 cards would move')
    await page.locator('.ticked input').click()
    await says('1 of 3 cards would move')
    await page.locator('input[name=disambiguation]').fill('born 1968')
    expect(await seriousFaults(page)).toEqual([])
    await pressed(press(page, 'Split off 1 card'))
    await says('1 card moved.')
    await press(page, 'Undo the split')
    await says('Undone:')
    expect(await players('Frank Thomas Sr')).toEqual([expect.objectContaining({ id: old?.id })])
    await goTo(`split/${old?.id}`, 'Split Frank Thomas Sr')
    await page.select('select[name=year_to]', '1961')
    await says('1 of 3 cards would move')
    await press(page, 'Split off 1 card')
    await says('1 card moved.')
    await page.locator(`xpath/.//main//a[.='Show the new player']`).click()
    await heading(page, 'Frank Thomas Sr')
    expect(new URL(page.url()).pathname).not.toBe(`/players/${old?.id}`)
    expect(await players('Frank Thomas Sr')).toHaveLength(2)
    await expectFit(() => goTo(`split/${old?.id}`, 'Split Frank Thomas Sr'))
    await expectFit(() => goTo('merge', 'Merge players'))
  })

  test('players whose cards are too far apart for one person have a queue that leads to the split', async () => {
    await importRows('Baseball,1911,1911 T205,1,Ed Walsh Twice,', 'Baseball,1991,1991 Leaf,2,Ed Walsh Twice,')
    await goTo('duplicates?kind=collisions', 'Duplicates')
    await says('Ed Walsh Twice')
    await expectFit(() => goTo('duplicates?kind=collisions', 'Duplicates'))
    await page.locator(`xpath/.//main//a[.='Split…']`).click()
    await page.waitForFunction(() => location.pathname.startsWith('/operations/split/'))
    await goTo('duplicates?kind=collisions', 'Duplicates')
    await key('d')
    await says('Marked as different.')
  })

  test('nothing went wrong behind the pages: no error, and nothing that the policy refused', () => {
    expect(wrong).toEqual([])
  })
}
