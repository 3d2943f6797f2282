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
  /** Counts what a person presses. */
  let presses = 0
  const pressed = async (press: Promise<unknown>) => {
    presses++
    await press
  }
  const key = (one: 'm' | 'd' | 's' | 'u' | '1' | '2') => pressed(page.keyboard.press(one))

  test('two players are merged in two steps from the start of operations, and the merge is undone by a key', async () => {
    await importRows(
      'Baseball,1989,1989 Upper Deck,1,Cal Ripken Sr.,Barons',
      'Baseball,1990,1990 Upper Deck,156,Cal Ripken Sr.,Barons',
      'Baseball,1991,1991 Upper Deck,555,Cal Ripken Sr,Barons',
    )
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
    await says('1 player merged into')
    expect(presses).toBeLessThanOrEqual(4)
    expect(await players('Cal Ripken Sr')).toEqual([])
    await says('1 group seen to')
    await key('u')
    await says('2 players whose names differ in spelling')
    expect(await players('Cal Ripken Sr')).toHaveLength(1)
  })

  test('who stays is chosen by its number; the next group comes by itself; groups are skipped, dismissed, and brought back', async () => {
    await importRows(
      'Baseball,1992,1992 Upper Deck,1,Rogers Hornsby,',
      'Baseball,1993,1993 Upper Deck,2,ROGERS HORNSBY,',
    )
    await goTo('duplicates?type=players', 'Duplicates')
    await says('1 of 2')
    await key('s')
    await says('2 of 2')
    await says('2 players whose names differ in capitals')
    await key('d')
    await says('Marked as different.')
    await says('2 groups seen to, 1 of them skipped.')
    await key('u')
    await says('2 players whose names differ in capitals')
    const other = await page.$$eval('.side-by-side input[type=radio]', (all) =>
      all.findIndex((one) => !(one as HTMLInputElement).checked),
    )
    const names = await page.$$eval('.side-by-side strong', (all) => all.map(({ textContent }) => textContent ?? ''))
    await key(other === 0 ? '1' : '2')
    await says(`“${names[1 - other]}” becomes an alias`)
    await key('m')
    await says('2 groups seen to')
    const stayed = (await players('like:hornsby')) as unknown as { attributes: { name: string } }[]
    expect(stayed.map(({ attributes }) => attributes.name)).toEqual([names[other] ?? ''])
    await press(page, 'Look at what was skipped')
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
    await says('No two records have the same name')
    await expectFit(() => goTo('duplicates?type=players', 'Duplicates'))
    await expectLight('duplicates')
  })

  test('nothing went wrong behind the pages: no error, and nothing that the policy refused', () => {
    expect(wrong).toEqual([])
  })
}
