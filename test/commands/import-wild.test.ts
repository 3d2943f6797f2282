import { describe, expect, test } from 'bun:test'
import { strToU8, zipSync } from 'fflate'
import { testApp } from '../support/app.ts'
import { aWorkbook } from '../support/workbook.ts'
import { runningCommands } from './running.ts'

const app = await testApp()
const { sql } = app.db

const imported = async (content: string | Uint8Array, ...flags: string[]) => {
  const { exit, out, err } = await runningCommands(app.context, content)('import', '-', '--json', ...flags)
  return { exit, err, report: exit === 2 ? undefined : JSON.parse(out) }
}
const reasonsOf = ({ report }: Awaited<ReturnType<typeof imported>>) =>
  report.faults.map(({ line, reason }: { line: number; reason: string }) => `${line} ${reason}`)

/** The cards of a set and of the sets below it: set, kind, name. */
const cardsOf = async (set: string) => {
  const rows = await sql<{ line: string }[]>`
    with recursive below as (
      select id, name, kind, no from sets where name = ${set} and parent_id is null
      union all select s.id, s.name, s.kind, s.no from sets s join below b on s.parent_id = b.id
    )
    select b.name || ' (' || b.kind || '): ' || c.name as line from below b join cards c on c.set_id = b.id
    order by b.no, c.number_key collate "C", c.name`
  return rows.map(({ line }) => line)
}

