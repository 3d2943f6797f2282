import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testApp } from '../support/app.ts'
import { factories } from '../support/factories.ts'
import { runningCommands } from './running.ts'

/** Genre, year and release of sets in checklists of many layouts. */
const app = await testApp()
const { sql } = app.db

type Report = Record<string, never> & {
  notes: Record<string, { examples: { text: string }[] }>
  faults: { reason: string }[]
}
const folder = mkdtempSync(join(tmpdir(), 'cardstock-facts-'))
afterAll(() => rmSync(folder, { recursive: true }))
const run = async (path: string, content?: string, ...flags: string[]): Promise<Report> =>
  JSON.parse((await runningCommands(app.context, content)('import', path, '--json', ...flags)).out)
const imported = (content: string) => run('-', content)
const importedAs = (name: string, content: string) => {
  writeFileSync(join(folder, name), content)
  return run(join(folder, name))
}
const textsOf = ({ notes }: Report, rule: string) => notes[rule]?.examples.map(({ text }) => text)

/** The sets of a name, each with its parent, year and genre. */
const setsOf = async (name: string) => {
  const rows = await sql<{ line: string }[]>`
    select concat_ws(' | ', p.name, s.name, coalesce(y.name, '-'), coalesce(g.name, '-')) as line
    from sets s left join sets p on p.id = s.parent_id left join years y on y.id = s.year_id
    left join genres g on g.id = s.genre_id where s.name = ${name} and s.deleted_at is null order by s.no`
  return rows.map(({ line }) => line)
}

describe('a genre', () => {
  test('is that of the sport, not of a shop’s category', async () => {
    const listing = await imported(
      '*Action,*Category,*Title,C:Sport,C:Season,C:Manufacturer,C:Set,C:Card Number,C:Player/Athlete\n' +
        'Add,261328,Ann Lee rookie,Baseball,2021,Topps,2021 Listed,1,Ann Lee\n',
    )
    expect(textsOf(listing, 'unread-column')).toContain('*Category: a second genre')
    await imported('Sport,Category,Year,Set,Card #,Player\nBaseball,Rookie,2021,2021 Listed,2,Bo Lee\n')
    await imported('Category,Game,Year,Set,Card #,Player\nTrading Cards,Lorcana,2023,Games Listed,2,Bo Lee\n')
    expect(await setsOf('2021 Listed')).toEqual(['2021 Listed | 2021 | Baseball'])
    expect(await setsOf('Games Listed')).toEqual(['Games Listed | 2023 | Lorcana'])
  })

  test('is none if it is a number or a part of a release, and the report says so once', async () => {
    const rows = ['261328', 'Rookie', 'rookie', 'Base', 'Inserts', 'Autograph'].map(
      (category, at) => `${category},2021,2021 Parts,${at},Ann Lee\n`,
    )
    const report = await imported(`Category,Year,Set,Card #,Player\n${rows.join('')}${rows[0]}`)
    expect(textsOf(report, 'no-genre')).toEqual(
      ['261328', 'Rookie', 'rookie', 'Base', 'Inserts', 'Autograph'].map(
        (each) => `genre ${each} is no genre, and not read`,
      ),
    )
    expect(await setsOf('2021 Parts')).toEqual(['2021 Parts | 2021 | -'])
  })

  test.each([
    ['MLB', 'Baseball'],
    ['nba', 'Basketball'],
    ['NFL Trading Cards', 'Football'],
    ['NHL', 'Hockey'],
    ['Baseball Cards', 'Baseball'],
    ['Pokemon TCG', 'Pokémon'],
    ['Pokémon TCG', 'Pokémon'],
    ['Pokemon Cards', 'Pokémon'],
    ['Chess Cards', 'Chess Cards'],
  ])('%s is %s', async (said, genre) => {
    const set = `Spelled ${said.replace('é', 'e e')}`
    await imported(`Sport,Year,Set,Card #,Player\n${said},2022,${set},1,Ann Lee\n`)
    await imported(`{"genre":"${genre}","year":"2022","set":"${set}","number":"2","player":"Bo Lee"}\n`)
    expect(await setsOf(set)).toEqual([`${set} | 2022 | ${genre}`])
  })

  test('that the catalog has under the very name is that one', async () => {
    await factories(app).genre({ name: 'KBO' })
    await imported('Sport,Year,Set,Card #,Player\nkbo,2022,Own genre,1,Ann Lee\n')
    expect(await setsOf('Own genre')).toEqual(['Own genre | 2022 | KBO'])
  })
})

