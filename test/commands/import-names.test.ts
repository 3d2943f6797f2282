import { describe, expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { factories } from '../support/factories.ts'
import { runningCommands } from './running.ts'

/** What cells of players, teams and codes mean. */
const app = await testApp()
const make = factories(app)
const { sql } = app.db

/** What rows under `Card #,Player,Team,Flags` become: `who @ team + … | title | [codes] | serial number`. */
let sets = 0
const read = async (...rows: string[]) => readUnder('Card #,Player,Team,Flags', rows)
const readUnder = async (header: string, rows: string[]) => {
  const set = `Names ${++sets}`
  const lines = rows.map((row, at) => `${set},${at + 1},${row}`)
  const { out } = await runningCommands(app.context, `Set,${header}\n${lines.join('\n')}\n`)('import', '-', '--json')
  expect(JSON.parse(out)).toMatchObject({ faultCount: 0 })
  const cards = await sql<{ line: string }[]>`
    select concat_ws(' | ', (
        select string_agg(concat_ws(' @ ', p.name || coalesce(' <' || p.disambiguation || '>', ''), t.name), ' + ' order by o.position)
        from oncard o left join players p on p.id = o.player_id left join teams t on t.id = o.team_id where o.card_id = c.id
      ), c.title, (
        select '[' || string_agg(a.attribute, ' ' order by a.attribute collate "C") || ']'
        from card_attributes m join attributes a on a.id = m.attribute_id where m.card_id = c.id
      ), c.serial_number) as line
    from cards c join sets s on s.id = c.set_id where s.name = ${set} order by c.number_key collate "C"`
  return cards.map(({ line }) => line)
}

describe('names that the catalog knows', () => {
  test.each([
    ['2 Hot Scorpio', '2 Hot Scorpio'],
    ['W-Pac', 'w-pac'],
    ['Sting!', 'STING!'],
    ['Checklist', 'Checklist'],
    ['50 Dollar', '50 dollar'],
    ['will.i.was', 'Will.I.Was'],
    ['BC/CD', 'BC/CD'],
    ['Salt & Vinegar', 'Salt & Vinegar'],
    ['Ace (The Base)', 'Ace (the Base)'],
    ['ラジオ体操', 'ラジオ体操'],
  ])('%s is a player, whatever it looks like', async (name, cell) => {
    await make.player({ first_name: '', last_name: name })
    expect(await read(`${cell},,`)).toEqual([name])
  })

  test('aliases and teams, too, and each part of a cell with several', async () => {
    await make.team({ name: 'Royal Madrid' })
    const known = await make.player({ first_name: '', last_name: 'Oz' })
    await app.operator.patch(`/v2/players/${known.id}`, {
      data: { type: 'players', id: known.id, attributes: { aliases: ['The Wizard of Oz'] } },
    })
    await make.player({ first_name: '', last_name: 'The Undertow' })
    expect(
      await read('the wizard of oz,,', 'Royal Madrid,,', 'OZ / The Undertow,,', 'Oz RC,,', 'Oz (Green Cape),,'),
    ).toEqual(['Oz', 'Royal Madrid', 'Oz + The Undertow', 'Oz | [RC]', 'Oz | Green Cape'])
  })

  test('a name in other case in the same file is the one beside it', async () => {
    expect(await read('Ann Fairly,,', 'ann fairly,,')).toEqual(['Ann Fairly', 'Ann Fairly'])
  })
})

test.each([
  ['capitals', ['KEN GRIFFEY JR.', 'MARK MCGWIRE', "SHAQUILLE O'NEAL", 'CAL RIPKEN III', 'Mike Trout']],
  ['small letters', ['ken griffey jr.', 'mark mcgwire', "shaquille o'neal", 'cal ripken iii', 'Mike Trout']],
])('a column in %s is written as names are, even if one cell is not', async (_, names) => {
  expect(await read(...names.map((name) => `${name},,`))).toEqual([
    ...['Ken Griffey Jr.', 'Mark McGwire', "Shaquille O'Neal", 'Cal Ripken III', 'Mike Trout'],
  ])
})

test.each(['Card No.,Name,Team', 'no.,NAME,TEAM', 'Card #,Name,Team'])(
  'names under %s are those of players',
  async (header) => {
    const names = ['"GRIFFEY, JR., KEN",SEATTLE MARINERS', '"MCGWIRE, MARK",OAKLAND ATHLETICS']
    expect(await readUnder(header, names)).toEqual([
      'Ken Griffey Jr. @ Seattle Mariners',
      'Mark McGwire @ Oakland Athletics',
    ])
    const others = ['"Soto, Juan",New York Yankees', 'Ann Lee | Bo Lee,Mets | Cubs']
    expect(await readUnder(header, others)).toEqual([
      'Juan Soto @ New York Yankees',
      'Ann Lee @ New York Mets + Bo Lee @ Chicago Cubs',
    ])
  },
)

test('Japanese names may have signs that repeat or lengthen a sound', async () => {
  const names = ['佐々木朗希', '野々村勇', 'ムーキー・ベッツ', 'スーパースター']
  expect(await read(...names.map((name) => `${name},,`))).toEqual(names)
})

describe('brackets behind a player', () => {
  test('are a title', async () => {
    const remarks = ['Cap On', 'Home Jersey', 'Muhammad Ali', 'Norway', 'Captain', 'With Cat', 'Blue Sky']
    expect(await read(...remarks.map((remark) => `Zed Ray (${remark}),,`))).toEqual(
      remarks.map((remark) => `Zed Ray | ${remark}`),
    )
    const own = await readUnder('number,player', ['Zed Ray (Cap On)', 'Zed Ray (Chicago Cubs)'])
    expect(own).toEqual(['Zed Ray | Cap On', 'Zed Ray @ Chicago Cubs'])
  })

  test('or a team that the catalog, the built-in list or a team column knows', async () => {
    await make.team({ name: 'Ringers' })
    expect(
      await read(
        'Zed Ray (Ringers),,',
        'Zed Ray (Lakers),,',
        'Zed Ray (Toledo Mud Hens),,',
        'Yan Lo,Toledo Mud Hens,',
        'Zed Ray (Toledo),,',
      ),
    ).toEqual([
      'Zed Ray @ Ringers',
      'Zed Ray @ Los Angeles Lakers',
      'Zed Ray @ Toledo Mud Hens',
      'Yan Lo @ Toledo Mud Hens',
      'Zed Ray | Toledo',
    ])
  })

  test('or years that pick the namesake who has them, and no other', async () => {
    const name = { first_name: 'Fred', last_name: 'Tomson' }
    for (const more of [{ disambiguation: 'b. 1968' }, { disambiguation: 'elder', born_on: '1929-05-01' }, {}])
      await app.operator.post('/v2/players', { data: { type: 'players', attributes: { ...name, ...more } } })
    const rows = [
      'Fred Tomson (b. 1968),,',
      'Fred Tomson (1929–2023),,',
      'Fred Tomson (born 1968),Mets,',
      'Fred Tomson (1929-),,',
    ]
    const [b, elder] = ['Fred Tomson <b. 1968>', 'Fred Tomson <elder>']
    expect(await read(...rows)).toEqual([b, elder, `${b} @ New York Mets`, elder])
    const fresh = ['Fred Tomson <b. 1975>', 'Fred Tomson <1801-1850> + Bo Lee']
    expect(await read('Fred Tomson (b. 1975),,', 'Fred Tomson (1801-1850) / Bo Lee,,')).toEqual(fresh)
    expect(await read('Fred Tomson (b. 1975),,', 'Fred Tomson (1801–1850) / Bo Lee,,')).toEqual(fresh)
    expect(await readUnder('number,player', ['Fred Tomson (b. 1968)'])).toEqual([b])
    expect(await sql`select from players where name = 'Fred Tomson'`).toHaveLength(5)
  })
})

describe('several in one cell', () => {
  const both = 'Zed Ray @ Larks + Yan Lo @ Owls'
  test.each([
    ['lines', '"Zed Ray\nYan Lo","Larks\nOwls",', both],
    ['spaced slashes', 'Zed Ray / Yan Lo,Larks / Owls,', both],
    ['slashes', 'Zed Ray/Yan Lo,Larks/Owls,', both],
    ['ampersands', 'Zed Ray & Yan Lo,Larks & Owls,', both],
    ['bars', 'Zed Ray|Yan Lo,Larks|Owls,', both],
    ['commas', '"Zed Ray, Yan Lo","Larks, Owls",', both],
    ['one team for all', 'Zed Ray / Yan Lo,Larks,', 'Zed Ray @ Larks + Yan Lo @ Larks'],
    [
      'a club whose name has a sign',
      'Zed Ray / Yan Lo,Brighton & Hove Albion,',
      'Zed Ray @ Brighton & Hove Albion + Yan Lo @ Brighton & Hove Albion',
    ],
  ])('in %s, players have their teams in order', async (_, row, card) => {
    expect(await read(row)).toEqual([card])
  })
})

test.each([
  ['"RC, AU, MEM, SN99"', '[AU MEM RC] | /99'],
  ['RC/AU', '[AU RC]'],
  ['RC AU', '[AU RC]'],
  ['Rookie', '[RC]'],
  ['Auto', '[AU]'],
  ['rookie auto /10', '[AU RC] | /10'],
  ['rc', '[RC]'],
  ['RC;AU', '[AU RC]'],
  ['/25', '/25'],
  ['1/1', '/1'],
  ['P/MGR', '[P/MGR]'],
  ['Sticker / Foil', '[Sticker / Foil]'],
  ['n/a', ''],
])('the flags %s are %s', async (flags, said) => {
  expect(await read(`Ann Lee,,${flags}`)).toEqual([['Ann Lee', said].filter(Boolean).join(' | ')])
})

test("a table's cell finds a code exactly first, then without case", async () => {
  for (const attribute of ['EX', 'ex', 'Vmax']) await make.attribute({ attribute, name: attribute })
  expect(await read('Ann Lee,,ex', 'Ann Lee,,EX', 'Ann Lee,,Ex', 'Ann Lee,,VMAX')).toEqual([
    ...['Ann Lee | [ex]', 'Ann Lee | [EX]', expect.stringMatching(/\[ex\]/i), 'Ann Lee | [Vmax]'],
  ])
})
