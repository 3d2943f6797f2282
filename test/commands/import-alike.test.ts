import { describe, expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { aDocument, factories } from '../support/factories.ts'
import { runningCommands } from './running.ts'

/** What looks the same in files is the same in the catalog. */
const app = await testApp()
const make = factories(app)
const { sql } = app.db

const imported = async (content: string, ...flags: string[]) => {
  const { out } = await runningCommands(app.context, content)('import', '-', '--json', ...flags)
  return JSON.parse(out)
}
const notesOf = (report: { notes: Record<string, { examples: { line: number; text: string }[] }> }, rule: string) =>
  report.notes[rule]?.examples.map(({ line, text }) => `${line} ${text}`)

/** The cards of root sets whose names begin so, and of sets below them: `set > child {year}: name of the card`. */
const cardsOf = async (beginning: string) => {
  const rows = await sql<{ line: string }[]>`
    select concat_ws(' > ', p.name, s.name) || coalesce(' {' || y.name || '}', '') || ': ' || c.name as line
    from cards c join sets s on s.id = c.set_id left join sets p on p.id = s.parent_id left join years y on y.id = s.year_id
    where coalesce(p.name, s.name) like ${`${beginning}%`} and c.deleted_at is null
    order by s.no, c.number_key collate "C", c.name`
  return rows.map(({ line }) => line)
}

describe('names that differ only in what nobody sees', () => {
  test.each([
    ['double spaces', 'Odd  One', 'Gold  Foil', 'Ann  Lee', 'New  York Mets'],
    ['no-break spaces', 'Odd\u00a0One', 'Gold\u202fFoil', 'Ann\u00a0Lee', 'New\u2007York Mets\u00a0'],
    ['zero-width characters', 'Odd One\u200b', '\ufeffGold Foil', 'Ann\u2060 Lee', 'New York\u00ad Mets'],
    ['dashes for spaces', 'Odd\u2011One', 'Gold\u2013Foil', 'Ann Lee', 'New York Mets'],
    ['full width', 'Ｏｄｄ　Ｏｎｅ', 'Ｇｏｌｄ Foil', 'Ａｎｎ Lee', 'New York Ｍｅｔｓ'],
    ['decomposed accents and other case', 'odd one', 'GOLD FOIL', 'Ann Lee', 'New York Mets'],
  ])('%s: one set, one parallel, one player, one team', async (_, set, parallel, player, team) => {
    const header = 'Brand,Year,Set,Parallel,Card #,Player,Team,Flags\n'
    await imported(`${header}Topps,2024,Odd One,Gold Foil,1,Ann Lee,New York Mets,RC\n`)
    const report = await imported(`${header}Topps\u00a0,2024\u200b,${set},${parallel},2,${player},${team},RC\u00a0\n`)
    expect(report).toMatchObject({ sets: { created: 0 }, players: 0, teams: 0, labels: 0, faultCount: 0 })
    expect(await cardsOf('Odd One')).toEqual([
      'Odd One > Gold Foil {2024}: 1 Ann Lee RC',
      'Odd One > Gold Foil {2024}: 2 Ann Lee RC',
    ])
  })

  test('in one file, too, also in a dry run', async () => {
    const rows = 'Set,Parallel,Card #,Player\nTwin Set,Ice-Blue,1,Ann Lee\nTwin\u2013Set,Ice\u00a0Blue,2,Ann Lee\n'
    expect(await imported(rows, '--dry-run')).toMatchObject({ sets: { created: 2 }, cards: { created: 2 } })
    expect(await imported(rows)).toMatchObject({ sets: { created: 2 }, cards: { created: 2 } })
    expect(await imported(rows)).toMatchObject({ sets: { created: 0 }, cards: { created: 0, unchanged: 2 } })
  })

  test('a set that was stored with odd characters before is found', async () => {
    const set = await make.set({ name: 'Kept' })
    await sql`update sets set name = ${'Kept\u00a0by\u2009Hand'} where id = ${set.id}`
    await imported('Set,Card #,Player\nKept by Hand,1,Ann Lee\n')
    expect(await sql`select id from sets where name like 'Kept%'`).toHaveLength(1)
  })
})

describe('numbers', () => {
  const written = ['DSH\u20131', 'DSH\u22121', 'ＤＳＨ-1', 'DSH\u00a0-1', 'dsh-1', 'DSH- 1', 'DSH-1\u200b', "'DSH-1"]

  test('spelled in several ways are one card, and the report names each', async () => {
    await imported('Set,Card #,Player\nDashed,DSH-1,Ann Lee\nDashed,DSH-2,Bo Lee\n')
    const rows = written.map((number) => `Dashed,${number},Ann Lee`).join('\n')
    const report = await imported(`Set,Card #,Player\n${rows}\n`)
    expect(report).toMatchObject({ cards: { created: 0, updated: 0 } })
    expect(notesOf(report, 'equal-rows')).toHaveLength(written.length - 1)
    expect(await cardsOf('Dashed')).toEqual(['Dashed: DSH-1 Ann Lee', 'Dashed: DSH-2 Bo Lee'])
  })

  test.each(written)('%p alone is DSH-1', async (number) => {
    await imported(`Set,Card #,Player\nLonely,${number === 'dsh-1' ? 'DSH-1' : number},Ann Lee\n`)
    expect(await cardsOf('Lonely')).toEqual(['Lonely: DSH-1 Ann Lee'])
  })

  test('rows written alike are still cards of their own', async () => {
    await imported('Set,Card #,Player\nDoubles,D\u20131,Ann Lee\nDoubles,D\u20131,Ann Lee\nDoubles,D-1,Ann Lee\n')
    expect(await cardsOf('Doubles')).toEqual(['Doubles: D-1 Ann Lee', 'Doubles: D-1 Ann Lee'])
  })

  test.each(['-', '\u2013', '\u2014', 'n/a', 'N/A', 'none', '--'])('%p is none', async (number) => {
    await imported(`Set,Card #,Player\nNumberless ${number},${number},Ann Lee\n`)
    expect(await cardsOf('Numberless')).toContainEqual(expect.stringMatching(/: Ann Lee$/))
    const rows =
      await sql`select from cards c join sets s on s.id = c.set_id and s.name like 'Numberless%' and c.number is not null`
    expect(rows).toHaveLength(0)
  })

  test("a spreadsheet's mark of a text is none of it", async () => {
    await imported(`Set,Card #,Player\nMarked,'002,Ann Lee\n`)
    await imported(JSON.stringify([{ Set: 'Marked', 'Card #': '\u2019003', Player: 'Bo Lee' }]))
    expect(await cardsOf('Marked')).toEqual(['Marked: 002 Ann Lee', 'Marked: 003 Bo Lee'])
  })
})

describe('seasons', () => {
  const spelled = [
    '2003-04',
    '2003/04',
    '2003-2004',
    '2003\u201304',
    '03-04',
    '2003 - 04',
    "'03-04",
    '03/04',
    '2003\u22122004',
  ]

  test('are one year and one set, however they are spelled, in a column or in front of a name', async () => {
    const rows = spelled.map((year, at) => `${year},Seasoned,${at + 1},Ann Lee`).join('\n')
    expect(await imported(`Year,Set,Card #,Player\n${rows}\n`)).toMatchObject({ sets: { created: 1 } })
    expect(new Set((await cardsOf('Seasoned')).map((line) => line.split(':')[0]))).toEqual(
      new Set(['Seasoned {2003-04}']),
    )
    const names = spelled
      .filter((year) => !year.includes(' '))
      .map((year, at) => `${year} Topps Snow,${at + 1},Ann Lee`)
    const report = await imported(`Card Set,#,Player\n${names.join('\n')}\n`)
    expect(report).toMatchObject({ sets: { created: 1 } })
    expect(
      (await sql<{ name: string }[]>`select name from years where name like '%3%04'`).map(({ name }) => name),
    ).toEqual(['2003-04'])
  })

  test('also across a century', async () => {
    const rows = ['1999-00', '1999-2000', '99-00', '1999/2000'].map((year, at) => `${year},Turned,${at + 1},Ann Lee`)
    expect(await imported(`Season,Set,Card #,Player\n${rows.join('\n')}\n`)).toMatchObject({
      sets: { created: 1 },
      years: 1,
    })
    expect(await cardsOf('Turned')).toHaveLength(4)
  })

  test('a season is named as the catalog has it', async () => {
    const name = '2011/12'
    expect((await app.operator.post('/v1/years', aDocument('years', { name }))).status).toBe(201)
    expect(
      await imported('Year,Set,Card #,Player\n2011-12,As It Is,1,Ann Lee\n11-12,As It Is,2,Bo Lee\n'),
    ).toMatchObject({
      years: 0,
      sets: { created: 1 },
    })
    expect(await cardsOf('As It Is')).toEqual(['As It Is {2011/12}: 1 Ann Lee', 'As It Is {2011/12}: 2 Bo Lee'])
  })
})
