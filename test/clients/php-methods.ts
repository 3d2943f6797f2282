import { expect } from 'bun:test'
import type { Answer } from '../support/answer.ts'
import { aName } from '../support/factories.ts'
import { aPng } from '../support/image.ts'
import { inReadme } from './php-readme.ts'
import { get, type Made, type Method, paged, query, send, type Way } from './php-requests.ts'

/** The types that the client has models for, as it compares them: without `-`, `_`, case and the plural. */
const models = [
  ...['attribute', 'auditlog', 'brand', 'card', 'cardimage', 'genre', 'manufacturer', 'objectattribute', 'oncard'],
  ...['player', 'playerteam', 'set', 'setsource', 'taxonomy', 'team', 'year', 'parentset', 'subset', 'checklist'],
]
const isModel = (type: string) => models.includes(type.replace(/[-_]/g, '').toLowerCase().replace(/s$/, ''))

type Shown = Pick<Answer['one'], 'type' | 'id' | 'attributes'>

/** Every resource object has a type with a model, an id and attributes: the client reads them without looking first. */
const readsModels = (records: Shown[]) => {
  for (const { type, id, attributes } of records) {
    expect([type, isModel(type)]).toEqual([type, true])
    expect(id).toBeString()
    expect(attributes).toBeObject()
  }
}

const readsOne = ({ one, included }: Answer) => readsModels([one, ...included])

const readsPage = ({ many, included, meta }: Answer) => {
  readsModels([...many, ...included])
  const { total, per_page, current_page } = meta.pagination as Record<string, number>
  expect([total, per_page, current_page]).toEqual([expect.any(Number), 50, 1])
  expect(many.length).toBe(Math.min(50, total as number))
}

const readsAll = ({ many, included }: Answer) => {
  readsModels([...many, ...included])
  expect(many.length).toBeGreaterThan(0)
}

type Sample = { path: string; type: string; attributes: (made: Made) => object; relationships?: (made: Made) => object }

const to = (type: string, id?: string) => ({ data: { type, id } })

/** What `create` sends, by the client's name of the resource. */
const samples: Record<string, Sample> = {
  genre: { path: 'genres', type: 'genres', attributes: () => ({ name: aName('Genre') }) },
  brand: { path: 'brands', type: 'brands', attributes: () => ({ name: aName('Brand') }) },
  manufacturer: { path: 'manufacturers', type: 'manufacturers', attributes: () => ({ name: aName('Maker') }) },
  year: { path: 'years', type: 'years', attributes: () => ({ name: aName('Year') }) },
  attribute: {
    ...{ path: 'attributes', type: 'attributes' },
    attributes: () => ({ attribute: aName('A'), name: aName('Attribute') }),
  },
  player: { path: 'players', type: 'players', attributes: () => ({ full_name: 'Michael Jordan' }) },
  team: { path: 'teams', type: 'teams', attributes: () => ({ location: 'Chicago', mascot: 'Bulls' }) },
  playerteam: {
    ...{ path: 'playerteams', type: 'playerteams' },
    attributes: ({ player, team }) => ({ player_id: player, team_id: team }),
  },
  set: {
    ...{ path: 'sets', type: 'sets' },
    attributes: () => ({ name: aName('Set'), status: 'published' }),
    relationships: ({ genre, year, brand, manufacturer }) => ({
      ...{ genre: to('genres', genre), year: to('years', year), brand: to('brands', brand) },
      manufacturer: to('manufacturers', manufacturer),
    }),
  },
  card: {
    ...{ path: 'cards', type: 'cards' },
    attributes: () => ({ number: '57' }),
    relationships: ({ set, playerteam }) => ({
      ...{ set: to('sets', set), oncard: { data: [{ type: 'player-teams', id: playerteam }] } },
    }),
  },
  setSource: {
    ...{ path: 'set-sources', type: 'set_sources' },
    attributes: ({ set }) => ({ set_id: set, source_url: 'https://example.org/a', source_type: 'checklist' }),
  },
  objectAttribute: {
    ...{ path: 'object-attributes', type: 'objectAttributes' },
    attributes: ({ attribute, card }) => ({
      ...{ attribute_id: attribute, attribute_value: 'PSA 10', object_type: 'card', object_id: card },
    }),
  },
}

/** What `get` asks to include if nobody says so. The others send no query. */
const included: Record<string, string> = {
  ...{ brand: '', manufacturer: '', year: '', card: '', setSource: 'set' },
  set: 'genre,manufacturer,brand,year,parentset,subsets,checklist',
}