describe('a year', () => {
  test.each([
    ['2023', '2023-24 Seasoned Prizm'],
    ['2024', '2023-24 Ended Prizm'],
    ['1986', '1986-87 Seasoned Fleer'],
  ])('of %s beside %s is that season', async (year, set) => {
    const [season = ''] = set.split(' ')
    const report = await imported(`Year,Sport,Set,Card #,Player\n${year},Basketball,${set},1,Ann Lee\n`)
    await imported(`Season,Sport,Set,Card #,Player\n${season},Basketball,${set},2,Bo Lee\n`)
    expect(report).toMatchObject({ faultCount: 0, notes: {} })
    expect(await setsOf(set)).toEqual([`${set} | ${season} | Basketball`])
  })

  test('that its set’s name contradicts is reported', async () => {
    const report = await imported(
      'Year,Set,Card #,Player\n2012,2021 Differing Draft,1,Ann Lee\n2012,2021 Differing Draft,2,Bo Lee\n2012,2012 Agreeing,1,Cy Lee\n',
    )
    expect(textsOf(report, 'year-differs')).toEqual(['2021 Differing Draft: its column says 2012'])
    expect(await setsOf('2021 Differing Draft')).toEqual(['2021 Differing Draft | 2012 | -'])
  })

  test.each([
    ['1993年', '1993'],
    ['平成5年', '1993'],
    ['昭和元年', '1926'],
    ['令和6年', '2024'],
    ['明治45年', '1912'],
    ['大正3年', '1914'],
    ['90', '1990'],
    ["'05", '2005'],
  ])('written as %s is %s', async (said, year) => {
    await imported(`Year,Set,Card #,Player\n${said},Written ${year} ${said.length},1,Ann Lee\n`)
    expect(await setsOf(`Written ${year} ${said.length}`)).toEqual([`Written ${year} ${said.length} | ${year} | -`])
  })

  test.each(['1990-2', '199', '7', '1990-199'])('is not %s', async (said) => {
    const { faults } = await imported(`Year,Set,Card #,Player\n${said},No year,1,Ann Lee\n`)
    expect(faults.map(({ reason }) => reason)).toEqual([`year ${said} is neither a year nor a season`])
  })
})

describe('a release', () => {
  test('whose year is only in its name is one with a file that has it in a column, in any order', async () => {
    const ways = (set: string) => [
      `Set,Number,Player\n${set},1,Ann Lee\n`,
      `Year,Set,Card #,Player\n${set.slice(0, 4)},${set},2,Bo Lee\n`,
    ]
    for (const content of ways('1989 Upper Twin')) await imported(content)
    for (const content of ways('1990 Upper Twin').toReversed()) await imported(content)
    await imported('Set,Number,Player\nUpper Twin,1,Ann Lee\n')
    await imported('Year,Set,Card #,Player\n1989,Upper Twin,2,Bo Lee\n')
    expect(await setsOf('1989 Upper Twin')).toEqual(['1989 Upper Twin | 1989 | -'])
    expect(await setsOf('1990 Upper Twin')).toEqual(['1990 Upper Twin | 1990 | -'])
  })

  test('is its base set in brackets', async () => {
    await imported('Year,Set,Card #,Player\n1989,1989 Bracketed,1,Ann Lee\n')
    const report = await imported(
      'Year,Set,Card #,Player\n1989,1989 Bracketed - [Base],2,Bo Lee\n1989,1989 Bracketed - [Base] - Gilt,2,Bo Lee\n',
    )
    expect(report).toMatchObject({ sets: { created: 1 }, cards: { created: 2 } })
    expect(await setsOf('Gilt')).toEqual(['1989 Bracketed | Gilt | 1989 | -'])
  })

  test('in the file’s name is that of a part in our own form, too', async () => {
    await importedAs('1992 Filed Baseball.csv', 'set,number,player\nAutographs,1,Ann Lee\n')
    expect(await setsOf('1992 Filed Baseball')).toEqual(['1992 Filed Baseball | 1992 | Baseball'])
  })

  test.each(['Base Set', 'Base', 'Inserts', 'Autographs', 'Parallels', 'Checklist'])(
    'is needed for %s, which is no other game’s',
    async (set) => {
      await imported(`genre,year,set,number,player\nPokémon,1999,${set},1,Ann Lee\n`)
      for (const head of ['Set,Card #,Player', 'set,number,player']) {
        const { faults, cards } = await imported(`${head}\n${set},2,Bo Lee\n`)
        expect(faults[0]?.reason).toMatch(
          /^(?:A set is|2 sets are) called .*Add its year or its parent set, or set_id\.$/,
        )
        expect(cards).toMatchObject({ created: 0 })
      }
      expect(await imported(`genre,set,number,player\nPokémon,${set},2,Bo Lee\n`)).toMatchObject({
        sets: { created: 0 },
        cards: { created: 1 },
      })
    },
  )
})

