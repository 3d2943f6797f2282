import { describe, expect, test } from 'bun:test'
import { jsonApi } from '../../src/jsonapi/negotiate.ts'
import { type Answer, idsOf } from '../support/answer.ts'
import { testApp } from '../support/app.ts'
import { factories } from '../support/factories.ts'

/**
 * What applications of the hosted service ask: a site of checklists on the PHP client, a card picker that asks with a key, and
 * two adapters that guess at parameters. All of them only read.
 */
const app = await testApp({ environment: { BRAND: 'tcapi' } })
const make = factories(app)
const [genre, team] = [await make.genre({ name: 'Baseball' }), await make.team()]
const skenes = await make.player({ first_name: 'Paul', last_name: 'Skenes' })
const pair = await make.playerTeam({ player: skenes, team })
const release = await make.set({ name: '2025 Bowman Chrome', genre, status: 'published' })
const parallel = await make.set({ name: 'Gold Refractors', genre, parent: release, status: 'published' })
const card = await make.card({ set: release, number: '1', oncard: [pair] })

type Asked = { asks: string; path: string; headers?: object; status?: number; reads?: (answer: Answer) => void }

const call = async ({ path, headers, status = 200, reads }: Asked) => {
  const answer = await app.subscriber.get(path, { ...headers })
  expect([path, answer.status]).toEqual([path, status])
  reads?.(answer)
}

const pagination = (answer: Answer) => answer.meta.pagination as Record<string, number>
const paged = 'page=1&pageName=page'

describe('a site on the PHP client', () => {
  const headers = { Accept: 'application/json', 'X-TCAPI-Ignore-Status': '' }
  test.each<Asked>([
    {
      asks: 'the rail of genres, with their number',
      path: `/v1/genres?limit=50&${paged}`,
      reads: (answer) => {
        expect([pagination(answer).total, answer.many[0]?.attributes.name]).toEqual([1, 'Baseball'])
      },
    },
    {
      asks: 'the newest sets of a genre',
      path: `/v1/sets?limit=10&${paged}&genre=${genre.id}&order_by=created_at`,
      reads: (answer) => expect([pagination(answer).total, idsOf(answer.many)]).toEqual([1, [release.id]]),
    },
    {
      asks: 'all sets from A to Z, with their genres',
      path: `/v1/sets?limit=50&${paged}&include=genre`,
      reads: (answer) => {
        expect(pagination(answer).total).toBe(answer.many.length)
        expect(idsOf(answer.included)).toEqual([genre.id])
      },
    },
    {
      asks: 'the checklist of a set',
      path: `/v1/sets/${release.id}?include=checklist`,
      reads: ({ included }) => {
        expect(included.map(({ type, id, attributes }) => [type, id, attributes.number])).toEqual([
          ['checklist', card.id, '1'],
        ])
      },
    },
  ])('asks $asks', (asked) => call({ ...asked, headers }))
})

describe('a card picker with a key', () => {
  const headers = { Accept: jsonApi, 'Content-Type': jsonApi }
  test.each<Asked>([
    {
      asks: 'players by their whole name',
      path: '/v1/players?full_name=Paul+Skenes',
      reads: ({ many }) => expect(idsOf(many)).toEqual([skenes.id]),
    },
    {
      asks: 'players by a beginning, which has to say like:',
      path: '/v1/players?full_name=like:paul+ske',
      reads: ({ many }) => expect(idsOf(many)).toEqual([skenes.id]),
    },
    {
      asks: 'players by a beginning without like:, and finds nobody',
      path: '/v1/players?full_name=paul+ske',
      reads: ({ many }) => expect(many).toEqual([]),
    },
    {
      asks: 'all sets, page by page',
      path: '/v1/sets?per_page=100&page=1',
      reads: ({ meta, many }) => expect([meta.last_page, meta.total]).toEqual([1, many.length]),
    },
    {
      asks: 'sets by a part of their name',
      path: '/v1/sets?name=like:Bowman+Chrome',
      reads: ({ many }) => expect(idsOf(many)).toEqual([release.id]),
    },
    {
      asks: 'the parallels of a set',
      path: `/v1/sets?parent_id=${release.id}&per_page=100`,
      reads: ({ many }) => expect(idsOf(many)).toEqual([parallel.id]),
    },
    {
      asks: 'the cards of a player, also in player-teams',
      path: `/v1/cards?filter[player_id]=${skenes.id}&per_page=100`,
      reads: ({ many }) => {
        expect(many.map(({ id, relationships }) => [id, relationships.set?.data as object])).toEqual([
          [card.id, { type: 'sets', id: release.id }],
        ])
      },
    },
  ])('asks $asks', (asked) => call({ ...asked, headers }))
})

test('the picker is told that a checklist has no compact format', async () => {
  const path = `/v1/sets/${release.id}/checklist?format=compact&include=checklist&per_page=100`
  const { status, faults } = await app.subscriber.get(path)
  expect([status, faults]).toEqual([400, ['INVALID_PARAMETER format', 'INVALID_PARAMETER include']])
})

describe('adapters that guess at parameters', () => {
  const unknown = (...names: string[]) => ({
    status: 400,
    reads: ({ faults }: Answer) => expect(faults).toEqual(names.map((name) => `INVALID_PARAMETER ${name}`)),
  })
  test.each<Asked>([
    {
      asks: 'a page and a sport by names of their own',
      path: '/v1/cards?filter[name]=skenes&page[limit]=8&filter[sport]=Baseball',
      ...unknown('page[limit]', 'filter[sport]'),
    },
    { asks: 'to search with a filter', path: '/v1/cards?filter[search]=skenes', ...unknown('filter[search]') },
  ])('ask $asks, and are told so', (asked) => call({ ...asked, headers: { Accept: jsonApi } }))
})