describe('headers of the wild', () => {
  test.each([
    ['number', ['Card #', 'Card Number', 'Card No.', '#', 'No', 'Nr', 'CARD_NUMBER', 'card-number']],
    ['player', ['Player Name', 'Athlete', 'Name', 'Subject', 'PLAYER.NAME']],
    ['set', ['Set Name', 'Card Set', 'Product', 'Program', 'Release']],
  ])('%s is known by its other names', async (column, headings) => {
    const own = { set: 'set', number: 'number', player: 'player' }
    for (const [place, heading] of headings.entries()) {
      const header = Object.values({ ...own, [column]: heading }).join(',')
      const set = `Wild ${column} ${place}`
      expect((await imported(`${header}\n${set},7,Ann Lee\n`)).report).toMatchObject({
        cards: { created: 1 },
        faultCount: 0,
      })
      expect(await cardsOf(set)).toEqual([`${set} (base): 7 Ann Lee`])
    }
  })

  test('under # a name is read as checklists write it', async () => {
    const { report } = await imported(`Set,#,Player\nWild marks,1,Ann Lee / Bo Lee\nWild marks,2,Cy Lee RC\n`)
    expect(report).toMatchObject({ cards: { created: 2 } })
    expect(report.notes).toEqual({})
    expect(await cardsOf('Wild marks')).toEqual([
      'Wild marks (base): 1 Ann Lee / Bo Lee',
      'Wild marks (base): 2 Cy Lee RC',
    ])
    const people =
      await sql`select last_name from players where first_name in ('Ann', 'Bo', 'Cy') and last_name <> 'Lee'`
    expect(people).toHaveLength(0)
  })

  test('in our own form a name is taken word for word, and the report names each that may hold more', async () => {
    const { report } = await imported(
      `set,number,player\nOwn marks,1,Dee Lee / Eve Lee\nOwn marks,2,Flo Lee RC\nOwn marks,3,???\nOwn marks,4,Guy Lee\n`,
    )
    expect(report.notes['undecided-name'].examples.map(({ text }: { text: string }) => text)).toEqual([
      'Own marks: 1 Dee Lee / Eve Lee, read as the player Dee Lee / Eve Lee',
      'Own marks: 2 Flo Lee RC, read as the player Flo Lee RC',
      'Own marks: 3 ???, read as the player ???',
    ])
  })

  test('a release is the parent of the set where both stand; subset, insert, parallel are children below', async () => {
    const { report } = await imported(
      `Product,Card Set,Insert,Parallel/Variety,Card #,Athlete,Team Name,Seq,Sport,Season,Comments
2021 Wild,2021 Wild,,,1,Ann Lee,Chicago Cubs,,Baseball,2021,first
2021 Wild,2021 Wild,,Gold,1,Ann Lee,Chicago Cubs,50,Baseball,2021,
2021 Wild,2021 Wild,Rookie Autographs,,RA-1,Bo Lee,,25.0,Baseball,2021,
2021 Wild,2021 Wild,Rookie Autographs,Red,RA-1,Bo Lee,,1 of 1,Baseball,2021,
2021 Wild,Update,,base,1,Cy Lee,,,Baseball,2021,
`,
      '--publish',
    )
    expect(report).toMatchObject({ faultCount: 0, cards: { created: 5 } })
    expect(await cardsOf('2021 Wild')).toEqual([
      '2021 Wild (base): 1 Ann Lee',
      'Gold (parallel): 1 Ann Lee /50',
      'Rookie Autographs (autograph): RA-1 Bo Lee /25',
      'Update (base): 1 Cy Lee',
      'Red (parallel): RA-1 Bo Lee /1',
    ])
    const [facts] = await sql`
      select g.name as genre, y.name as year from sets s join genres g on g.id = s.genre_id join years y on y.id = s.year_id
      where s.name = '2021 Wild'`
    expect(facts).toEqual({ genre: 'Baseball', year: '2021' })
  })

  test('the card of a parallel has the card that it was made from as its parent, in any order of rows', async () => {
    await imported(
      'Set,Variety,#,Player\nOrder,Gold,1,Ann Lee\nOrder,,1,Ann Lee\nOrder,Gold,2,Bo Lee\nOrder,,2,Bo Lee\n',
    )
    const rows = await sql<{ name: string }[]>`
      select p.name from cards c join sets s on s.id = c.set_id join cards p on p.id = c.parent_id
      where s.name = 'Gold' and p.set_id = (select id from sets where name = 'Order') order by 1`
    expect(rows.map(({ name }) => name)).toEqual(['1 Ann Lee', '2 Bo Lee'])
  })

  test('the kind of a set without a parent is read from its name', async () => {
    await imported('set,number,player\n1999 Wild Autographs,1,Ann Lee\n')
    expect(await cardsOf('1999 Wild Autographs')).toEqual(['1999 Wild Autographs (autograph): 1 Ann Lee'])
  })

  test('--map names what is not known, once or several times', async () => {
    const content = 'Serie,Nmbr,Wer\nMapped,7,Ann Lee\n'
    expect(reasonsOf(await imported(content))[0]).toContain('Nmbr = number?')
    const { report } = await imported(content, '--map', 'Serie=set', '--map', 'nmbr=number', '--map', 'Wer=player')
    expect(report).toMatchObject({ faultCount: 0, notes: {} })
    expect(await cardsOf('Mapped')).toEqual(['Mapped (base): 7 Ann Lee'])
    expect(await imported(content, '--map', 'Wer=person')).toMatchObject({ exit: 2 })
  })

  test('a title and empty lines before the header are passed over', async () => {
    const { report } = await imported('My Checklist of 1989,,\n\n,,\nSet,Card #,Player\nLeading,1,Ann Lee\n')
    expect(report).toMatchObject({ faultCount: 0, cards: { created: 1 } })
    expect(await cardsOf('Leading')).toEqual(['Leading (base): 1 Ann Lee'])
  })

  test.each([
    ['the set', 'number,player\n1,Ann Lee\n'],
    ['the number', 'set,player\nRefused,Ann Lee\n'],
    ['the player or the title', 'set,number\nRefused,1\n'],
  ])('a file whose header does not tell %s is refused with what was found', async (what, content) => {
    const read = await imported(content)
    expect(read.exit).toBe(1)
    expect(read.report.cards.created).toBe(0)
    expect(reasonsOf(read)).toHaveLength(1)
    expect(reasonsOf(read)[0]).toContain(`no column for ${what}`)
    expect(reasonsOf(read)[0]).toContain(`found: ${content.split('\n')[0]?.replaceAll(',', ', ')}`)
    expect(reasonsOf(read)[0]).toEndWith(" (--map 'Heading=column' names others)")
  })

  test('columns that are not read are named at the top of the report', async () => {
    const run = runningCommands(app.context, 'set,number,player,grade,price\nUnread,1,Ann Lee,9,5\n')
    expect((await run('import', '-')).out).toMatch(/^not read grade, price\n/)
  })
})

