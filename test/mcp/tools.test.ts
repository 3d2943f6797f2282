import { describe, expect, test } from 'bun:test'
import type { Client } from '@modelcontextprotocol/client'
import { testApp, testBaseUrl } from '../support/app.ts'
import { factories } from '../support/factories.ts'
import { type ClientMode, clientModes, mcpService } from '../support/mcp.ts'
import { merging } from '../support/merges.ts'
import { aCardImage } from '../support/worlds.ts'

const app = await testApp()
const make = factories(app)
const service = mcpService(app.context)

const [genre, year, brand] = [
  await make.genre({ name: 'Basketball' }),
  await make.year({ name: '1986-87' }),
  await make.brand({ name: 'Fleer' }),
]
const set = await make.set({ name: '1986-87 Fleer Basketball', status: 'published', genre, year, brand })
const stickers = await make.set({
  name: 'Stickers',
  status: 'published',
  kind: 'insert',
  parent: set,
  genre,
  year,
  brand,
})
const jordan = await make.player({ first_name: 'Michael', last_name: 'Jordan' })
const bulls = await make.team({ name: 'Chicago Bulls' })
const onCard = await make.playerTeam({ player: jordan, team: bulls })
const rookie = await make.attribute({ attribute: 'RC', name: 'Rookie Card' })
const card = await make.card({ set, number: '57', oncard: [onCard], attributes: [rookie], notes: 'Reprinted since.' })
const image = await aCardImage(app, card)
await make.identifier(card, { source: 'tcdb', value: '1234' })
const sticker = await make.card({ set: stickers, number: '8', oncard: [onCard] })
for (const number of ['58', '59']) await make.card({ set, number, oncard: [bulls] })
const draft = await make.set({ name: 'Hidden Fleer', status: 'draft' })
const hidden = await make.card({ set: draft, number: '1', oncard: [onCard] })

const page = (path: string) => `${testBaseUrl}${path}`

/** What a tool gives, after the client checked it against the tool's schema, and its text, which must say the same. */
const gives = async (client: Client, name: string, given: Record<string, unknown> = {}) => {
  const { structuredContent, content, isError } = await client.callTool({ name, arguments: given })
  const [first] = content
  const text = first?.type === 'text' ? first.text : ''
  if (isError) return { error: text }
  expect(JSON.parse(text)).toEqual(structuredContent as object)
  return structuredContent as Record<string, unknown>
}

const shownCard = {
  id: card.id,
  name: '57 Michael Jordan RC',
  number: '57',
  title: null,
  serial_number: null,
  on_card: [{ name: 'Michael Jordan', player_id: jordan.id, team: 'Chicago Bulls', team_id: bulls.id }],
  codes: [{ code: 'RC', name: 'Rookie Card' }],
  set: { id: set.id, name: '1986-87 Fleer Basketball', status: 'published' },
  url: page(`/cards/${card.id}`),
}

