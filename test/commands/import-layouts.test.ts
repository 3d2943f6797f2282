import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testApp } from '../support/app.ts'
import { aWorkbook } from '../support/workbook.ts'
import { runningCommands } from './running.ts'

/** Small files in the layouts of well-known sites, makers and spreadsheets, and what each is read as. */
const app = await testApp()
const { sql } = app.db
const folder = await mkdtemp(join(tmpdir(), 'cardstock-layouts-'))
afterAll(() => rm(folder, { recursive: true }))

/** `unread` are the columns that the report says were not read. */
type Read = { cards: string[]; notes?: string[]; faults?: string[]; unread?: string[] }

/** The cards of an import as `set > child | number | who | title | codes | serial number`, without what is empty. */
const cardsRead = async (importId: string) => {
  const rows = await sql<{ line: string }[]>`
    select concat_ws(' | ', concat_ws(' > ', p.name, s.name), c.number, (
        select string_agg(concat_ws(' @ ', pl.name, t.name), ' + ' order by pl.name) from oncard o
        left join players pl on pl.id = o.player_id left join teams t on t.id = o.team_id where o.card_id = c.id
      ), c.title, (
        select '[' || string_agg(a.attribute, ', ' order by a.attribute collate "C") || ']'
        from card_attributes m join attributes a on a.id = m.attribute_id where m.card_id = c.id
      ), c.serial_number) as line
    from cards c join sets s on s.id = c.set_id left join sets p on p.id = s.parent_id
    where c.id in (select unnest(ids) from import_made where import_id = ${importId} and object_type = 'cards')
    order by s.no, c.number_key collate "C"`
  return rows.map(({ line }) => line)
}