test('without --parallels the report says how many cards of parallels were left out', async () => {
  const card = (number: string) => ({
    number,
    name: 'Ann Lee',
    uniqueId: crypto.randomUUID(),
    parallels: [{ name: 'Black' }],
  })
  const parallels = [{ name: 'Gold', parallels: [{ name: 'Gold Foil' }] }]
  const sets = [{ name: 'Base', uniqueId: crypto.randomUUID(), parallels, cards: [card('1'), card('2')] }]
  const release = JSON.stringify({ name: '2020 Left Baseball', uniqueId: crypto.randomUUID(), sets })
  const { out } = await runningCommands(app.context, release)('import', '-')
  expect(out).toContain('left out 6 cards of parallels (--parallels includes them)')
  expect((await imported(release, '--parallels')).report).toMatchObject({ cards: { created: 6 }, parallelsLeftOut: 0 })
})

describe('values as spreadsheets spoil them', () => {
  const rows = (...lines: string[]) =>
    [
      'set,year,number,player,attributes,print_run',
      'Spoiled,2024,1,Ann Lee,,/99',
      'Spoiled,2024,220,Bo Lee,,',
      ...lines,
    ].join('\n')

  test.each([
    ['a date', 'Spoiled,2024,Jan-12,Cy Lee,,', 'number Jan-12 is a date'],
    ['a date of September', 'Spoiled,2024,Sept-03,Cy Lee,,', 'number Sept-03 is a date'],
    ['a whole date', 'Spoiled,2024,1/12/2024,Cy Lee,,', 'number 1/12/2024 is a date'],
    ['the days of a date', 'Spoiled,2024,45303,Cy Lee,,', 'number 45303 is a date'],
    ['a year that is the days of a date', 'Spoiled,45303,5,Cy Lee,,', 'year 45303 is a date'],
    ['a float', 'Spoiled,2024,1.00E+05,Cy Lee,,', 'number 1.00E+05 is a float'],
    ['an error', 'Spoiled,2024,5,#REF!,,', 'player is #REF!'],
    ['an error of a newer spreadsheet', 'Spoiled,2024,#SPILL!,Cy Lee,,', 'number is #SPILL!'],
    ['a column that was too narrow', 'Spoiled,2024,######,Cy Lee,,', 'number is ######'],
    ['a short date', 'Spoiled,2024,1/2/24,Cy Lee,,', 'number 1/2/24 is a date'],
    ['a date with a time', 'Spoiled,2024,1/2/2024 0:00,Cy Lee,,', 'number 1/2/2024 0:00 is a date'],
    ['a date with slashes, the year first', 'Spoiled,2024,2024/01/02,Cy Lee,,', 'number 2024/01/02 is a date'],
    ['a date in German', 'Spoiled,2024,12. Mai,Cy Lee,,', 'number 12. Mai is a date'],
    ['a date in French', 'Spoiled,2024,12-janv,Cy Lee,,', 'number 12-janv is a date'],
    ['a time', 'Spoiled,2024,12:00:00 AM,Cy Lee,,', 'number 12:00:00 AM is a date'],
    ['what may be a fraction or thousands', 'Spoiled,2024,1.000,Cy Lee,,', 'number 1.000 may be'],
    ['a year that became a float', 'Spoiled,2.02E+03,5,Cy Lee,,', 'year 2.02E+03 is a float'],
    ['a year that is a fraction', 'Spoiled,2024.5,5,Cy Lee,,', 'year 2024.5 is a float'],
    ['a print run with a comma elsewhere', 'Spoiled,2024,6,Cy Lee,,"10,00"', 'print run 10,00 is not a number'],
    ['a print run with three decimals', 'Spoiled,2024,6,Cy Lee,,1.000', 'print run 1.000 is not a number'],
    ['a copy beyond its print run', 'Spoiled,2024,6,Cy Lee,,99/25', 'print run 99/25 is not a number'],
    ['a print run that is the days of a date', 'Spoiled,2024,6,Cy Lee,,45316', 'print run 45316 is a date'],
    ['a print run that is no number', 'Spoiled,2024,6,Cy Lee,,few', 'print run few is not a number'],
  ])('%s refuses the row with the reason, and the rest is in', async (_, line, reason) => {
    const read = await imported(rows(line))
    expect(read.exit).toBe(1)
    expect(reasonsOf(read)).toEqual([expect.stringContaining(`4 ${reason}`)])
    expect((await cardsOf('Spoiled')).some((name) => name.includes('Cy Lee'))).toBe(false)
  })

  test('a serial number that became a date refuses its row', async () => {
    const read = await imported('set,number,player,serial_number\nSpoiled,7,Dy Lee,25-Jan\nSpoiled,8,Dy Lee,7/25\n')
    expect(reasonsOf(read)).toEqual([expect.stringContaining('2 serial_number 25-Jan is a date')])
    expect((await cardsOf('Spoiled')).filter((name) => name.includes('Dy Lee'))).toEqual([
      'Spoiled (base): 8 Dy Lee 7/25',
    ])
  })

  test('a large number among large ones is a number', async () => {
    const { report } = await imported(
      'set,number,player\nLarge,45302,Ann Lee\nLarge,45303,Bo Lee\nLarge,99999,Cy Lee\n',
    )
    expect(report).toMatchObject({ faultCount: 0, cards: { created: 3 } })
  })

  test('what can still be told is read as it was meant', async () => {
    const { report } = await imported(
      `set,year,number,player,team,attributes,print_run
Meant,2024.0,"=""001""",Ann Lee,,"RC, AU",25.0
Meant,2024,7.0,"Soto, Juan",,,1/1
Meant,2024,8,Juan Soto (New York Yankees),,,1 of 1
Meant,2024,9,"Griffey Jr., Ken",,,SN99
Meant,2024,10,"Griffey, Ken Jr.",,,
Meant,2024,11,Ann Lee (Testville Tiger Cats),Testville Tiger Cats,,
Meant,2024,12,Ann Lee (Cubs),,,
Meant,2024,13,Ann Lee (Image Variation),,,
Meant,"2,024","1,014",Ann Lee,,,"1,000"
`,
    )
    expect(report).toMatchObject({ faultCount: 0 })
    expect(await cardsOf('Meant')).toEqual([
      'Meant (base): 001 Ann Lee AU RC /25',
      'Meant (base): 7 Juan Soto /1',
      'Meant (base): 8 Juan Soto /1',
      'Meant (base): 9 Ken Griffey Jr. /99',
      'Meant (base): 10 Ken Griffey Jr.',
      'Meant (base): 11 Ann Lee',
      'Meant (base): 12 Ann Lee',
      'Meant (base): 13 Ann Lee Image Variation',
      'Meant (base): 1014 Ann Lee /1000',
    ])
    const teamed = await sql`
      select pt.name from oncard o join cards c on c.id = o.card_id join player_teams pt on pt.id = o.player_team_id
      where c.number in ('8', '11', '12') and c.name ~ 'Soto|Lee' order by c.number_key collate "C"`
    expect(teamed.map(({ name }) => name)).toEqual([
      ...['Juan Soto (New York Yankees)', 'Ann Lee (Testville Tiger Cats)', 'Ann Lee (Chicago Cubs)'],
    ])
    const years = await sql`select y.name from sets s join years y on y.id = s.year_id where s.name = 'Meant'`
    expect(years.map(({ name }) => name)).toEqual(['2024'])
  })

  test('a column all in capitals is written as names are', async () => {
    await imported(
      "set,number,player\nCapitals,1,KEN GRIFFEY JR.\nCapitals,2,MARK MCGWIRE\nCapitals,3,SHAQUILLE O'NEAL\nCapitals,4,JEAN-LUC PICARD III\nCapitals,5,JT REALMUTO\nCapitals,6,AJ PUK\nCapitals,7,DR DRE\nCapitals,8,TY COBB\n",
    )
    expect(await cardsOf('Capitals')).toEqual([
      'Capitals (base): 1 Ken Griffey Jr.',
      'Capitals (base): 2 Mark McGwire',
      "Capitals (base): 3 Shaquille O'Neal",
      'Capitals (base): 4 Jean-Luc Picard III',
      'Capitals (base): 5 JT Realmuto',
      'Capitals (base): 6 AJ Puk',
      'Capitals (base): 7 Dr Dre',
      'Capitals (base): 8 Ty Cobb',
    ])
  })
})

