import { describe, expect, test } from 'bun:test'
import { inShort, readItems } from './items.ts'

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const lines = (...rows: unknown[]) =>
  rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n')

describe('JSON Lines', () => {
  test('have the columns of the table; values are texts, numbers, lists or null', async () => {
    const { cards, sets, faults } = await readItems(
      lines(
        {
          set: 'S',
          year: 1990,
          number: 5,
          player: ['A B', null],
          team: [null, 'X'],
          attributes: null,
          serial_number: null,
        },
        '',
        { Set: 'S', Year: '1990', number: '6', player: 'A B|C D', attributes: ['RC', 'AU'], notes: 'n' },
      ),
    )
    expect(faults).toEqual([])
    expect(sets.map(({ name, year }) => [name, year])).toEqual([['S', '1990']])
    expect(cards.map(inShort)).toEqual([
      ['A B', '@ X'],
      ['A B', 'C D'],
    ])
    expect(cards.map(({ number, attributes, line }) => [number, attributes, line])).toEqual([
      ['5', [], 1],
      ['6', ['RC', 'AU'], 3],
    ])
  })

  test('may have first and last names apart; a card is the number where nothing else is', async () => {
    const { cards, faults, notes } = await readItems(
      lines(
        { set: 'S', card: 5, 'First Name': 'Ken', 'Last Name': 'Griffey Jr.' },
        { set: 'S', number: 6, card: 'x', firstname: null, surname: 'Pelé' },
        { set: 'S', number: 7, player: 'A B', first_name: 'A', last_name: 'B' },
        { set: 'S', number: 8, first_name: { a: 1 }, last_name: 'B' },
      ),
    )
    expect(cards.map((card) => [card.number, inShort(card)])).toEqual([
      ['5', ['Ken Griffey Jr.']],
      ['6', ['Pelé']],
      ['7', ['A B']],
    ])
    expect(notes.map(({ text }) => text)).toEqual(['card', 'first_name', 'last_name'])
    expect(faults.map(({ line }) => line)).toEqual([4])
  })

  test('have the columns that the caller names', async () => {
    const map = { Collection: 'set', 'Cat. No.': 'number' } as const
    for (const rows of [
      [{ collection: 'S', 'Cat. No.': 5, player: 'A B' }],
      { data: [{ collection: 'S', 'cat no': 5 }] },
    ])
      expect((await readItems(JSON.stringify(rows), 'rows', { map })).cards.map(({ number }) => number)).toEqual(['5'])
  })

  test('have their broken letters mended and told, except where an export wrote them', async () => {
    const row = { set: 'A &amp; B', number: 1, player: ['Sean O&#39;Dea', 'JosÃ© PeÃ±a'], title: 'x&nbsp;' }
    const { cards, sets, notes } = await readItems(lines(row, { ...row, type: 'cards', id: id(1) }))
    expect(sets.map(({ name }) => name)).toEqual(['A & B', 'A &amp; B'])
    expect(cards.map(({ title }) => title)).toEqual(['x', 'x&nbsp;'])
    expect(inShort(cards[0] as never)).toEqual(["Sean O'Dea", 'José Peña'])
    expect(notes.map(({ line, rule, text }) => [line, rule, text])).toEqual(
      ['A & B', "Sean O'Dea", 'José Peña', 'x'].map((text) => [1, 'mended-text', text]),
    )
  })

  test('may have members that are called as what each object has', async () => {
    const { cards, faults } = await readItems('{"set":"S","number":"1","constructor":1,"__proto__":{"number":"2"}}')
    expect([faults, cards.map(({ number }) => number)]).toEqual([[], ['1']])
  })

  test('that are bad are faults with their line', async () => {
    const { cards, faults } = await readItems(
      lines(
        { set: 'S', number: '1' },
        '{"set": ',
        [1],
        { set: 'S', number: { a: 1 } },
        { set: 'S', number: ['1', '2'] },
        '{"set":"S","player":"A \\ud800"}',
        { type: 'cards', set: 'S', number: '1', id: 'x' },
        { type: 'cards', set: 'S', number: '1', id: id(1) },
        { type: 'cards', set: 'S', number: '2', id: id(1).toUpperCase() },
        { type: 'cards', set: 'S', number: '1', deleted: 'maybe' },
        { type: 'wishes', id: id(2) },
        { type: 'cards', set: 'S', number: '1', kind: 'foil' },
        { type: 'cards', set: 'T', number: '1', status: 'secret' },
        { type: 'cards', set: 'T', number: '1', release_date: '1990-02-30' },
        { type: 'cards', set: 'T', number: '1', release_date: '0000-05-05' },
      ),
      'rows.jsonl',
    )
    expect(cards.map(({ line }) => line)).toEqual([1, 8, 14, 15])
    expect(faults.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13])
  })

  test('of an array are read by their place in it', async () => {
    const { cards, faults } = await readItems(
      JSON.stringify([{ set: 'S', number: 1 }, null, { set: 'S', number: 2 }], null, 1),
    )
    expect(cards.map(({ line, number }) => [line, number])).toEqual([
      [1, '1'],
      [3, '2'],
    ])
    expect(faults.map(({ line }) => line)).toEqual([2])
  })

  test('of an array are told apart whatever stands in their texts; what is left open is a fault', async () => {
    const title = 'a "\\" ] } , [ { \\\\'
    const rows = [1, 2].map((number) => ({ set: 'S', number, title, attributes: ['[', '"'] }))
    for (const text of [JSON.stringify(rows), `${JSON.stringify(rows, null, 1)}\n`]) {
      const { cards, faults } = await readItems(text)
      expect([cards.map((card) => card.title), faults]).toEqual([[title, title], []])
    }
    const whole = JSON.stringify(rows)
    for (const damaged of [whole.slice(0, -1), whole.slice(0, -2), `${whole}]`, '[']) {
      const { faults } = await readItems(damaged)
      expect(faults.map(({ reason }) => reason)).toEqual([expect.stringContaining('not valid JSON')])
    }
  })
})

