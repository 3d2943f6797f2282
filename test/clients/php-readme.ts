import { expect } from 'bun:test'
import { get, type Made, type Method, paged, query, send } from './php-requests.ts'

/** A call of a list or of one record with these parameters, which is refused for a reason or works. */
const call = (
  name: string,
  path: string | ((made: Made) => string),
  parameters: Record<string, string>,
  refused?: Method['refused'],
): Method => ({
  ...{ name, refused },
  request: (made) => get(query(typeof path === 'string' ? path : path(made), parameters)),
})

const aSet = ({ set }: Made) => `/v1/sets/${set}`
const aCard = ({ card }: Made) => `/v1/cards/${card}`
const nobody = '00000000-0000-4000-8000-000000000000'

/** Calls as the client's README shows them that are refused here, and those that work in their place. */
export const inReadme: Method[] = [
  call("player()->list(['sort' => …])", '/v1/players', { ...paged, sort: 'last_name' }, 'sort'),
  call("card()->list(['name' => …])", '/v1/cards', { ...paged, name: 'Pikachu' }, 'name'),
  call("card()->list(['filter[name]' => 'like:…'])", '/v1/cards', { ...paged, 'filter[name]': 'like:x' }, 'name'),
  call("card()->list(['set_id' => …])", '/v1/cards', { ...paged, set_id: nobody }, 'filter'),
  call("card()->list(['player_id' => …])", '/v1/cards', { ...paged, player_id: nobody }, 'filter'),
  call(
    "internal()->auditLog()->getAuditLogs(['event_type' => …])",
    '/internal/audit-logs',
    { event_type: 'tried' },
    'filter',
  ),
  call("card()->list(['limit' => 101])", '/v1/cards', { ...paged, limit: '101' }, 'limit'),
  call("set()->get($id, ['include' => 'cards,genre'])", aSet, { include: 'cards,genre' }, 'include'),
  call("card()->get($id, ['include' => 'images'])", aCard, { include: 'images' }, 'images'),
  ...['name', 'set_id', 'player_id'].map((name) =>
    call(`card()->list(['filter[${name}]' => …])`, '/v1/cards', { ...paged, [`filter[${name}]`]: nobody }),
  ),
  call("cardImage()->list(['filter[card_id]' => …])", '/v1/card-images', { ...paged, 'filter[card_id]': nobody }),
  call("set()->get($id, ['include' => 'checklist,genre'])", aSet, { include: 'checklist,genre' }),
  call("player()->list(['filter[status]' => 'deleted'])", '/v1/players', { ...paged, 'filter[status]': 'deleted' }),
  {
    name: "player()->create([…], ['parent' => …])",
    request: ({ player }) =>
      send('POST', '/v1/players', {
        ...{ type: 'players', attributes: { first_name: 'Mike', last_name: 'Jordan' } },
        relationships: { parent: { data: { type: 'players', id: player } } },
      }),
    refused: 'alias',
  },
  {
    name: "cardImage()->update($id, ['is_primary' => true])",
    request: ({ image }) =>
      send('PATCH', `/v1/card-images/${image}`, { type: 'card-images', id: image, attributes: { is_primary: true } }),
    refused: 'primary',
  },
  {
    name: "stats()->getCounts()->getByEntityType('sets')",
    request: () => get('/v1/stats/counts'),
    reads: ({ one }) => {
      const types = (one.attributes.counts as { entity_type: string }[]).map(({ entity_type }) => entity_type)
      expect(types).toContain('set')
      expect(types).not.toContain('sets')
    },
    instead: 'counts',
  },
  {
    name: "player()->list(['full_name' => 'like:…'])",
    request: () => get(query('/v1/players', { ...paged, full_name: 'like:jord' })),
    reads: ({ many }, { player }) => expect(many.map(({ id }) => id)).toContain(player as string),
  },
  {
    name: 'card()->makeRequest, with a search',
    request: () => get('/v2/search?q=jordan&filter[type]=cards'),
    reads: ({ many }, { card }) => expect(many.map(({ id }) => id)).toContain(card as string),
  },
  {
    name: "set()->list(['scope' => 'all'])",
    request: () => get(query('/v1/sets', { ...paged, scope: 'all' })),
    reads: ({ many }, { subset }) => expect(many.map(({ id }) => id)).toContain(subset as string),
  },
  {
    name: 'set()->makeRequest, with a page of a checklist',
    request: ({ set }) => get(`/v1/sets/${set}/checklist?per_page=100&page=1`),
    reads: ({ text }, { card }) =>
      expect(JSON.parse(text).data.checklist.map(({ id }: { id: string }) => id)).toContain(card),
  },
  {
    name: 'internal()->auditLog()->createAuditEvent, with a description',
    request: () =>
      send('POST', '/internal/audit-logs', {
        ...{ type: 'audit-logs', attributes: { event_type: 'tried', description: 'Done' } },
      }),
    refused: 'described',
  },
  {
    name: 'team()->makeRequest, with PATCH',
    request: ({ team }) =>
      send('PATCH', `/v1/teams/${team}`, {
        type: 'teams',
        id: team,
        attributes: { location: 'Chicago', mascot: 'Bulls' },
      }),
    reads: ({ one }) => expect([one.type, one.attributes.name]).toEqual(['teams', 'Chicago Bulls']),
  },
]