describe('encodings', () => {
  const text = (set: string) => `set,number,player\n${set},1,José Peña\n${set},2,Zoë Ōtani\n`
  const utf16 = (content: string, isBig: boolean) => {
    const bytes = Buffer.from(content, 'utf16le')
    return isBig ? bytes.swap16() : bytes
  }

  test.each([
    ['UTF-8', (set: string) => Buffer.from(text(set))],
    ['UTF-8 with a mark', (set: string) => Buffer.from(`\ufeff${text(set)}`)],
    ['UTF-16 with a mark', (set: string) => utf16(`\ufeff${text(set)}`, false)],
    ['UTF-16 with the big end first', (set: string) => utf16(`\ufeff${text(set)}`, true)],
    ['UTF-16 without a mark', (set: string) => utf16(text(set), false)],
    ['UTF-16 without a mark and with the big end first', (set: string) => utf16(text(set), true)],
  ])('%s is read', async (name, bytesOf) => {
    const set = `In ${name}`
    expect((await imported(bytesOf(set))).report).toMatchObject({ faultCount: 0, notes: {} })
    expect(await cardsOf(set)).toEqual([`${set} (base): 1 José Peña`, `${set} (base): 2 Zoë Ōtani`])
  })

  test.each([
    ['UTF-32', (codes: number[]) => codes.flatMap((code) => [code & 0xff, code >> 8, 0, 0])],
    ['UTF-32 with the big end first', (codes: number[]) => codes.flatMap((code) => [0, 0, code >> 8, code & 0xff])],
  ])('%s is refused by its mark, with what can be read', async (_, encode) => {
    const bytes = Uint8Array.from(encode([...`\ufeff${text('Wide')}`].map((letter) => letter.codePointAt(0) ?? 0)))
    for (const flags of [[], ['--encoding', 'utf-16le']]) {
      const read = await imported(bytes, ...flags)
      expect(read.report).toMatchObject({ faultCount: 1, cards: { created: 0 } })
      expect(reasonsOf(read)).toEqual([
        '0 The file is UTF-32, which cannot be read. Save it as UTF-8, UTF-16 or Windows-1252.',
      ])
    }
  })

  test('Windows-1252 is known by its bytes, and told; --encoding names it, or another', async () => {
    const latin = (set: string) => Buffer.from(`set,number,player\n${set},1,Jos\xe9 Pe\xf1a\n`, 'latin1')
    expect((await imported(latin('Guessed'))).report.notes['read-as']).toMatchObject({ count: 1 })
    expect(await cardsOf('Guessed')).toEqual(['Guessed (base): 1 José Peña'])
    expect((await imported(latin('Named'), '--encoding', 'windows-1252')).report.notes).toEqual({})
    expect(await cardsOf('Named')).toEqual(['Named (base): 1 José Peña'])
    const cyrillic = Buffer.from('set,number,player\nCyrillic,1,\xce\xeb\xe5\xe3 \xc8\xf1\n', 'latin1')
    await imported(cyrillic, '--encoding', 'windows-1251')
    expect(await cardsOf('Cyrillic')).toEqual(['Cyrillic (base): 1 Олег Ис'])
    expect(await imported('', '--encoding', 'klingon')).toMatchObject({ exit: 2 })
  })

  test.each([
    ['a letter that was lost before', Buffer.from('set,number,player\nLost,1,Jos\ufffd Lee\nLost,2,Bo Lee\n')],
    [
      'a byte that is not UTF-8, behind its mark',
      Buffer.from('\xef\xbb\xbfset,number,player\nLost,1,Jos\xe9 Lee\nLost,2,Bo Lee\n', 'latin1'),
    ],
  ])('%s refuses its row', async (_, bytes) => {
    const read = await imported(bytes)
    expect(reasonsOf(read)).toEqual(['2 first name contains bytes that are not UTF-8'])
    expect(read.report.notes).toEqual({})
    expect(await cardsOf('Lost')).toEqual(['Lost (base): 2 Bo Lee'])
  })

  test('UTF-8 that was once read as Windows-1252 is mended and told', async () => {
    const { report } = await imported('set,number,player\nBroken,1,JosÃ© PeÃ±a\nBroken,2,Paddy Oâ€™Hara\n')
    expect(report.notes['mended-text']).toMatchObject({
      count: 2,
      examples: [{ line: 2, text: 'José Peña' }, { line: 3 }],
    })
    expect(await cardsOf('Broken')).toEqual(['Broken (base): 1 José Peña', 'Broken (base): 2 Paddy O’Hara'])
  })

  test('characters that were copied from the source of a web page are mended and told', async () => {
    const rows = ['1,Sean O&#39;Dea', '2,Ren&#xE9; Mu&#241;iz', '3,Cy &#xD83D; Lee', '4,R&B Lee']
    const { report } = await imported(`set,number,player\n${rows.map((row) => `Black &amp; White,${row}\n`).join('')}`)
    expect(report.notes['mended-text'].examples).toContainEqual(
      expect.objectContaining({ line: 2, text: "Sean O'Dea" }),
    )
    expect(await cardsOf('Black & White')).toEqual([
      "Black & White (base): 1 Sean O'Dea",
      'Black & White (base): 2 René Muñiz',
      'Black & White (base): 3 Cy &#xD83D; Lee',
      'Black & White (base): 4 R&B Lee',
    ])
  })
})

