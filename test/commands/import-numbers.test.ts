import { describe, expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { dryFirst, noteTexts } from './dry-first.ts'

/** Files that write the numbers of the same cards in other ways. */
const app = await testApp()
const { sql } = app.db
const { run, importText, importFiles } = dryFirst(app, ({ cards, notes }) => ({ cards, notes: noteTexts({ notes }) }))

/** The cards of a set, as number, people and title, and the number of the card that a parallel's is based on. */
const cardsOf = async (set: string) => {
  const rows = await sql<{ line: string }[]>`
    select concat_ws(' ', c.number,
      (select string_agg(p.name, ' / ' order by o.position) from oncard o join players p on p.id = o.player_id
       where o.card_id = c.id), c.title, c.serial_number, 'of ' || b.number) as line
    from cards c join sets s on s.id = c.set_id left join sets a on a.id = s.parent_id
    left join cards b on b.id = c.parent_id
    where ${set} in (s.name, a.name) and c.deleted_at is null order by c.number_key collate "C", line`
  return rows.map(({ line }) => line)
}
const listOf = (set: string, ...rows: string[]) =>
  ['Set,Card #,Player', ...rows.map((row) => `${set},${row}`)].join('\n')

const ways = [
  ['BCP-1', ['BCP1', 'bcp1', 'BCP 1', 'BCP.1', 'bcp 001']],
  ['8a', ['8-A', '8A', '8 a']],
  ['T88A-1', ['T-88A-1', 't-88-a-1']],
  ['A1B2C-3', ['A1B2C3']],
  ['RA-SO', ['RASO', 'raso']],
  ['BC-RA-SO', ['BCRASO', 'BC-RASO']],
  ['4/102', ['4', '004', '4/102', '004/102']],
  ['TG12/TG30', ['TG12', 'TG-12']],
] as const

describe('a number that another file writes in another way', () => {
  test.each(
    ways.flatMap(([first, others]) =>
      others.flatMap((other) => [
        [first, other],
        [other, first],
      ]),
    ),
  )('%s and then %s is one card, which keeps its number', async (first, other) => {
    const set = `Ways ${crypto.randomUUID()}`
    await importText(listOf(set, `${first},Ann Lee`, `77,Bo Lee`))
    const report = await importText(listOf(set, `${other},Ann Lee`, `77,Bo Lee`))
    expect(report).toMatchObject({ cards: { created: 0 }, missingCount: 0 })
    expect((await cardsOf(set)).length).toBe(2)
  })

  test('the report says so, once for each card, and importing again changes nothing', async () => {
    await importText(listOf('Told', 'BCP-1,Ann Lee', 'BCP-2,Bo Lee'))
    const other = listOf('Told', 'BCP1,Ann Lee', 'BCP2,Bo Lee', 'BCP3,Cy Lee')
    const report = await importText(other)
    expect(report.cards).toMatchObject({ created: 1, updated: 0, unchanged: 2 })
    expect(noteTexts(report)['number-spelled']).toEqual(['BCP1 Ann Lee is BCP-1', 'BCP2 Bo Lee is BCP-2'])
    expect(await cardsOf('Told')).toEqual(['BCP-1 Ann Lee', 'BCP-2 Bo Lee', 'BCP3 Cy Lee'])
    expect((await importText(other)).cards).toMatchObject({ created: 0, updated: 0, unchanged: 3 })
  })

  test('what else the row says reaches the card, and --overwrite takes its number, too', async () => {
    await importText(listOf('More', 'BCP-1,Ann Lee'))
    const titled = 'Set,Card #,Player,Card Title\nMore,BCP1,Ann Lee,Home\n'
    expect((await importText(titled)).cards).toMatchObject({ updated: 1 })
    expect(await cardsOf('More')).toEqual(['BCP-1 Ann Lee Home'])
    const report = await importText(titled, '--overwrite')
    expect(noteTexts(report)['values-replaced']).toEqual(['BCP1 Ann Lee Home, no longer the number BCP-1'])
    expect(await cardsOf('More')).toEqual(['BCP1 Ann Lee Home'])
  })

  test('with other people it is a card of its own, and the report lists both', async () => {
    await importText(listOf('Others', 'T1,Ann Lee', '4/102,Bo Lee'))
    const report = await importText(listOf('Others', 'T-1,Cy Lee', '4,Dy Lee'))
    expect(report.cards).toMatchObject({ created: 2, updated: 0 })
    expect(noteTexts(report)['shared-number']).toEqual([
      'T-1 Cy Lee, beside T1 Ann Lee',
      '4 Dy Lee, beside 4/102 Bo Lee',
    ])
    expect(await cardsOf('Others')).toEqual(['4 Dy Lee', '4/102 Bo Lee', 'T-1 Cy Lee', 'T1 Ann Lee'])
  })

  test('a team alone tells cards apart, too', async () => {
    const teamsOf = (...rows: string[]) => ['Set,Card #,Player,Team', ...rows].join('\n')
    await importText(teamsOf('Teams,T1,,New York Mets', 'Teams,T2,,Chicago Cubs'))
    const report = await importText(teamsOf('Teams,T-1,,Boston Red Sox', 'Teams,T-2,,Chicago Cubs'))
    expect(report).toMatchObject({ cards: { created: 1 }, missingCount: 1 })
  })

  test('a game card is told by its title', async () => {
    const gamesOf = (...rows: string[]) => ['Set,Collector Number,Name,Rarity', ...rows].join('\n')
    await importText(gamesOf('Base,4/102,Charizard,Rare Holo', 'Base,5/102,Clefairy,Rare Holo'))
    const report = await importText(gamesOf('Base,4,charizard,Rare Holo', 'Base,5,Gyarados,Rare Holo'))
    expect(report.cards).toMatchObject({ created: 1 })
    expect(noteTexts(report)['shared-number']).toEqual(['5 Gyarados, beside 5/102 Clefairy Rare Holo'])
    expect((await cardsOf('Base')).map((line) => line.toLowerCase())).toEqual([
      '4/102 charizard',
      '5 gyarados',
      '5/102 clefairy',
    ])
  })

  test.each([
    ['1', '1a'],
    ['1', '11'],
    ['1-1', '11'],
    ['1.5', '15'],
    ['A-B1', 'AB1'],
    ['4/102', '4/130'],
    ['T1', 'T-10'],
    ['1', '1-1'],
    ['RA-SO', 'RA-S'],
    ['RA-SO', 'RASO1'],
  ])('%s and %s are two cards of one person', async (first, other) => {
    const set = `Two ${crypto.randomUUID()}`
    await importText(listOf(set, `${first},Ann Lee`))
    const report = await importText(listOf(set, `${other},Ann Lee`))
    expect(report).toMatchObject({ cards: { created: 1 }, missingCount: 1 })
  })

  test('cards that the file has itself are nobody else’s', async () => {
    const both = listOf('Both', 'T1,Ann Lee', 'T-1,Bo Lee')
    expect((await importText(both)).cards).toMatchObject({ created: 2 })
    expect(await importText(both)).toMatchObject({ cards: { created: 0, updated: 0, unchanged: 2 }, missingCount: 0 })
    const report = await importText(listOf('Both', 'T.1,Bo Lee'))
    expect(report).toMatchObject({ cards: { created: 0 }, missingCount: 1 })
    expect(noteTexts(report)['number-spelled']).toEqual(['T.1 Bo Lee is T-1'])
  })

  test('in one import of several files, and in a dry run of it', async () => {
    const report = await importFiles([
      listOf('Together', 'BCP-1,Ann Lee', '4/102,Bo Lee', '8a,Cy Lee'),
      listOf('Together', 'BCP1,Ann Lee', '4,Bo Lee', '8-A,Dy Lee'),
    ])
    expect(report.cards).toMatchObject({ created: 4, updated: 0 })
    expect(noteTexts(report)['shared-number']).toEqual(['8-A Dy Lee, beside 8a Cy Lee'])
    expect(await cardsOf('Together')).toEqual(['4/102 Bo Lee', '8-A Dy Lee', '8a Cy Lee', 'BCP-1 Ann Lee'])
  })

  test('a parallel has the card as its parent', async () => {
    await importText(listOf('Based', 'BCP-1,Ann Lee', '4/102,Bo Lee'))
    await importText('Set,Card #,Player,Parallel\nBased,BCP1,Ann Lee,Gold\nBased,4,Bo Lee,Gold\n')
    expect(await cardsOf('Based')).toEqual([
      '4 Bo Lee of 4/102',
      '4/102 Bo Lee',
      'BCP-1 Ann Lee',
      'BCP1 Ann Lee of BCP-1',
    ])
  })

  test('--prune keeps the card of a refused row', async () => {
    await importText(listOf('Pruned', 'BCP-1,Ann Lee', 'BCP-2,Bo Lee'))
    await run(['-', '--prune'], listOf('Pruned', 'BCP1,#REF!', '3,Cy Lee'))
    expect(await cardsOf('Pruned')).toEqual(['3 Cy Lee', 'BCP-1 Ann Lee'])
  })
})

describe('one file that writes a number in two ways', () => {
  test.each(
    ways.flatMap(([first, others]) => others.map((other) => [first, other] as const)).filter(([a, b]) => a !== b),
  )('%s and %s with the same people are one card, and the report lists the row', async (first, other) => {
    const set = `Rows ${crypto.randomUUID()}`
    const report = await importText(listOf(set, `${first},Ann Lee`, `${other},Ann Lee`))
    expect(report.cards).toMatchObject({ created: 1 })
    expect(report.notes['equal-rows']?.count).toBe(1)
  })

  test('with other people they are cards of their own', async () => {
    const report = await importText(
      listOf('Rows', '1,Ann Lee', '1a,Ann Lee', 'T1,Bo Lee', 'T-1,Cy Lee', '4/102,Dy Lee', '4,Ed Lee'),
    )
    expect(report.cards).toMatchObject({ created: 6 })
    expect(report.notes).toEqual({})
  })

  test('of two totals each is a card of its own', async () => {
    const report = await importText(listOf('Totals', '4/102,Ann Lee', '4/130,Ann Lee'))
    expect(report.cards).toMatchObject({ created: 2 })
  })
})
