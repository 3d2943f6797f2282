import { describe, expect, test } from 'bun:test'
import { inShort, readItems } from './items.ts'

const HEADER = 'genre,year,manufacturer,brand,set,parent_set,number,player,team,title,attributes,serial_number,notes'
const row = (rest: string) => `Basketball,1986-87,Fleer,Fleer,1986-87 Fleer,,${rest}`
const table = (...rows: string[]) => [HEADER, ...rows].join('\n')

describe('our own columns', () => {
  test('make a set once, and its cards with players, teams, codes and notes', async () => {
    const { sets, cards, faults } = await readItems(
      table(row('57,Michael Jordan,Chicago Bulls,,RC,,'), row('8,Larry Bird,,,,/25,"a ""note"", long"')),
    )
    expect(faults).toEqual([])
    expect(sets).toHaveLength(1)
    expect(sets[0]).toMatchObject({
      name: '1986-87 Fleer',
      genre: 'Basketball',
      year: '1986-87',
      manufacturer: 'Fleer',
      brand: 'Fleer',
    })
    expect(cards[0]).toMatchObject({ line: 2, number: '57', attributes: ['RC'], setKey: sets[0]?.key })
    expect(inShort(cards[0] as never)).toEqual(['Michael Jordan @ Chicago Bulls'])
    expect(cards[1]).toMatchObject({ serialNumber: '/25', notes: 'a "note", long', title: null })
  })

  test('are found among headings that are called as what each object has', async () => {
    const { cards, faults } = await readItems('constructor,set,number,player,toString\nx,S,1,A B,y\n')
    expect([faults, cards.map(({ number }) => number)]).toEqual([[], ['1']])
  })

  test('pair players with teams by position; a hole stands for nobody', async () => {
    const { cards } = await readItems(table(row('1,A B|C D,X|Y,,,,'), row('2,A B||E F,|X|Y,,,,'), row('3,,X,,,,')))
    expect(cards.map(inShort)).toEqual([['A B @ X', 'C D @ Y'], ['A B', '@ X', 'E F @ Y'], ['@ X']])
  })

  test('put a child set under the parent that is named, whether or not the parent has rows', async () => {
    const { sets } = await readItems(
      table('B,1990,T,T,Gold,Base,1,A B,,,,,', 'B,1990,T,T,Base,1990 T,1,A B,,,,,', 'B,1990,T,T,Red,Gold,1,A B,,,,,'),
    )
    expect(sets.map(({ name, parentKey }) => [name, sets.find(({ key }) => key === parentKey)?.name ?? null])).toEqual([
      ['Base', null],
      ['Gold', 'Base'],
      ['1990 T', null],
      ['Base', '1990 T'],
      ['Red', 'Gold'],
    ])
  })

  test('a tab or a line break in a text of one line is a space; notes keep theirs', async () => {
    const { sets, cards, faults } = await readItems(
      `set,number,team,title,notes\n"Fleer\n 1986","1\t2","Chicago\r\n\tBulls","A \u2028 title","one\n\ttwo"\n`,
    )
    expect(faults).toEqual([])
    expect(sets[0]?.name).toBe('Fleer 1986')
    expect(cards[0]).toMatchObject({ number: '1 2', title: 'A title', notes: 'one\n\ttwo' })
    expect(cards[0]?.entries[0]?.team).toBe('Chicago Bulls')
  })

  test('with another control character refuse the row with the reason, and the rest is in', async () => {
    const { cards, faults } = await readItems(
      table(row('1,A B,,,,,'), row('2,A\u0007B,,,,,'), row('3,,,T\u001bitle,,,'), row('4,A B,,,,,n\u0007te')),
    )
    expect(cards.map(({ number }) => number)).toEqual(['1', '4'])
    expect(faults.map(({ line, reason }) => [line, reason])).toEqual([
      [3, 'last name contains a control character'],
      [4, 'title contains a control character'],
    ])
  })

  test('tell equal rows apart by their order and report them', async () => {
    const { cards, notes } = await readItems(
      table(row(',Checklist,,,,,'), row(',Checklist,,,,,'), row('1,Checklist,,,,,')),
    )
    expect(cards.map(({ occurrence }) => occurrence)).toEqual([0, 1, 0])
    expect(notes.map(({ rule, line }) => [rule, line])).toEqual([['equal-rows', 3]])
  })

  test('are found whatever the case, spacing, order, delimiter, line ends and byte order mark', async () => {
    const { cards, faults } = await readItems(
      '\ufeffPLAYER ; Set;Serial-Number; Card Title;Number\r\nLarry Bird;S;/9;Hero;\r\n\r\n"A\r\nB";S;;;\r\n',
    )
    expect(faults).toEqual([])
    expect(cards.map(({ serialNumber, title, line }) => [serialNumber, title, line])).toEqual([
      ['/9', 'Hero', 2],
      [null, null, 4],
    ])
    expect(inShort(cards[1] as never)).toEqual(['A B'])
  })
})