describe('workbooks and zips', () => {
  const header = ['Card Set', 'Card #', 'Player', 'Numbered']

  test('each sheet of an .xlsx is a table', async () => {
    const workbook = aWorkbook({
      Base: [['My 2023 list'], [], header, ['Sheets', 1, 'José Peña', null], ['Sheets', 2, 'Bo Lee', 25]],
      Inserts: [header, ['Sheet Inserts', 'SI-1', 'Cy Lee, Jr.', 99]],
      Empty: [[]],
    })
    expect((await imported(workbook)).report).toMatchObject({ faultCount: 0, cards: { created: 3 }, files: 2 })
    expect(await cardsOf('Sheets')).toEqual(['Sheets (base): 1 José Peña', 'Sheets (base): 2 Bo Lee /25'])
    expect(await cardsOf('Sheet Inserts')).toEqual([expect.stringContaining('SI-1 Cy Lee')])
  })

  test('a date or an error in a cell of an .xlsx refuses its row', async () => {
    const workbook = aWorkbook({
      Base: [
        header,
        ['Spoiled sheet', { day: 45303 }, 'Ann Lee', null],
        ['Spoiled sheet', 2, { error: '#REF!' }, null],
        ['Spoiled sheet', 3, 'Cy Lee', null],
      ],
    })
    const read = await imported(workbook)
    expect(reasonsOf(read)).toEqual([
      expect.stringContaining('2 number 2024-01-12 is a date'),
      expect.stringContaining('3 player is #REF!'),
    ])
    expect(await cardsOf('Spoiled sheet')).toEqual(['Spoiled sheet (base): 3 Cy Lee'])
  })

  test('a zip of tables, releases and workbooks is read like a folder; what is no checklist is passed over', async () => {
    const release = { name: '2019 Zipped Baseball', uniqueId: crypto.randomUUID(), sets: [] as unknown[] }
    release.sets.push({ name: 'Base', uniqueId: crypto.randomUUID(), cards: [{ number: '1', name: 'Ann Lee' }] })
    const zip = zipSync({
      'lists/one.csv': strToU8('set,number,player\nZipped,1,Ann Lee\n'),
      'lists/two.json': strToU8(JSON.stringify(release)),
      'lists/three.xlsx': aWorkbook({ Sheet1: [header, ['Zipped', 2, 'Bo Lee', null]] }),
      'lists/photo.png': Uint8Array.of(1, 2, 3),
      '__MACOSX/lists/._one.csv': Uint8Array.of(0, 1),
    })
    const { report } = await imported(zip)
    // A set that two of the files name is one set.
    expect(report).toMatchObject({ faultCount: 0, cards: { created: 3 }, sets: { created: 3 } })
    expect(report.notes['skipped-file']).toMatchObject({ count: 1, examples: [{ file: 'lists/photo.png' }] })
    expect(await cardsOf('Zipped')).toEqual(['Zipped (base): 1 Ann Lee', 'Zipped (base): 2 Bo Lee'])
  })

  test('a row that an earlier sheet has, too, is the same card, and told; equal rows of one sheet are two', async () => {
    const rows = [
      ['Twice', 1, 'Ann Lee', null],
      ['Twice', 2, 'Bo Lee', 25],
    ]
    const book = aWorkbook({
      Base: [header, ...rows],
      Master: [header, ...rows, ['Twice', 2, 'Bo Lee', 25], ['Twice', 3, 'Cy Lee', null]],
    })
    const { report: dry } = await imported(book, '--dry-run')
    const { report } = await imported(book)
    for (const { cards, faultCount, notes } of [dry, report])
      expect([cards.created, faultCount, notes['equal-rows'].count]).toEqual([4, 0, 3])
    const made = ['1 Ann Lee', '2 Bo Lee /25', '2 Bo Lee /25', '3 Cy Lee'].map((name) => `Twice (base): ${name}`)
    expect(await cardsOf('Twice')).toEqual(made)
    expect((await imported(book, '--prune')).report).toMatchObject({ cards: { unchanged: 4 }, missingCount: 0 })
    expect(await cardsOf('Twice')).toEqual(made)
  })

  test('such a row is the same card whatever its notes and identifiers, which are told and not taken', async () => {
    const book = aWorkbook({
      Base: [
        [...header, 'Notes', 'id:tcdb'],
        ['Noted', 1, 'Ann Lee', null, 'horizontal', 71],
        ['Noted', 2, 'Bo Lee', 25, null, null],
      ],
      Master: [
        [...header, 'id:tcdb', 'Notes'],
        ['Noted', 1, 'Ann Lee', null, null, null],
        ['Noted', 2, 'Bo Lee', 25, 72, 'vertical'],
      ],
    })
    for (const created of [2, 0]) {
      const { report } = await imported(book)
      expect(report.cards).toMatchObject({ created, updated: 0, unchanged: 2 - created })
      expect(report.notes['equal-rows'].examples.map(({ text }: { text: string }) => text)).toEqual([
        'Noted: 1, as in an earlier file',
        'Noted: 2, as in an earlier file; ignored: vertical, id:tcdb 72',
      ])
    }
    expect(await cardsOf('Noted')).toHaveLength(2)
  })

  test('a dry run of several files that name one new set says what the import then does', async () => {
    const zip = zipSync({
      'one.csv': strToU8('set,number,player\nDry,1,Ann Lee\n'),
      'two.csv': strToU8('set,genre,number,player\nDRY,Baseball,2,Bo Lee\n'),
      'three.xlsx': aWorkbook({
        One: [
          [...header, 'Parallel'],
          ['Dry', 1, 'Ann Lee', 25, 'Gold'],
        ],
        Two: [
          [...header, 'Parallel'],
          ['Dry', 2, 'Bo Lee', 25, 'Gold'],
        ],
      }),
    })
    const { report: dry } = await imported(zip, '--dry-run')
    expect(await cardsOf('Dry')).toEqual([])
    const { report } = await imported(zip)
    const counted = { cards: { created: 4 }, sets: { created: 2, updated: 1, unchanged: 3 }, faultCount: 0 }
    for (const counts of [dry, report]) expect(counts).toMatchObject(counted)
    expect(await cardsOf('Dry')).toEqual([
      ...['Dry (base): 1 Ann Lee', 'Dry (base): 2 Bo Lee'],
      ...['Gold (parallel): 1 Ann Lee /25', 'Gold (parallel): 2 Bo Lee /25'],
    ])
  })

  test('a card that a later file spells in another way is reported, and makes no second one', async () => {
    const zip = zipSync({
      'one.csv': strToU8('Set,Card #,Player,Team\nSpelled,2,José Ramón,Cubs\nSpelled,3,Ann Lee,Cubs\n'),
      'two.csv': strToU8('Set,Card #,Player,Team\nSpelled,2,Jose Ramon,Cubs\nSpelled,3,ANN LEE,CUBS\n'),
    })
    for (const flags of [['--dry-run'], []]) {
      const read = await imported(zip, ...flags)
      expect(read.report).toMatchObject({ cards: { created: 2 }, faultCount: 0 })
      expect(
        read.report.notes['equal-rows'].examples.map(({ file, text }: Record<string, string>) => [file, text]),
      ).toEqual([
        ['two.csv', '2 Jose Ramon, as in an earlier row, spelled in another way'],
        ['two.csv', expect.stringMatching(/^3 ANN LEE|^Spelled: 3/)],
      ])
    }
    expect(await cardsOf('Spelled')).toEqual(['Spelled (base): 2 José Ramón', 'Spelled (base): 3 Ann Lee'])
  })

  test('one that is damaged or cut off is refused in one sentence', async () => {
    const zip = zipSync({ 'one.csv': strToU8(`set,number,player\n${'Cut,1,Ann Lee\n'.repeat(500)}`) })
    const read = await imported(zip.subarray(0, 60))
    expect([read.exit, reasonsOf(read).at(-1)]).toEqual([1, expect.stringContaining('The zip file is damaged')])
    const book = await imported(aWorkbook({ One: [header] }).subarray(0, 900))
    expect([book.exit, reasonsOf(book)]).toEqual([1, [expect.stringContaining('cannot be read as .xlsx')]])
  })
})