describe.each(Object.keys(clientModes) as ClientMode[])('a client %s', (mode) => {
  test('lists tools that only read, with schemas without other members', async () => {
    const client = await service.connect(app.headers.subscriber, mode)
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'auto' ? '2026-07-28' : '2025-11-25')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      ...['search_cards', 'get_card', 'get_set', 'list_set_cards', 'get_player', 'autocomplete', 'catalog_stats'],
    ])
    for (const { annotations, inputSchema, outputSchema } of tools) {
      expect(annotations?.readOnlyHint).toBe(true)
      expect([inputSchema, outputSchema].map((schema) => schema?.additionalProperties)).toEqual([false, false])
    }
  })

  test('gets what is on a card, in a set, and of a player, with the addresses of their pages', async () => {
    const client = await service.connect(app.headers.subscriber, mode)
    expect(await gives(client, 'get_card', { id: card.id })).toEqual({
      ...shownCard,
      notes: 'Reprinted since.',
      set_path: [{ id: set.id, name: '1986-87 Fleer Basketball' }],
      parent_card_id: null,
      image_urls: [expect.stringContaining(`/images/${image.id}/`)],
      identifiers: [{ source: 'tcdb', value: '1234' }],
    })
    expect(await gives(client, 'get_set', { id: set.id })).toEqual({
      ...{ id: set.id, name: '1986-87 Fleer Basketball', kind: 'base', status: 'published' },
      ...{ cards_count: 3, cards_count_total: 4, url: page(`/sets/${set.id}`) },
      path: [{ id: set.id, name: '1986-87 Fleer Basketball' }],
      ...{ description: null, release_date: null, aliases: [], identifiers: [] },
      ...{ genre: 'Basketball', year: '1986-87', brand: 'Fleer', manufacturer: null },
      subsets: {
        ...{ total: 1, total_is_estimate: false, next_cursor: null },
        sets: [
          {
            ...{ id: stickers.id, name: 'Stickers', kind: 'insert', status: 'published' },
            ...{ cards_count: 1, cards_count_total: 1, url: page(`/sets/${stickers.id}`) },
          },
        ],
      },
    })
    expect(await gives(client, 'get_player', { id: jordan.id })).toEqual({
      ...{ id: jordan.id, name: 'Michael Jordan', aliases: [], position: null, disambiguation: null, born_on: null },
      ...{ identifiers: [], teams: [{ id: bulls.id, name: 'Chicago Bulls' }] },
      ...{ cards_count: 2, years: [{ year: '1986-87', cards_count: 2 }], url: page(`/players/${jordan.id}`) },
    })
  })

  test('searches, and finds names and counts', async () => {
    const client = await service.connect(app.headers.subscriber, mode)
    const found = await gives(client, 'search_cards', { query: 'jordan is:rookie' })
    expect(found).toMatchObject({ total: 1, total_is_estimate: false, next_cursor: null, suggestion: null })
    expect(found.cards).toEqual([{ ...shownCard, score: expect.any(Number) }])
    const first = await gives(client, 'search_cards', { query: 'jordan', limit: 1, sort: 'number' })
    const next = await gives(client, 'search_cards', {
      query: 'jordan',
      limit: 1,
      sort: 'number',
      cursor: first.next_cursor,
    })
    const ids = [first, next].flatMap(({ cards }) => (cards as { id: string }[]).map(({ id }) => id))
    expect([ids, next.next_cursor]).toEqual([[sticker.id, card.id], null])
    expect(await gives(client, 'autocomplete', { text: 'michael jor' })).toEqual({
      completions: [
        { type: 'players', id: jordan.id, name: 'Michael Jordan', context: null, url: page(`/players/${jordan.id}`) },
      ],
    })
    const { cards, sets, players } = JSON.parse((await app.reader.get('/v1/stats/counts')).text)
    expect(await gives(client, 'catalog_stats')).toMatchObject({ cards, sets, players, url: testBaseUrl })
  })

  test('walks the cards of a set in order, by cursor', async () => {
    const client = await service.connect(app.headers.subscriber, mode)
    const numbers: unknown[] = []
    let cursor: unknown
    do {
      const { cards, next_cursor, total } = await gives(client, 'list_set_cards', {
        id: set.id,
        limit: 2,
        ...(cursor ? { cursor } : {}),
      })
      numbers.push(...(cards as { number: string }[]).map(({ number }) => number))
      expect(total).toBe(3)
      cursor = next_cursor
    } while (cursor)
    expect(numbers).toEqual(['57', '58', '59'])
  })

  test('reads the same records as resources', async () => {
    const client = await service.connect(app.headers.subscriber, mode)
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(
      ['cards', 'sets', 'players', 'teams'].map((type) => `cardstock://${type}/{id}`),
    )
    for (const [type, { id }, tool] of [
      ['cards', card, 'get_card'],
      ['sets', set, 'get_set'],
      ['players', jordan, 'get_player'],
    ] as const) {
      const uri = `cardstock://${type}/${id}`
      const { contents } = await client.readResource({ uri })
      const [content] = contents
      expect([content?.uri, content?.mimeType]).toEqual([uri, 'application/json'])
      const { image_urls: _, ...read } = JSON.parse(content && 'text' in content ? content.text : '')
      expect(await gives(client, tool, { id })).toMatchObject(read)
    }
    const team = await client.readResource({ uri: `cardstock://teams/${bulls.id}` })
    expect(JSON.parse(team.contents[0] && 'text' in team.contents[0] ? team.contents[0].text : '')).toMatchObject({
      ...{ name: 'Chicago Bulls', cards_count: 4, url: page(`/teams/${bulls.id}`) },
    })
    const missing = client.readResource({ uri: `cardstock://cards/${hidden.id}` })
    await expect(missing).rejects.toThrow(/not found/i)
  })

  test('never sees drafts with a key, and sees them with a token that may read them', async () => {
    const [reader, draftReader] = [
      await service.connect(app.headers.subscriber, mode),
      await service.connect(app.headers.draftReader, mode),
    ]
    const missing = (noun: string) => ({ error: `There is no ${noun} with this id, or it is hidden from you.` })
    expect(await gives(reader, 'get_card', { id: hidden.id })).toEqual(missing('card'))
    expect(await gives(reader, 'get_set', { id: draft.id })).toEqual(missing('set'))
    expect(await gives(reader, 'list_set_cards', { id: draft.id })).toEqual(missing('set'))
    expect(await gives(reader, 'search_cards', { query: 'hidden fleer' })).toMatchObject({ total: 0, cards: [] })
    expect(await gives(draftReader, 'get_card', { id: hidden.id })).toMatchObject({ set: { status: 'draft' } })
    expect(await gives(draftReader, 'list_set_cards', { id: draft.id })).toMatchObject({ total: 1 })
    expect(await gives(draftReader, 'search_cards', { query: 'hidden fleer' })).toMatchObject({ total: 1 })
  })

  test('gets the record that another one was merged into', async () => {
    const [from, into] = [await make.player(), await make.player()]
    await merging(app).merge([from], into)
    const client = await service.connect(app.headers.subscriber, mode)
    const seen = await service.connect(app.headers.allReader, mode)
    expect(await gives(seen, 'get_player', { id: from.id })).toMatchObject({ id: into.id })
    expect(await gives(client, 'get_player', { id: set.id })).toHaveProperty('error')
  })

  test('is told in words what is wrong with what it sent', async () => {
    const client = await service.connect(app.headers.subscriber, mode)
    const said = async (name: string, given: Record<string, unknown>) => (await gives(client, name, given)).error
    expect(await said('get_card', { id: 'jordan' })).toBe('There is no card with this id, or it is hidden from you.')
    expect(await said('search_cards', { query: 'plyer:jordan' })).toMatch(
      /^Position 0: There is no field plyer\..* Perhaps you meant: player:jordan$/,
    )
    expect(await said('list_set_cards', { id: set.id, cursor: 'no cursor' })).toMatch(/cursor/i)
    expect(await said('search_cards', { query: 'x', limit: 51, colour: 'red' })).toEndWith(
      'limit: Must be at most 50. There is no argument colour.',
    )
    expect(await said('get_set', {})).toEndWith('id is missing.')
    expect(await said('autocomplete', { text: 'a\0b' })).toEndWith('text: Must not contain NUL or a lone surrogate.')
  })
})
