import { afterAll, expect, test } from 'bun:test'
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Devour from 'devour-client'
import { Jsona } from 'jsona'
import Kitsu from 'kitsu'
import { startNumbering } from '../../../src/catalog/sync/feed/number.ts'
import { testApp } from '../../support/app.ts'
import { aName, factories } from '../../support/factories.ts'
import { aWorld } from '../../support/worlds.ts'

const app = await testApp()
const make = factories(app)
const world = await aWorld(app, 'published')
const second = await make.card({
  set: world.sets,
  number: '2',
  oncard: [world.players],
  attributes: [world.attributes],
})

const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: app.fetch })
afterAll(() => server.stop(true))
const baseURL = `http://127.0.0.1:${server.port}/v2`
const headers = { Authorization: app.headers.operator.Authorization as string }

test('kitsu reads a page with what it includes, and creates, changes and deletes', async () => {
  const kitsu = new Kitsu({ baseURL, headers, pluralize: false, resourceCase: 'none', camelCaseTypes: false })
  const params = { filter: { set: world.sets.id }, include: 'set.genre,oncard,card_attributes', page: { size: 1 } }
  const page = await kitsu.get('cards', { params })
  const [card] = page.data
  expect([page.data.length, card.id, card.number]).toEqual([1, world.cards.id, '1'])
  expect(card.set.data.genre.data.name).toBe(world.genres.attributes.name)
  expect(card.oncard.data[0].name).toBe(world.playerteams.attributes.name)
  expect(card.card_attributes.data[0].attribute).toBe(world.attributes.attributes.attribute)
  const next = await kitsu.get('cards', { params: { ...params, page: { size: 1, after: card.meta.page.cursor } } })
  expect([next.data[0].id, next.links.next, next.meta.page.total]).toEqual([second.id, null, 2])

  const made = await kitsu.create('brands', { name: aName('Brand') })
  const changed = await kitsu.update('brands', { id: made.data.id, description: 'By kitsu' })
  expect(changed.data.description).toBe('By kitsu')
  await kitsu.delete('brands', made.data.id)
  const refusal = await kitsu.get(`brands/${made.data.id}`).catch((error: { errors: { code: string }[] }) => error)
  expect(refusal.errors[0].code).toBe('NOT_FOUND')
})

test('devour reads a list and a record, and creates, changes and deletes', async () => {
  const devour = new Devour({ apiUrl: baseURL, pluralize: false, logger: false })
  devour.headers = headers
  devour.define('sets', { name: '', brand: { jsonApi: 'hasOne', type: 'brands' } })
  devour.define('brands', { name: '', description: '' })
  devour.define('players', { name: '' })
  devour.define('playerteams', { name: '' })
  devour.define('cards', {
    ...{
      number: '',
      name: '',
      set: { jsonApi: 'hasOne', type: 'sets' },
      oncard: { jsonApi: 'hasMany', type: 'players' },
    },
  })
  const { data, meta } = await devour.findAll('cards', { filter: { set: world.sets.id }, include: 'set.brand,oncard' })
  expect([data.length, meta.page.total]).toEqual([2, 2])
  expect(data[0].set.brand.name).toBe(world.brands.attributes.name)
  expect(data[1].oncard[0].name).toBe(world.players.attributes.name)
  const made = await devour.create('cards', { number: '3', set: { id: world.sets.id, type: 'sets' }, oncard: [] })
  const changed = await devour.update('cards', { id: made.data.id, number: '4' })
  expect(changed.data.name).toBe('4')
  await devour.destroy('cards', made.data.id)
  expect((await app.operator.get(`/v2/cards/${made.data.id}`)).status).toBe(404)
})

test('jsona reads a document into a graph of objects, and writes one that PATCH takes back', async () => {
  const jsona = new Jsona()
  const answer = await fetch(`${baseURL}/cards/${second.id}?include=set.year,oncard,card_attributes`, { headers })
  const card = jsona.deserialize((await answer.json()) as never) as never as {
    set: { year: { name: string } }
    oncard: { name: string }[]
    card_attributes: { id: string }[]
    title: string | null
  }
  expect(card.set.year.name).toBe(String(world.years.attributes.name))
  expect(card.oncard.map(({ name }) => name)).toEqual([String(world.players.attributes.name)])
  card.title = 'By jsona'
  const body = JSON.stringify(
    jsona.serialize({ stuff: card as never, includeNames: ['oncard', 'card_attributes', 'set'] }),
  )
  const changed = await fetch(`${baseURL}/cards/${second.id}`, {
    method: 'PATCH',
    headers: { ...headers, 'Content-Type': 'application/vnd.api+json' },
    body,
  })
  expect([
    changed.status,
    ((await changed.json()) as { data: { attributes: { title: string } } }).data.attributes.title,
  ]).toEqual([200, 'By jsona'])
})

test('openapi-fetch, typed by the OpenAPI document, walks a list, writes, operates and follows the feed', async () => {
  const stopNumbering = startNumbering(app.context)
  const root = join(import.meta.dir, '../../..')
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-client-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  copyFileSync(join(root, 'test/unit/openapi/v2-client.ts.txt'), join(folder, 'v2-client.ts'))
  const { tour } = await import(join(folder, 'v2-client.ts'))
  const brand = aName('Brand')
  const cards = (await app.operator.get(`/v1/cards?filter[set_id]=${world.sets.id}`)).many
  const token = headers.Authorization.slice('Bearer '.length)
  const [set, pair, player] = [world.sets, world.playerteams, world.players].map(({ attributes }) => attributes.name)
  expect(await tour(baseURL.replace('/v2', ''), token, world.sets.id, brand)).toEqual({
    list: {
      names: cards
        .map(({ attributes }) => attributes.name)
        .toReversed()
        .map((name, n) => [name, set, [player, pair][n]].join(' | ')),
      total: 2,
    },
    writes: ['71 Typed', 1, 204, 'NOT_FOUND'],
    operations: [2, 'upsert', brand],
  })
  await stopNumbering()
  rmSync(folder, { recursive: true })
})