describe('one release in files of several layouts', () => {
  const layouts: Record<string, string> = {
    'a year column': 'Sport,Year,Set,Card #,Player\nBaseball,1984,Donruss,1,Ann Lee\n',
    'a name with the year': 'Sport,Set,Card #,Player\nBaseball,1984 Donruss,1,Ann Lee\n',
    both: 'Sport,Year,Set,Card #,Player\nBaseball,1984,1984 Donruss,1,Ann Lee\n',
    'a name with the sport': 'Card Set,Card #,Player\n1984 Donruss Baseball,1,Ann Lee\n',
    'our own form': 'genre,year,set,number,player\nBaseball,1984,Donruss,1,Ann Lee\n',
  }
  const pairs = Object.keys(layouts).flatMap((one) =>
    Object.keys(layouts).flatMap((other) => (one === other ? [] : [[one, other] as const])),
  )
  let made = 0

  test.each(pairs)('%s and %s are one set', async (one, other) => {
    const year = String(1981 + made++)
    const [first = '', second = ''] = [layouts[one], layouts[other]].map((text) => text?.replaceAll('1984', year))
    await imported(first)
    expect(await imported(second)).toMatchObject({ sets: { created: 0 }, cards: { created: 0, unchanged: 1 } })
  })

  test('also in the rows of one', async () => {
    const rows = ['1984,Rows', '1984,1984 Rows', ',1984 Rows Baseball', '1984,1984 Rows Baseball'].map(
      (facts, at) => `Baseball,${facts},${at},Ann Lee\n`,
    )
    expect(await imported(`Sport,Year,Set,Card #,Player\n${rows.join('')}`)).toMatchObject({ sets: { created: 1 } })
  })
})

test('a parallel behind the base set in brackets may have a print run', async () => {
  const report = await imported(
    'Set,Card #,Player\n2020 Run,1,Ann Lee\n2020 Run - [Base],2,Bo Lee\n2020 Run - [Base] - Gold /50,2,Bo Lee\n',
  )
  expect(report).toMatchObject({ sets: { created: 2 }, cards: { created: 3 }, faultCount: 0 })
  const gold = await sql`
    select p.name as release, s.name, c.number, c.serial_number from cards c join sets s on s.id = c.set_id
    join sets p on p.id = s.parent_id where p.name = '2020 Run'`
  expect([...gold]).toEqual([{ release: '2020 Run', name: 'Gold', number: '2', serial_number: '/50' }])
})

test('a part that names no release is a set of its own, and the report says so once', async () => {
  const report = await imported('Set,Card #,Player\nRookies,1,Ann Lee\nRookies,2,Bo Lee\n')
  expect(textsOf(report, 'no-release')).toEqual(['Rookies, of no release'])
  const own = await imported('set,number,player\nRookie Cards,1,Ann Lee\n')
  expect(textsOf(own, 'no-release')).toEqual(['Rookie Cards, of no release'])
  for (const facts of ['Baseball,,', ',1990,', ',,1990 Topps'])
    expect(
      textsOf(await imported(`Sport,Year,Release,Set,Card #,Player\n${facts},Rookies,1,Ann Lee\n`), 'no-release'),
    ).toBe(undefined)
})