const layouts: Record<string, [content: string | Uint8Array, read: Read]> = {
  'a price guide, quoted, with yes and no': [
    '"Category","Year","Brand","Set Name","Card Number","Player","Team","Print Run","RC","Auto","Mem"\n' +
      '"BASEBALL","2023","Bowman","Bowman Chrome","BCP-1","Druw Jones","Arizona Diamondbacks","","Y","N","N"\n' +
      '"BASEBALL","2023","Bowman","Bowman Relics","BR-1","Druw Jones","Arizona Diamondbacks","499","N","Y","Y"\n',
    {
      cards: [
        'Bowman Chrome | BCP-1 | Druw Jones @ Arizona Diamondbacks | [RC]',
        'Bowman Relics | BR-1 | Druw Jones @ Arizona Diamondbacks | [AU, MEM] | /499',
      ],
    },
  ],
  "a maker's workbook, with cities, a relic by its kind, and a sheet of remarks": [
    aWorkbook({
      Cards: [
        ['2022-23 Series 1 Hockey'],
        ['Brand', 'Set Name', 'Card', 'Description', 'Team City', 'Team Name', 'Rookie', 'Auto', 'Mem', "Serial #'d"],
        ['Upper Deck', 'Young Guns', 201, 'Matty Beniers', 'Seattle', 'Kraken', 'Rookie', null, null, null],
        ['Upper Deck', 'Game Jerseys', 'GJ-1', 'Connor McDavid', 'Edmonton', 'Oilers', null, 'Auto', 'Jersey', 25],
      ],
      Remarks: [['Subject to change']],
    }),
    {
      cards: [
        'Young Guns | 201 | Matty Beniers @ Seattle Kraken | [RC]',
        'Game Jerseys | GJ-1 | Connor McDavid @ Edmonton Oilers | [AU, MEM] | /25',
      ],
      notes: ['skipped-file'],
    },
  ],
  'a printed checklist, with the names of its parts, trademarks and a total': [
    '2024 Topps Series 1 Baseball Checklist,,,,\n,,,,\nSet,Card #,Player,Team,Rookie\nBase Set,,,,\n' +
      '2024 Topps,1,Shohei Ohtani,Los Angeles Dodgers™,\n2024 Topps,2,Elly De La Cruz,Cincinnati Reds®,Rookie\n,,,,\n' +
      'Autographs,,,,\nAutographs,A-1,Mike Trout,Los Angeles Angels,\nTotal,3,,,\n',
    {
      cards: [
        '2024 Topps | 1 | Shohei Ohtani @ Los Angeles Dodgers',
        '2024 Topps | 2 | Elly De La Cruz @ Cincinnati Reds | [RC]',
        'Autographs | A-1 | Mike Trout @ Los Angeles Angels',
      ],
      notes: ['no-card', 'no-release'],
    },
  ],
  'first and last names in columns of their own, in capitals': [
    'Set,Card #,First Name,Last Name,Team\n2020 Prizm,1,KEN,GRIFFEY JR.,Mariners\n' +
      '2020 Prizm,2,MIKE,TROUT,Angels\n2020 Prizm,3,,ICHIRO,Mariners\n2020 Prizm,4,,,Angels\n2020 Prizm,5,PELÉ\n',
    {
      cards: [
        '2020 Prizm | 1 | Ken Griffey Jr. @ Seattle Mariners',
        '2020 Prizm | 2 | Mike Trout @ Los Angeles Angels',
        '2020 Prizm | 3 | Ichiro @ Seattle Mariners',
        '2020 Prizm | 4 | Los Angeles Angels',
        '2020 Prizm | 5 | Pelé',
      ],
      notes: ['team-read-as'],
    },
  ],
  'two tables in one sheet, the first over two pages': [
    'Set,Number,Player,Team\n2020 Donruss,1,Kyler Murray,Arizona Cardinals\nSet,Number,Player,Team\n' +
      '2020 Donruss,2,Chase Edmonds,Arizona Cardinals\n\nSet,Card #,Player,Parallel,Print Run\n2020 Donruss,1,Kyler Murray,Gold,10\n',
    {
      cards: [
        '2020 Donruss | 1 | Kyler Murray @ Arizona Cardinals',
        '2020 Donruss | 2 | Chase Edmonds @ Arizona Cardinals',
        '2020 Donruss > Gold | 1 | Kyler Murray | /10',
      ],
    },
  ],
  'a checklist with print runs in many words': [
    `Set,Card #,Player,#'d\n${[
      '#/99',
      'xx/99',
      '/99 made',
      '99',
      '99 copies',
      '45/99',
      "#'d to 99",
      'serial numbered to 99',
      'One of One',
      'Gold',
    ]
      .map((run, at) => `Sterling,B-${at},Wander Franco,${run}\n`)
      .join('')}`,
    {
      cards: [
        ...[0, 1, 2, 3, 4, 5, 6, 7].map((at) => `Sterling | B-${at} | Wander Franco | /99`),
        'Sterling | B-8 | Wander Franco | /1',
      ],
      faults: ['print run Gold is not a number'],
      notes: ['copy-number'],
    },
  ],
  'a row that lost all but its player, which is no name of a part': [
    'Player,Card Set,Card Number\nNolan Ryan,1992 Topps,1\nRickey Henderson,,\n',
    { cards: ['1992 Topps | 1 | Nolan Ryan'], faults: ['the row names no set'] },
  ],
  'players with their teams in one column': [
    'Set,Card Number,Player\n1993 Bowman,1,"Nolan Ryan, Texas Rangers"\n1993 Bowman,2,Rickey Henderson - Oakland Athletics\n1993 Bowman,3,"Henderson, Rickey"\n',
    {
      cards: [
        '1993 Bowman | 1 | Nolan Ryan @ Texas Rangers',
        '1993 Bowman | 2 | Rickey Henderson @ Oakland Athletics',
        '1993 Bowman | 3 | Rickey Henderson',
      ],
    },
  ],
  "a seller's listing, whose title is no card's": [
    '*Title,*C:Sport,C:Player/Athlete,C:Team,C:Season,C:Manufacturer,C:Set,C:Card Number,C:Parallel/Variety\n' +
      '"1989 UD Ken Griffey Jr. RC MINT",Baseball,Ken Griffey Jr.,Seattle Mariners,1989,Upper Deck,1989 Upper Deck,1,\n',
    {
      cards: ['1989 Upper Deck | 1 | Ken Griffey Jr. @ Seattle Mariners'],
      // His other card here is of 2020.
      notes: ['unread-column', 'ambiguous-player'],
    },
  ],
  'an inventory with tabs, where a description names the card': [
    'Set Year\tSet Name\tCard Number\tCard Description\tQty\tPrice\n1991\tTopps\t2\tGeorge Brett\t1\t0.25\n',
    { cards: ['Topps | 2 | George Brett'], notes: ['unread-column'] },
  ],
  'the price list of a game, where a name is no person': [
    'TCGplayer Id,Product Line,Set Name,Product Name,Title,Number,Rarity,Condition\n3881,Pokemon,Base Set,Charizard,,004/102,Holo Rare,Near Mint\n',
    { cards: ['Base Set | 004/102 | Charizard | [Holo Rare]'], notes: ['unread-column'] },
  ],
  'a collection of a game, with foils': [
    'Name,Set code,Set name,Collector number,Printing,Rarity\nSol Ring,C19,Commander 2019,221,Normal,uncommon\nSol Ring,C19,Commander 2019,221,Foil,uncommon\n',
    {
      cards: ['Commander 2019 | 221 | Sol Ring | [uncommon]', 'Commander 2019 > Foil | 221 | Sol Ring | [uncommon]'],
      notes: ['unread-column'],
    },
  ],
  'an app with semicolons': [
    'Sport;Year;Manufacturer;Set;Subset;Variation;Card Number;Player;Team;Rookie;Autograph;Numbered\n' +
      'Basketball;2019-20;Panini;Prizm;Base;Silver;248;Zion Williamson;New Orleans Pelicans;TRUE;FALSE;\n' +
      'Basketball;2019-20;Panini;Prizm;Signatures;;SG-1;Zion Williamson;New Orleans Pelicans;FALSE;TRUE;/99\n',
    {
      cards: [
        'Prizm > Silver | 248 | Zion Williamson @ New Orleans Pelicans | [RC]',
        'Prizm > Signatures | SG-1 | Zion Williamson @ New Orleans Pelicans | [AU] | /99',
      ],
    },
  ],
  "a maker's list, whose positions are on no card": [
    'PROGRAM,CARD SET,CARD #,ATHLETE,TEAM,POSITION,SEQUENCE,,First Name\n' +
      '2023 Prizm Baseball,Base,1,Adley Rutschman,Baltimore Orioles,C,,,\n' +
      '2023 Prizm Baseball,Base,2,Gunnar Henderson,Baltimore Orioles,SS,,seen twice,\n',
    {
      cards: [
        '2023 Prizm Baseball > Base | 1 | Adley Rutschman @ Baltimore Orioles',
        '2023 Prizm Baseball > Base | 2 | Gunnar Henderson @ Baltimore Orioles',
      ],
      unread: ['POSITION', 'First Name', 'column 8, which has no heading (seen twice)'],
    },
  ],
  'rows of JSON, with a name beside the player, and a color': [
    '{"set":"1999 Topps Chrome","number":"1","player":"Nolan Ryan","name":"Ryan","color":"Black","position":"P"}\n',
    { cards: ['1999 Topps Chrome > Black | 1 | Nolan Ryan'], unread: ['name', 'position'] },
  ],
  'text of a spreadsheet, in UTF-16 with tabs': [
    Buffer.from('\ufeffset\tnumber\tplayer\tflags\n1999 Fleer\t1\tJosé Núñez\tRC\n', 'utf16le'),
    { cards: ['1999 Fleer | 1 | José Núñez | [RC]'] },
  ],
}

test.each(Object.entries(layouts))('%s', async (name, [content, { cards, notes = [], faults = [], unread }]) => {
  const path = join(folder, `${name.replace(/\W+/g, '-')}${typeof content === 'string' ? '.csv' : ''}`)
  await Bun.write(path, content)
  const report = JSON.parse((await runningCommands(app.context)('import', path, '--json')).out)
  expect(report.faults.map(({ reason }: { reason: string }) => reason)).toEqual(faults)
  expect(await cardsRead(report.id)).toEqual(cards)
  expect(Object.keys(report.notes)).toEqual(unread ? ['unread-column', ...notes] : notes)
  if (unread) expect(report.notes['unread-column'].examples.map(({ text }: { text: string }) => text)).toEqual(unread)
  expect([
    ...(await sql`select s.name from sets s where s.live_cards = 0 and not exists (select from sets c where c.parent_id = s.id)`),
  ]).toEqual([])
})
