import { describe, expect, test } from 'bun:test'
import { inShort, readItems } from './items.ts'

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

const release = (members: object) =>
  JSON.stringify({ name: '1993 Finest Baseball', uniqueId: id(1), sets: [], ...members }, null, 2)
const set = (cards: object[], members: object = {}) => ({ name: 'Base Set', uniqueId: id(2), cards, ...members })

describe('a release', () => {
  test('is a root set, each of its sets a child, each card itself by its uniqueId', async () => {
    const { sets, cards, faults, all } = await readItems(
      release({
        attributes: [{ attribute: 'RC', note: 'Rookie Card' }],
        sets: [
          set([
            { number: '1', name: 'David Justice', uniqueId: id(10) },
            {
              number: '48',
              name: 'Eric Young',
              uniqueId: id(11).toUpperCase(),
              attributes: ['RC'],
              note: 'In red',
              numberedTo: 50,
            },
          ]),
          {
            ...set([{ number: '1', name: 'Mike Piazza', uniqueId: id(12) }]),
            name: 'Signature Series',
            uniqueId: id(3),
            numberedTo: 25,
            attributes: ['AU'],
          },
          { ...set([{ name: 'Mike Piazza', uniqueId: id(13) }]), name: 'Jumbo All-Stars', uniqueId: id(4) },
        ],
      }),
    )
    expect(faults).toEqual([])
    expect(sets.map(({ name, id: own, parentKey, setKind }) => [name, own, parentKey, setKind])).toEqual([
      ['1993 Finest Baseball', id(1), null, 'base'],
      ['Base Set', id(2), id(1), 'base'],
      ['Signature Series', id(3), id(1), 'autograph'],
      ['Jumbo All-Stars', id(4), id(1), 'insert'],
    ])
    expect(sets[0]).toMatchObject({ genre: 'Baseball', year: '1993', brand: 'Finest', manufacturer: 'Topps' })
    expect(
      cards.map(({ id: own, number, attributes, serialNumber, notes }) => [
        own,
        number,
        attributes,
        serialNumber,
        notes,
      ]),
    ).toEqual([
      [id(10), '1', [], null, null],
      [id(11), '48', ['RC'], '/50', 'In red'],
      [id(12), '1', ['AU'], '/25', null],
      [id(13), null, [], null, null],
    ])
    expect(all.filter((item) => item.kind === 'attribute').map(({ code, name }) => [code, name])).toEqual([
      ['RC', 'Rookie Card'],
      ['AU', 'Autograph'],
    ])
  })

  test('gets child sets for its parallels and variations where they are asked for', async () => {
    const text = release({
      sets: [
        set(
          [
            {
              number: '1',
              name: 'A B',
              uniqueId: id(10),
              parallels: [{ name: 'Superfractor', numberedTo: 1 }],
              variations: [
                {
                  variation: 'Photo',
                  note: 'Batting',
                  attributes: ['SP'],
                  parallels: [{ name: 'Red', numberedTo: 5 }],
                },
                { variation: 'Photo', note: 'Running' },
              ],
            },
            { number: '2', name: 'C D', uniqueId: id(11), numberedTo: 99 },
          ],
          {
            parallels: [
              { name: 'Refractor', numberedTo: 50, notes: ['Hobby'], insertOdds: [{ product: 'Hobby', odds: '1:15' }] },
            ],
          },
        ),
      ],
    })
    expect((await readItems(text)).cards).toHaveLength(2)
    const { sets, cards } = await readItems(text, 'x.json', { parallels: true })
    expect(
      sets
        .slice(2)
        .map(({ name, setKind, parentKey, description }) => [name, setKind, parentKey === id(2), description]),
    ).toEqual([
      ['Refractor', 'parallel', true, 'Hobby\nOdds: Hobby 1:15'],
      ['Superfractor', 'parallel', true, null],
      ['Photo', 'variation', true, null],
      ['Red', 'parallel', false, null],
    ])
    const nameOf = (key: string) => sets.find((each) => each.key === key)?.name
    expect(
      cards.slice(2).map((card) => [nameOf(card.setKey), card.number, card.serialNumber, card.attributes, card.notes]),
    ).toEqual([
      ['Refractor', '1', '/50', [], null],
      ['Refractor', '2', '/50', [], null],
      ['Superfractor', '1', '/1', [], null],
      ['Photo', '1', null, ['SP'], 'Batting'],
      ['Photo', '1', null, [], 'Running'],
      ['Red', '1', '/5', ['SP'], null],
    ])
    expect(cards[2]?.parent).toEqual({ id: id(10) })
    expect(new Set(cards.map((card) => card.id)).size).toBe(cards.length)
    const again = await readItems(text, 'elsewhere/y.json', { parallels: true })
    expect(again.cards.map((card) => card.id)).toEqual(cards.map((card) => card.id))
  })

  test('loses no card whose uniqueId is taken, bad or missing; each gets another id, the same at every run', async () => {
    const cards = [
      { number: '1', name: 'A B', uniqueId: id(10) },
      { number: '2', name: 'C D', uniqueId: id(10) },
      { number: '3', name: 'E F', uniqueId: 'no-uuid' },
      { number: '4', name: 'G H' },
      { number: '4', name: 'G H' },
    ]
    const first = await readItems(release({ sets: [set(cards)] }))
    const second = await readItems(release({ sets: [set(cards)] }), 'other.json')
    expect(first.cards.map((card) => card.number)).toEqual(['1', '2', '3', '4', '4'])
    expect(new Set(first.cards.map((card) => card.id)).size).toBe(5)
    expect(second.cards.map((card) => card.id)).toEqual(first.cards.map((card) => card.id))
    expect(first.notes.map(({ rule }) => rule)).toEqual([
      'duplicate-id',
      'invalid-id',
      'invalid-id',
      'equal-rows',
      'invalid-id',
      'shared-number',
    ])
  })

  test('refuses single cards that cannot be stored, and reads the rest', async () => {
    const { cards, faults } = await readItems(
      release({
        sets: [
          set([
            { number: '1', name: 'A\u0000B C', uniqueId: id(10) },
            { number: '9'.repeat(256), name: 'A B', uniqueId: id(11) },
            { uniqueId: id(12) },
            'a text',
            { number: 5, name: 'A B', uniqueId: id(13) },
          ] as object[]),
        ],
      }),
    )
    expect(cards.map(({ number }) => number)).toEqual(['5'])
    expect(faults).toHaveLength(4)
  })

  test('whose parallels stand in each other without an end is refused in a sentence', async () => {
    const deep = (times: number) =>
      `[{"name":"Gold","parallels":${'[{"name":"Gold","parallels":'.repeat(times)}[]${'}]'.repeat(times)}}]`
    const nested = (times: number) =>
      release({ sets: [set([{ name: 'A B', uniqueId: id(10) }], { parallels: 'here' })] }).replace(
        '"here"',
        deep(times),
      )
    expect((await readItems(nested(19))).faults).toEqual([])
    for (const [times, sentence] of [
      [20, 'Its parallels are nested too deeply to be read.'],
      [20_000, 'The JSON document cannot be read: more than 100 levels at character '],
    ] as const) {
      const { faults, cards } = await readItems(nested(times))
      expect([faults.map(({ reason }) => reason), cards]).toEqual([[expect.stringContaining(sentence)], []])
    }
  })

  test('takes genre and year from its folder, and the brand from the file where its name is misspelt', async () => {
    const text = release({ name: '1991 Scpre', sets: [set([{ name: 'A B', uniqueId: id(10) }])] })
    const { sets, notes } = await readItems(text, 'categories/baseball/1991/1991-Score.json')
    expect(sets[0]).toMatchObject({ genre: 'Baseball', year: '1991', brand: 'Score', manufacturer: 'Pinnacle Brands' })
    expect(notes.map(({ rule }) => rule)).toContain('undecided-brand')
  })

  test('knows makers by brand and year', async () => {
    const brandOf = async (name: string) => {
      const { sets } = await readItems(release({ name }))
      return [sets[0]?.year, sets[0]?.brand, sets[0]?.manufacturer, sets[0]?.genre]
    }
    expect(await brandOf('1986-87 Fleer Basketball')).toEqual(['1986-87', 'Fleer', 'Fleer', 'Basketball'])
    expect(await brandOf('2001-2002 O-Pee-Chee Hockey')).toEqual(['2001-02', 'O-Pee-Chee', 'O-Pee-Chee', 'Hockey'])
    expect(await brandOf('1989 Topps Traded Baseball')).toEqual(['1989', 'Topps', 'Topps', 'Baseball'])
    expect(await brandOf('1990 Donruss Baseball')).toEqual(['1990', 'Donruss', 'Donruss', 'Baseball'])
    expect(await brandOf('2023 Donruss Donruss Baseball')).toEqual(['2023', 'Donruss', 'Panini', 'Baseball'])
    expect(await brandOf('2021 Wild Card Matte Football')).toEqual(['2021', 'Wild Card Matte', null, 'Football'])
  })

  test('in one line, as a minified file has it, is a release too', async () => {
    const { cards } = await readItems(
      JSON.stringify(JSON.parse(release({ sets: [set([{ name: 'Larry Bird', uniqueId: id(10) }])] }))),
    )
    expect(cards.map(inShort)).toEqual([['Larry Bird']])
  })
})