test('a line break in a heading is a space; its rows keep their lines', async () => {
  const { cards, faults, notes } = await readItems(
    'My list\n"Card\nSet";"Card\r\nNumber";Player;"Own\nPrice"\nS;1;Larry Bird;\nS;2;"A\nB";7\nS;#REF!;A B;\n',
  )
  expect(cards.map(({ number, line, cells }) => [number, line, Object.keys(cells ?? {})])).toEqual([
    ['1', 6, ['Card Set', 'Card Number', 'Player', 'Own Price']],
    ['2', 7, ['Card Set', 'Card Number', 'Player', 'Own Price']],
  ])
  expect(notes.map(({ line, text }) => [line, text])).toEqual([[2, 'Own Price']])
  expect(faults.map(({ line }) => line)).toEqual([9])
})

test('a heading whose quote is never closed costs its line alone', async () => {
  const { cards } = await readItems('"My list\nset,number,player\nS,1,Larry Bird\nS,2,A B\n')
  expect(cards.map(({ number }) => number)).toEqual(['1', '2'])
})

describe('a bad row', () => {
  test('is a fault with its line, and the rest is read', async () => {
    const { cards, faults } = await readItems(
      table(
        row('1,A B,,,,,'),
        row('2,"A B,,,,,'),
        row('3,A B,,,,,,,surplus'),
        row(`${'9'.repeat(256)},A B,,,,,`),
        row(',,,,,,'),
        'B,1986-87,Fleer,Fleer,,,5,A B,,,,,',
        row('6,A\0B C,,,,,'),
        row(`7,${'x'.repeat(256)},,,,,`),
        row(`8,A B,,${'t'.repeat(501)},,,`),
        row('9,A B,,,,,'),
      ),
    )
    expect(cards.map(({ number }) => number)).toEqual(['1', '9'])
    expect(faults.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
      '3 a quote is never closed',
      '4 15 cells under 13 columns',
      '5 number is longer than 255 characters',
      '6 the row has no number, player, team or title',
      '7 the row names no set',
      '8 first name contains a NUL character',
      '9 last name is longer than 255 characters',
      '10 title is longer than 500 characters',
    ])
  })

  test('counts characters, not units of UTF-16, and takes a full one', async () => {
    const { cards, faults } = await readItems(table(row(`${'😀'.repeat(255)},A B,,,,,${'n'.repeat(10_000)}`)))
    expect(faults).toEqual([])
    expect(cards).toHaveLength(1)
  })

  test('makes no set where all of its rows are bad', async () => {
    const { sets, faults } = await readItems(table(row('1,A\0,,,,,')))
    expect([sets.length, faults.length]).toEqual([0, 1])
  })

  test('of bytes that are not UTF-8 says so', async () => {
    const bytes = Buffer.concat([
      Buffer.from(`${HEADER}\nB,,,,S,,3,Zoé Peña,,,,,\nB,,,,S,,1,Jos`),
      Buffer.from([0xe9]),
      Buffer.from(' X,,,,,\nB,,,,S,,2,A B,,,,,\n'),
    ])
    const { cards, faults } = await readItems(bytes)
    expect(faults.map(({ line, reason }) => [line, reason])).toEqual([
      [3, 'first name contains bytes that are not UTF-8'],
    ])
    expect(cards).toHaveLength(2)
  })

  test('with more than 100 entries is refused, one with 100 is not', async () => {
    const players = (count: number) => Array.from({ length: count }, (_, at) => `P ${at}`).join('|')
    const { cards, faults } = await readItems(table(row(`1,${players(100)},,,,,`), row(`2,${players(101)},,,,,`)))
    expect([cards.length, faults[0]?.reason]).toEqual([1, '101 entries on a card; the limit is 100'])
  })

  test('with more than 100 attributes is refused, one with 100 is not', async () => {
    const codes = (count: number) => Array.from({ length: count }, (_, at) => `C${at}`).join('|')
    const { cards, faults } = await readItems(
      `set,number,player,attributes\nS,1,A B,${codes(100)}\nS,2,A B,${codes(101)}\n`,
    )
    expect([cards.length, faults[0]?.reason]).toEqual([1, '101 attributes on a card; the limit is 100'])
  })
})