const create = (resource: string): Method => {
  const { path, type, attributes, relationships } = samples[resource] as Sample
  return {
    name: `${resource}()->create`,
    request: (made) =>
      send('POST', `/v1/${path}`, {
        ...{ type, attributes: attributes(made) },
        ...(relationships && { relationships: relationships(made) }),
      }),
    reads: readsOne,
    keeps: resource,
  }
}

const reading = (resource: string): Method[] => {
  const { path } = samples[resource] as Sample
  const include = included[resource]
  const one = (made: Made) => `/v1/${path}/${made[resource]}`
  return [
    {
      name: `${resource}()->get`,
      request: (made) => get(include === undefined ? one(made) : query(one(made), { include })),
      reads: readsOne,
    },
    { name: `${resource}()->list`, request: () => get(query(`/v1/${path}`, paged)), reads: readsPage },
  ]
}

const update = (resource: string): Method => {
  const { path, type } = samples[resource] as Sample
  return {
    name: `${resource}()->update`,
    request: (made) => send('PUT', `/v1/${path}/${made[resource]}`, { type, id: made[resource] }),
    refused: 'put',
  }
}

const remove = (resource: string): Method => ({
  name: `${resource}()->delete`,
  request: (made) => send('DELETE', `/v1/${samples[resource]?.path}/${made[resource]}`),
})

const all = (resource: string, ...names: string[]): Method[] =>
  names.map((name) => ({
    name: `${resource}()->${name}`,
    request: () => get(query(`/v1/${samples[resource]?.path}`)),
    reads: readsAll,
  }))

const images = '/v1/card-images'
const readsImage = ({ one }: Answer) => {
  readsModels([one])
  const { card_id, image_type, storage_path, file_size, mime_type, width, height, download_url } = one.attributes
  expect([card_id, storage_path, mime_type, download_url]).toEqual([1, 2, 3, 4].map(() => expect.any(String)))
  expect([file_size, width, height]).toEqual([1, 2, 3].map(() => expect.any(Number)))
  expect(['front', 'back']).toContain(image_type as string)
}

/** The two parts of an upload: the file, and a document about it. */
const upload = (card: string) => {
  const form = new FormData()
  form.set('file', new File([aPng(8, 8)], 'card.png'))
  const data = { type: 'card-images', attributes: { card_id: card, image_type: 'front' } }
  form.set('data', new Blob([JSON.stringify({ data })], { type: 'application/json' }))
  return form
}

const audit = '/internal/audit-logs'
const bulk = '/internal/workflow/bulk-initialize'
const actionable = (parameters: Record<string, string>) => get(query('/internal/workflow/actionable-sets', parameters))
const readsSets = ({ text }: Answer) => {
  const { data } = JSON.parse(text)
  expect(data.map((row: object) => 'set_id' in row && !('attributes' in row))).toEqual(data.map(() => true))
}

/** The client's names of methods that ask a set's todos, which have ids of their own in the hosted service. */
const todo = (name: string, attributes: object): Method => ({
  name: `internal()->workflow()->${name}`,
  request: ({ set }) => send('PATCH', `/internal/set-todos/${set}`, { type: 'set-todos', id: set, attributes }),
  refused: 'todo',
})

const readsStats =
  (...members: string[]) =>
  ({ document }: Answer) =>
    expect(Object.keys(document.data && 'attributes' in document.data ? document.data.attributes : {})).toEqual(
      expect.arrayContaining(members),
    )

/** A reader of a model that finds included records by their type: `under` it, or only `instead` of it. */
const reader = (name: string, under: string, request: Method['request'], instead?: Way): Method => ({
  ...{ name, request, instead },
  reads: (answer) => {
    readsModels(answer.included)
    const types = answer.included.map(({ type }) => type)
    expect(types).toContain(instead ?? under)
    if (instead) expect(types).not.toContain(under)
  },
})

const around = 'genre,manufacturer,brand,year,parentset,subsets,checklist,sources'
const aSet = ({ set }: Made) => get(query(`/v1/sets/${set}`, { include: around }))
const aCard = ({ card }: Made) => get(query(`/v1/cards/${card}`, { include: 'set,oncard' }))
const pairs = ({ player }: Made) =>
  get(query('/v1/playerteams', { player_id: player as string, include: 'player,team' }))
const anImage = ({ image }: Made) => get(query(`${images}/${image}`, { include: 'card' }))
const named =
  (path: string, parameters: Record<string, string>): Method['request'] =>
  () =>
    get(query(path, parameters))

const resources = Object.keys(samples)
/** An order of deletion in which nothing that is deleted is still in use. */
const deleted = [
  ...['objectAttribute', 'setSource', 'card', 'playerteam', 'player', 'team', 'set', 'attribute'],
  ...['genre', 'brand', 'manufacturer', 'year'],
]