describe('the base cards of a release', () => {
  const layouts: Record<string, string> = {
    'a column for inserts': 'Sport,Year,Set,Insert,Card #,Player\nBaseball,1995,1995 NAME,Base,1,Ann Lee\n',
    'one with the set': 'Sport,Year,Release,Card Set,Card #,Player\nBaseball,1995,1995 NAME,Base Set,1,Ann Lee\n',
    'one with the set in short': 'Sport,Year,Program,Card Set,Card #,Player\nBaseball,1995,1995 NAME,Base,1,Ann Lee\n',
    'one with [Base]': 'Sport,Year,Set,Subset,Card #,Player\nBaseball,1995,1995 NAME,[Base],1,Ann Lee\n',
    'no such column': 'Card Set,Card #,Player\n1995 NAME Baseball,1,Ann Lee\n',
  }
  const pairs = Object.keys(layouts).flatMap((one) =>
    Object.keys(layouts).flatMap((other) => (one === other ? [] : [[one, other] as const])),
  )
  const read = (layout: string, name: string) => layouts[layout]?.replaceAll('NAME', name) ?? ''
  let made = 0

  test.each(pairs)('are the same in %s and in %s', async (one, other) => {
    const name = `Based${'x'.repeat(++made)}`
    await imported(read(one, name))
    const dry = await run('-', read(other, name), '--dry-run')
    const report = await imported(read(other, name))
    for (const each of [dry, report])
      expect(each).toMatchObject({ sets: { created: 0 }, cards: { created: 0, unchanged: 1 }, missingCount: 0 })
  })

  test.each(pairs)('are the same in %s and in %s of one import', async (one, other) => {
    const name = `Together${'x'.repeat(++made)}`
    const path = mkdtempSync(join(folder, 'both-'))
    writeFileSync(join(path, '1.csv'), read(one, name))
    writeFileSync(join(path, '2.csv'), read(other, name))
    const dry = await run(path, undefined, '--dry-run')
    const report = await run(path)
    for (const each of [dry, report]) expect(each).toMatchObject({ cards: { created: 1 }, missingCount: 0 })
    expect(dry.sets).toEqual(report.sets)
  })

  test('are those of its set Base if it has one, with their parallels, and the report says so', async () => {
    const card = { number: '1', name: 'Ann Lee', uniqueId: Bun.randomUUIDv7(), attributes: [] }
    const set = { name: 'Base Set', uniqueId: Bun.randomUUIDv7(), cards: [card] }
    await imported(JSON.stringify({ name: '1996 Listed Baseball', uniqueId: Bun.randomUUIDv7(), sets: [set] }))
    const report = await imported(
      'Set,Insert,Parallel,Card #,Player\n1996 Listed Baseball,Base,,1,Ann Lee\n' +
        '1996 Listed Baseball,Base,Gold,1,Ann Lee\n1996 Listed Baseball,Stars,,S1,Ann Lee\n',
    )
    expect(report).toMatchObject({ cards: { created: 2, unchanged: 1 }, sets: { created: 2 } })
    expect(textsOf(report, 'base-set')).toEqual(['1996 Listed Baseball: its cards are in Base Set'])
    const [gold] = await sql`
      select p.id from cards c join sets s on s.id = c.set_id join cards p on p.id = c.parent_id where s.name = 'Gold'
        and p.id = ${card.uniqueId}`
    expect(gold).toEqual({ id: card.uniqueId })
  })

  test('of a release that has its own and no set Base are these, and the report says so', async () => {
    await imported(read('a column for inserts', 'Owned'))
    const report = await imported(read('one with the set', 'Owned'))
    expect(textsOf(report, 'base-set')).toEqual(['1995 Owned: Base Set is its own cards'])
  })
})