describe('an object with one list of objects', () => {
  const rows = [{ set: 'S', number: 1 }, 7, { set: 'S', number: 2 }]

  test('is read as that list, by the places in it; its other members are told', async () => {
    for (const space of [0, 1]) {
      const { cards, faults, notes } = await readItems(
        JSON.stringify({ object: 'list', tags: ['a'], has_more: true, data: rows }, null, space),
      )
      expect(cards.map(({ line, number }) => [line, number])).toEqual([
        [1, '1'],
        [3, '2'],
      ])
      expect(faults.map(({ line }) => line)).toEqual([2])
      expect(notes.map(({ rule, text }) => `${rule} ${text}`)).toEqual([
        ...['unread-member object: "list"', 'unread-member tags: ["a"]', 'unread-member has_more: true'],
      ])
    }
  })

  test('is refused where its objects are no rows, and where it holds several lists', async () => {
    for (const other of [{ data: [{ id: 1 }] }, { data: rows, more: rows }, { data: [] }])
      expect((await readItems(JSON.stringify(other))).faults.map(({ reason }) => reason)).toEqual([
        expect.stringContaining('neither rows nor a release'),
      ])
  })
})

describe('an export', () => {
  test('carries ids, deleted state, parents, images and records of every type', async () => {
    const { all, sets, cards, records, faults } = await readItems(
      lines(
        { type: 'players', id: id(1), first_name: 'Ken', last_name: 'Griffey Jr.', position: 'OF' },
        { type: 'teams', id: id(2), name: 'Seattle Mariners', location: 'Seattle', abbreviation: null, deleted: true },
        {
          type: 'sets',
          id: id(3),
          set: 'S',
          kind: 'base',
          status: 'published',
          release_date: '1993-06-01',
          description: 'd',
          genre: 'Baseball',
        },
        {
          type: 'sets',
          id: id(4),
          set: 'Gold',
          parent_set_id: id(3),
          kind: 'parallel',
          status: 'draft',
          deleted: true,
        },
        {
          ...{
            type: 'cards',
            id: id(5),
            set_id: id(3),
            set: 'S',
            number: '1',
            player: ['Ken Griffey Jr.'],
            team: ['Seattle Mariners'],
          },
          ...{ player_id: [id(1)], team_id: [id(2)], parent_id: null, image_uuid: id(9), deleted: false },
        },
        { type: 'cards', id: id(6), set_id: id(4), number: '1', parent_id: id(5), deleted: true },
        { type: 'set_sources', id: id(7), set_id: id(3), source_url: 'https://example.org', title: 't' },
      ),
      'export.jsonl',
    )
    expect(faults).toEqual([])
    expect(sets.map((set) => [set.id, set.key, set.parentKey, set.setKind, set.status, set.deleted])).toEqual([
      [id(3), id(3), null, 'base', 'published', false],
      [id(4), id(4), id(3), 'parallel', 'draft', true],
    ])
    expect(cards[0]).toMatchObject({ id: id(5), setKey: id(3), imageId: id(9), parent: null, deleted: false })
    expect(cards[0]?.entries).toEqual([
      {
        player: { firstName: 'Ken', lastName: 'Griffey Jr.' },
        team: 'Seattle Mariners',
        playerId: id(1),
        teamId: id(2),
      },
    ])
    expect(cards[1]).toMatchObject({ id: id(6), parent: { id: id(5) }, deleted: true })
    expect(records.map(({ type, id: own, deleted }) => [type, own, deleted])).toEqual([
      ['players', id(1), false],
      ['teams', id(2), true],
      ['set_sources', id(7), false],
    ])
    expect(records[0]?.fields).toEqual({ first_name: 'Ken', last_name: 'Griffey Jr.', position: 'OF' })
    expect(all.filter(({ kind }) => kind === 'attribute')).toEqual([])
  })
})