/**
 * Each method of the hosted service's PHP client (0.4 as far as it is public) that asks the service, and what it sends and
 * reads, in an order in which they can be called.
 */
export const methods: Method[] = [
  ...resources.map(create),
  ...resources.flatMap(reading),
  ...resources.map(update),
  ...all('attribute', 'all'),
  ...all('player', 'all', 'getList'),
  ...all('playerteam', 'all', 'getList'),
  ...all('team', 'all', 'getList'),
  {
    ...create('set'),
    keeps: 'subset',
    request: ({ set }) =>
      send('POST', '/v1/sets', {
        ...{ type: 'sets', attributes: { name: aName('Below'), status: 'published', parent_set_id: set } },
      }),
  },
  {
    name: 'year()->listParents',
    request: () => get(query('/v1/years', { ...paged, 'filter[parent_year]': 'null', sort: 'name' })),
    reads: readsPage,
  },
  {
    name: 'year()->listChildren',
    request: ({ year }) => get(query('/v1/years', { ...paged, 'filter[parent_year]': year as string, sort: 'name' })),
    reads: readsPage,
  },
  {
    name: 'setSource()->forSet',
    request: ({ set }) => get(query('/v1/set-sources', { ...paged, 'filter[set_id]': set as string })),
    reads: readsPage,
  },
  {
    name: 'set()->checklist',
    request: ({ set }) => get(`/v1/sets/${set}/checklist`),
    reads: ({ text }) => {
      const { checklist, missing, total_cards } = JSON.parse(text).data
      expect([checklist.length, missing.length, total_cards]).toEqual([1, 56, 1])
    },
  },
  {
    name: 'set()->addMissingCards',
    request: ({ subset }) => ({ verb: 'POST', path: `/v1/sets/${subset}/checklist` }),
  },
  {
    name: 'set()->addChecklist',
    request: ({ subset }) =>
      send('POST', `/v1/sets/${subset}/checklist`, { type: 'checklist', attributes: { lines: ['1,Scottie Pippen'] } }),
  },
  reader('Set::genre', 'genres', aSet),
  reader('Set::manufacturer', 'manufacturers', aSet),
  reader('Set::brand', 'brands', aSet),
  reader('Set::year', 'years', aSet),
  reader('Set::subsets', 'subsets', aSet),
  reader('Set::checklist', 'checklist', aSet),
  reader('Set::sources', 'set-sources', aSet),
  reader('Set::parent', 'parentset', ({ subset }) => get(query(`/v1/sets/${subset}`, { include: 'parentset' }))),
  reader('Card::set', 'set', aCard, 'sets'),
  reader('Card::oncard', 'oncard', aCard, 'playerteams'),
  reader('Playerteam::player', 'player', pairs, 'players'),
  reader('Playerteam::team', 'team', pairs, 'teams'),
  reader('Player::getTeams', 'team', pairs, 'teams'),
  reader(
    'SetSource::set',
    'set',
    ({ setSource }) => get(query(`/v1/set-sources/${setSource}`, { include: 'set' })),
    'sets',
  ),
  {
    name: 'cardImage()->upload',
    request: ({ card }) => ({ verb: 'POST', path: images, form: upload(card as string) }),
    reads: readsImage,
    keeps: 'image',
  },
  { name: 'cardImage()->list', request: () => get(query(images, paged)), reads: readsPage },
  { name: 'cardImage()->get', request: anImage, reads: readsImage },
  { name: 'cardImage()->getDownloadUrl', request: anImage, reads: readsImage },
  reader('CardImage::card', 'card', anImage, 'cards'),
  {
    name: 'CardImage::getVariantUrl',
    request: anImage,
    reads: ({ one }) => expect(one.attributes.variants).toContainEqual(expect.objectContaining({ name: 'small' })),
    instead: 'variants',
  },
  {
    name: 'cardImage()->update',
    request: ({ image }) =>
      send('PATCH', `${images}/${image}`, { type: 'card-images', id: image, attributes: { image_type: 'back' } }),
    reads: readsImage,
  },
  ...inReadme,
  { name: 'cardImage()->delete', request: ({ image }) => send('DELETE', `${images}/${image}`) },
  { name: 'stats()->get', request: () => get('/v1/stats/cards'), reads: readsStats('model', 'unit', 'count', 'stats') },
  { name: 'stats()->getCounts', request: () => get('/v1/stats/counts'), reads: readsStats('counts') },
  {
    name: 'stats()->getSnapshots',
    request: () => get('/v1/stats/snapshots'),
    reads: readsStats('snapshots', 'entity_type', 'from', 'to'),
  },
  {
    name: 'stats()->getGrowth',
    request: named('/v1/stats/growth', { period: '7d' }),
    reads: readsStats('metrics', 'period'),
  },
  {
    name: 'internal()->auditLog()->createAuditEvent',
    request: () => send('POST', audit, { type: 'audit-logs', attributes: { event_type: 'tried' } }),
    reads: readsOne,
  },
  {
    name: 'internal()->auditLog()->getAuditLogs',
    request: named(audit, { per_page: '50', page: '1', pageName: 'page' }),
    reads: readsPage,
  },
  {
    name: 'internal()->workflow()->bulkInitializeWorkflow',
    request: () => ({ verb: 'POST', path: bulk }),
    reads: ({ text }) => expect(JSON.parse(text).status).toBeString(),
  },
  {
    name: 'internal()->workflow()->getBulkInitializeStatus',
    request: ({ job }) => get(`${bulk}/${job}`),
    reads: ({ text }, { job }) => expect(JSON.parse(text).job_id).toBe(job),
  },
  {
    name: 'internal()->workflow()->getForSet',
    request: ({ set }) => get(`/internal/sets/${set}/workflow`),
    reads: ({ text }) => expect(JSON.parse(text)).toContainKey('workflow'),
  },
  {
    name: 'internal()->workflow()->actionableSets',
    request: () => actionable({ step: 'discover_sources' }),
    reads: readsSets,
    instead: 'rows',
  },
  {
    name: 'internal()->workflow()->getReviewQueue',
    request: () => actionable({ status: 'review', step: 'parse' }),
    reads: readsSets,
    instead: 'rows',
  },
  {
    name: 'internal()->workflow()->actionableSets, without a step',
    request: () => get('/internal/workflow/actionable-sets'),
    refused: 'step',
  },
  {
    name: 'internal()->workflow()->getReviewQueue, without a step',
    request: () => actionable({ status: 'review' }),
    refused: 'step',
  },
  {
    name: 'internal()->workflow()->getSetTodos',
    request: ({ set }) => get(`/internal/workflow/sets/${set}/todos`),
    refused: 'todo',
  },
  todo('updateSetTodo', { status: 'completed' }),
  todo('flagForReview', { status: 'review', notes: 'odd' }),
  todo('resolveReview', { status: 'pending', notes: 'fine' }),
  { name: 'Player::getFromApi', request: named('/v1/players', { full_name: 'Michael Jordan' }), reads: readsAll },
  { name: 'Team::getFromApi', request: named('/v1/teams', { name: 'Chicago Bulls', limit: '50' }), reads: readsAll },
  {
    name: 'Playerteam::getFromApi',
    request: ({ player, team }) =>
      get(query('/v1/playerteams', { player_id: player as string, team_id: team as string })),
    reads: readsAll,
  },
  {
    name: 'Player::getPlayerteams',
    request: ({ player }) => get(query('/v1/playerteams', { player_id: player as string })),
    reads: readsAll,
  },
  {
    name: 'Playerteam::prepare, with ids',
    request: ({ player }) => get(query('/v1/players', { id: player as string })),
    refused: 'id',
  },
  ...['Player::getAliases', 'Player::hasAliases'].map(
    (name): Method => ({
      name,
      request: ({ player }) => get(query('/v1/players', { parent_id: player as string })),
      refused: 'parent',
    }),
  ),
  {
    name: 'Player::getCards',
    request: ({ player }) => get(query('/v1/cards', { ...paged, player_id: player as string, limit: '1000' })),
    refused: 'size',
  },
  ...['player', 'team'].flatMap((resource): Method[] => [
    { name: `${resource}()->listDeleted`, request: () => get(`/v1/${resource}s/deleted`), refused: 'deleted' },
    {
      name: `${resource}()->deleted`,
      request: (made) => get(`/v1/${resource}s/${made[resource]}/deleted`),
      refused: 'deleted',
    },
  ]),
  {
    name: 'set()->delete',
    request: ({ subset }) => send('DELETE', `/v1/sets/${subset}`),
  },
  ...deleted.map(remove),
  {
    name: 'genre()->listDeleted',
    request: named('/v1/genres', { 'filter[status]': 'deleted' }),
    reads: readsAll,
  },
  {
    name: 'genre()->deleted',
    request: ({ genre }) => get(query(`/v1/genres/${genre}`, { include_trashed: 'true' })),
    reads: ({ one }) => expect(one.attributes.deleted_at).toBeString(),
  },
]
