import { describe, expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { dryFirst, type ImportReport, noteTexts } from './dry-first.ts'

/** Cards of a set that share number and people, in files that don't say which of them a row is. */
const app = await testApp()
const { sql } = app.db
const saidIn = (report: ImportReport) => ({
  cards: report.cards,
  missing: report.missingCount,
  notes: noteTexts(report),
})
const { run, importFiles } = dryFirst(app, saidIn)
const imported = async (...files: string[]) => saidIn(await importFiles(files))

/** The cards of a set: number, people, title, codes, serial number, notes. */
const cardsOf = async (set: string) => {
  const rows = await sql<{ line: string }[]>`
    select concat_ws(' ', c.number,
      (select string_agg(p.name, ' / ' order by o.position) from oncard o join players p on p.id = o.player_id
       where o.card_id = c.id), c.title,
      (select string_agg(a.attribute, ' ' order by a.attribute) from card_attributes m
       join attributes a on a.id = m.attribute_id where m.card_id = c.id), c.serial_number, c.notes) as line
    from cards c join sets s on s.id = c.set_id
    where s.name = ${set} and c.deleted_at is null order by c.number_key collate "C", line`
  return rows.map(({ line }) => line)
}
const file = (head: string, set: string, ...rows: string[]) =>
  [`Set,Card #,${head}`, ...rows.map((row) => `${set},${row}`), ''].join('\n')

const pairs = [
  ['COR', 'ERR'],
  ['Home', 'Away'],
  ['Checklist 1-100', 'Checklist 101-200'],
] as const
const unchanged = { created: 0, updated: 0, unchanged: 1, failed: 0 }

describe('a row that says nothing of the titles that tell two cards apart', () => {
  const mayBe = (...titles: string[]) =>
    `1 Ann Lee may be ${titles
      .map((title) => `1 Ann Lee ${title}`)
      .toSorted()
      .join(' or ')}`

  test.each(pairs)('%s and %s: is neither, and the report names both', async (one, other) => {
    const set = `Neither ${one}`
    await imported(file('Player,Card Title', set, `1,Ann Lee,${one}`, `1,Ann Lee,${other}`))
    const poor = file('Player,Rookie,Notes', set, '1,Ann Lee,yes,Short')
    for (let time = 0; time < 2; time++)
      expect(await imported(poor)).toEqual({
        ...{ cards: unchanged, missing: 0 },
        notes: { 'ambiguous-card': [mayBe(one, other)] },
      })
    expect(await cardsOf(set)).toEqual([`1 Ann Lee ${one}`, `1 Ann Lee ${other}`].toSorted())
  })

  test.each(pairs)('%s and %s: nor in a column of print runs, nor as a file of one import', async (one, other) => {
    const set = `Together ${one}`
    const rich = file('Player,Card Title,Print Run', set, `1,Ann Lee,${one},`, `1,Ann Lee,${other},`)
    const poor = file('Player,Print Run', set, '1,Ann Lee,50')
    const notes = { 'ambiguous-card': [mayBe(one, other)] }
    expect(await imported(rich, poor)).toMatchObject({ cards: { created: 2, unchanged: 1 }, missing: 0, notes })
    expect(await imported(rich, poor)).toMatchObject({ cards: { created: 0, updated: 0 }, missing: 0, notes })
    expect(await cardsOf(set)).toEqual([`1 Ann Lee ${one}`, `1 Ann Lee ${other}`].toSorted())
  })

  test('is the one that has no title', async () => {
    await imported(file('Player,Card Title', 'Plain', '1,Ann Lee,Error', '1,Ann Lee,', '1,Ann Lee,Corrected'))
    const report = await imported(file('Player,Rookie,Print Run,Notes', 'Plain', '1,Ann Lee,yes,99,Short'))
    expect(report).toEqual({ cards: { ...unchanged, unchanged: 0, updated: 1 }, missing: 2, notes: {} })
    expect(await cardsOf('Plain')).toEqual(['1 Ann Lee Corrected', '1 Ann Lee Error', '1 Ann Lee RC /99 Short'])
  })

  test.each(['SP', 'VAR', 'ERR', 'COR'])('or the one without the code %s', async (code) => {
    const set = `Marked ${code}`
    await imported(file('Player,Attributes', set, `1,Ann Lee,${code}`, '1,Ann Lee,'))
    expect(await imported(file('Player,Rookie,Notes', set, '1,Ann Lee,yes,Short'))).toMatchObject({ notes: {} })
    expect(await cardsOf(set)).toEqual([`1 Ann Lee ${code}`, '1 Ann Lee RC Short'].toSorted())
  })

  test('or neither, where both have such a code', async () => {
    await imported(file('Player,Attributes', 'Both codes', '1,Ann Lee,COR', '1,Ann Lee,ERR'))
    const report = await imported(file('Player,Notes', 'Both codes', '1,Ann Lee,Short'))
    expect(report).toMatchObject({ cards: unchanged, missing: 0, notes: { 'ambiguous-card': expect.any(Array) } })
    expect(await cardsOf('Both codes')).toEqual(['1 Ann Lee COR', '1 Ann Lee ERR'])
  })

  test('or the one that no other row of its file names', async () => {
    await imported(file('Player,Card Title', 'Left', '1,Ann Lee,COR', '1,Ann Lee,ERR'))
    const report = await imported(file('Player Name,Notes', 'Left', '1,Ann Lee,First', '1,Ann Lee (ERR),Second'))
    expect(report).toMatchObject({ cards: { created: 0, updated: 2 }, missing: 0 })
    expect(await cardsOf('Left')).toEqual(['1 Ann Lee COR First', '1 Ann Lee ERR ERR Second'])
  })

  test('two rows that say the same get both cards, and two that differ get none', async () => {
    await imported(file('Player,Card Title', 'Two rows', '1,Ann Lee,Home', '1,Ann Lee,Away'))
    const same = await imported(file('Player,Rookie', 'Two rows', '1,Ann Lee,yes', '1,Ann Lee,yes'))
    expect(same).toMatchObject({ cards: { created: 0, updated: 2 } })
    const differing = await imported(file('Player,Notes', 'Two rows', '1,Ann Lee,First', '1,Ann Lee,Second'))
    expect(differing).toMatchObject({ cards: { created: 0, updated: 0, unchanged: 2 }, missing: 0 })
    expect(differing.notes['ambiguous-card']).toHaveLength(2)
    expect(await cardsOf('Two rows')).toEqual(['1 Ann Lee Away RC', '1 Ann Lee Home RC'])
  })

  test('--prune deletes none of them', async () => {
    await imported(file('Player,Card Title', 'Kept', '1,Ann Lee,COR', '1,Ann Lee,ERR', '2,Bo Lee,'))
    await run(['-', '--prune'], file('Player', 'Kept', '1,Ann Lee'))
    expect(await cardsOf('Kept')).toEqual(['1 Ann Lee COR', '1 Ann Lee ERR'])
  })

  test('a card that was made by just this row, and titled since, is no surer', async () => {
    const plain = (notes: string) => file('Player,Notes', 'Titled since', `1,Ann Lee,${notes}`)
    await imported(plain(''))
    await imported(file('Player,Card Title', 'Titled since', '1,Ann Lee,ERR'))
    await imported(file('Player,Card Title', 'Titled since', '1,Ann Lee,COR', '1,Ann Lee,ERR'))
    expect(await imported(plain(''))).toMatchObject({ cards: { created: 0, updated: 0 } })
    expect(await imported(plain('Short'))).toMatchObject({ cards: unchanged, missing: 0 })
    expect(await cardsOf('Titled since')).toEqual(['1 Ann Lee COR', '1 Ann Lee ERR'])
  })
})

describe('a row with the title of a variation', () => {
  test.each([
    ['Photo Variation', 'photo variation'],
    ['Pokémon Day', 'POKEMON DAY'],
  ])('is the card with that title: %s and %s', async (title, other) => {
    const set = `Title ${title}`
    await imported(file('Player,Card Title', set, '1,Ann Lee,', `1,Ann Lee,${title}`))
    const report = await imported(file('Player,Card Title,Notes', set, `1,Ann Lee,${other},Short`))
    expect(report.cards).toMatchObject({ created: 0, updated: 1 })
    expect(await cardsOf(set)).toEqual(['1 Ann Lee', expect.stringMatching(/ Short$/)])
  })

  test('also if that card has more people on it', async () => {
    await imported(file('Player,Card Title', 'More people', '1,Ann Lee,', '1,Ann Lee|Bo Lee,Photo Variation'))
    const report = await imported(file('Player Name,Notes', 'More people', '1,Ann Lee (Photo Variation),Short'))
    expect(report.cards).toMatchObject({ created: 0, updated: 1 })
    expect(await cardsOf('More people')).toEqual(['1 Ann Lee', '1 Ann Lee Photo Variation Short'])
  })

  test.each(['VAR', 'SP'])('is the card that only the code %s marks', async (code) => {
    const set = `Coded ${code}`
    await imported(file('Player,Attributes', set, '1,Ann Lee,', `1,Ann Lee,${code}`))
    const report = await imported(file('Player,Card Title', set, '1,Ann Lee,Photo Variation'))
    expect(report).toMatchObject({ cards: { created: 0, updated: 1 }, missing: 1 })
    expect(await cardsOf(set)).toEqual(['1 Ann Lee', `1 Ann Lee Photo Variation ${code}`])
  })

  test('is none of two cards with other titles', async () => {
    await imported(file('Player,Card Title', 'Third', '1,Ann Lee,Home', '1,Ann Lee,Away'))
    const report = await imported(file('Player,Card Title', 'Third', '1,Ann Lee,Home', '1,Ann Lee,Road'))
    expect(report).toMatchObject({ cards: { created: 1, updated: 0, unchanged: 1 }, missing: 1 })
    expect(report.notes['shared-number']).toEqual(['1 Ann Lee Road, beside 1 Ann Lee Away'])
    expect(await cardsOf('Third')).toEqual(['1 Ann Lee Away', '1 Ann Lee Home', '1 Ann Lee Road'])
  })

  test.each(pairs)('is no card that another row could be just as well: %s and %s', async (one, other) => {
    const set = `Contested ${one}`
    const titled = file('Player,Card Title', set, `1,Ann Lee,${one}`, `1,Ann Lee,${other}`)
    await imported(file('Player,Rookie', set, '1,Ann Lee,yes'))
    const report = await imported(titled)
    expect(report).toMatchObject({ cards: { created: 2, updated: 0 }, missing: 1 })
    expect(report.notes['ambiguous-card']).toEqual(
      [one, other].map((title) => `1 Ann Lee ${title}, a new card, may be 1 Ann Lee RC`),
    )
    expect(await imported(titled)).toMatchObject({ cards: { created: 0, updated: 0, unchanged: 2 }, notes: {} })
    expect(await cardsOf(set)).toEqual(['1 Ann Lee RC', `1 Ann Lee ${one}`, `1 Ann Lee ${other}`].toSorted())
  })

  test('beside a row without one is a new card, in either order', async () => {
    for (const order of [0, 1]) {
      const set = `Beside ${order}`
      await imported(file('Player,Attributes', set, '1,Ann Lee,RC'))
      const rows = ['1,Ann Lee,', '1,Ann Lee,Photo Variation']
      await imported(file('Player,Card Title', set, ...(order ? rows.toReversed() : rows)))
      expect(await cardsOf(set)).toEqual(['1 Ann Lee Photo Variation', '1 Ann Lee RC'])
    }
  })
})