test('a name that is a date is refused; suffixes between commas, and signs of footnotes, are read as they were meant', async () => {
  const rows = [
    '1,Jan-12',
    '2,1/12/2024',
    '3,1.00E+05',
    '4,"Griffey, Jr., Ken"',
    '5,"Griffey, Ken, Jr."',
    '6,Ann Lee*',
    '7,Bo Lee †',
    '8,12345',
    '9,TBD',
    '10,-',
    '11,N/A',
  ]
  const spoiled = await imported(`set,number,player\n${rows.map((row) => `Spoiled names,${row}\n`).join('')}`)
  const isSpoiled = 'is a date or a float that a spreadsheet made of something else'
  expect(reasonsOf(spoiled)).toEqual([
    ...['2 player Jan-12', '3 player 1/12/2024', '4 player 1.00E+05'].map((row) => `${row} ${isSpoiled}`),
    ...['9 player 12345', '10 player TBD'].map((row) => `${row} is not a name`),
  ])
  expect(spoiled.report.cards.created).toBe(6)
  expect(await cardsOf('Spoiled names')).toEqual(
    ['4 Ken Griffey Jr.', '5 Ken Griffey Jr.', '6 Ann Lee', '7 Bo Lee', '10', '11'].map(
      (name) => `Spoiled names (base): ${name}`,
    ),
  )
  const json = await imported(
    '[{"set":"Spoiled names","number":"8","player":"Jan-12"},{"set":"Spoiled names","number":"9","player":"Cy Lee"}]',
  )
  expect(json.report).toMatchObject({ faultCount: 1, cards: { created: 1 } })
})