describe('a file that is no table', () => {
  test('is one fault', async () => {
    expect((await readItems('')).faults.map(({ reason }) => reason)).toEqual(['the file is empty'])
    expect((await readItems('one,two\n1,2\n')).faults).toHaveLength(1)
    expect((await readItems('player,number\nA B,1\n')).faults[0]?.reason).toContain('no column for the set')
    expect((await readItems(`${'a'.repeat(3_000_000)}\n`)).faults).toHaveLength(1)
  })

  test('may hold a line of any length among good ones', async () => {
    const { cards, faults } = await readItems(`set,player,number\n${'a'.repeat(1_200_000)}\nS,A B,\n`)
    expect([cards.length, faults.map(({ line, reason }) => [line, reason])]).toEqual([
      1,
      [[2, 'the line is longer than 1,048,576 characters']],
    ])
  })
})

describe('the headers that are met in the wild', () => {
  test('Card Set, Card Number, Player, Team, Print Run', async () => {
    const { sets, cards } = await readItems(
      [
        'Card Set,Card Number,Player,Team,Print Run',
        'Base,#1,LeBron James,Los Angeles Lakers,',
        'Base,2,Stephen Curry / Klay Thompson,Golden State Warriors,99',
        'Base,3,Checklist,,n/a',
        'Gold,4,Chicago Bulls,Chicago Bulls,"1,000"',
        'Gold,5,League Leaders,,1/1',
        'Gold,6,Triple Threat (Luka Doncic / Kyrie Irving),Dallas Mavericks / Brooklyn Nets,/25',
      ].join('\n'),
    )
    expect(sets.map(({ name }) => name)).toEqual(['Base', 'Gold'])
    expect(cards.map(({ number, title, serialNumber }) => [number, title, serialNumber])).toEqual([
      ['1', null, null],
      ['2', null, '/99'],
      ['3', 'Checklist', null],
      ['4', null, '/1000'],
      ['5', 'League Leaders', '/1'],
      ['6', 'Triple Threat', '/25'],
    ])
    expect(cards.map(inShort)).toEqual([
      ['LeBron James @ Los Angeles Lakers'],
      ['Stephen Curry @ Golden State Warriors', 'Klay Thompson @ Golden State Warriors'],
      [],
      ['@ Chicago Bulls'],
      [],
      ['Luka Doncic @ Dallas Mavericks', 'Kyrie Irving @ Brooklyn Nets'],
    ])
  })

  test('a Card Set belongs to the release that the name of the file, or its own, tells of', async () => {
    const wild = 'Card Set,Card Number,Player\nBase,1,A B\nSignatures,1,A B\n'
    const { sets } = await readItems(wild, '2023-24-Panini-Prizm-Basketball.csv')
    expect(sets.map(({ name, setKind }) => [name, setKind])).toEqual([
      ['2023-24 Panini Prizm Basketball', null],
      ['Base', 'base'],
      ['Signatures', 'autograph'],
    ])
    expect(sets[1]).toMatchObject({
      year: '2023-24',
      brand: 'Panini Prizm',
      manufacturer: 'Panini',
      genre: 'Basketball',
    })
    const own = await readItems('Card Set,Card Number,Player\n1989 Topps Baseball,1,A B\n')
    expect(own.sets[0]).toMatchObject({
      name: '1989 Topps Baseball',
      parentKey: null,
      year: '1989',
      brand: 'Topps',
      genre: 'Baseball',
    })
  })

  test('brand, year, card_number, player_name, team: the set is year and brand, a subset its insert', async () => {
    const { sets, cards, notes } = await readItems(
      'brand,year,card_number,player_name,team,subset,grade\nTopps,1989,1,Ken Griffey Jr.,Seattle Mariners,,9\nTopps,1989,2,Nolan Ryan,,Record Breakers,\n',
    )
    expect(
      sets.map(({ name, setKind, brand, year, manufacturer }) => [name, setKind, brand, year, manufacturer]),
    ).toEqual([
      ['1989 Topps', null, 'Topps', '1989', 'Topps'],
      ['Record Breakers', 'insert', 'Topps', '1989', 'Topps'],
    ])
    expect(sets[1]?.parentKey).toBe(sets[0]?.key as string)
    expect(cards.map(inShort)).toEqual([['Ken Griffey Jr. @ Seattle Mariners'], ['Nolan Ryan']])
    expect(notes.map(({ rule, text }) => [rule, text])).toEqual([['unread-column', 'grade']])
  })
})

test('a row that is there more than a thousand times is refused from then on', async () => {
  const { cards, faults } = await readItems(`set,number,player\n${'S,1,Ann Lee\n'.repeat(1002)}S,2,Ann Lee\n`)
  expect(cards.map(({ number }) => number)).toEqual([...Array(1000).fill('1'), '2'])
  expect(faults.map(({ line, reason }) => [line, reason])).toEqual([
    [1002, 'the file has this row more than 1,000 times'],
    [1003, 'the file has this row more than 1,000 times'],
  ])
})
