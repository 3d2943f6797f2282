import { describe, expect, test } from 'bun:test'
import { routes } from '../../src/app.ts'
import { bodyTypesOf, type Route } from '../../src/http/route.ts'
import { testApp } from '../support/app.ts'
import { factories } from '../support/factories.ts'
import { placesOf } from '../support/route-samples.ts'

const app = await testApp()
const places = await placesOf(app)
const make = factories(app)

/** A signature, or a token of its own, is looked at first. */
const others = ['/images/:id/:name', '/bulk/:id/:name', '/metrics']
const asked = routes.filter(({ path, query }) => query && !others.includes(path))

/** Filters of /v2 that ask for any of several values take a list, which the document writes as one text. */
const isList = (route: Route, name: string) =>
  route.query?.[name]?.schema.type === 'array' ||
  (/^(\/pages)?\/v2\//.test(route.path) && /^filter\[\w+\](\[ne\])?$/.test(name))

const ask = (route: Route, query: string) => {
  const mediaType = bodyTypesOf(route)[0] as string
  const sent = route.body ? { body: '{}', headers: { 'Content-Type': mediaType } } : {}
  return app.operator.send(route.method, `${places.existing(route.path)}?${query}`, sent)
}

const onceFaults = (answer: Awaited<ReturnType<typeof ask>>) =>
  (answer.document.errors ?? []).flatMap(({ detail, source }) =>
    detail === 'Must be sent only once.' ? [source?.parameter] : [],
  )

test.each(asked.map((route) => [`${route.method} ${route.path}`, route] as const))(
  'a repeated parameter of %s that takes a list is joined as a list, any other is refused',
  async (_, route) => {
    for (const [name, { example = 'x' }] of Object.entries(route.query ?? {})) {
      const value = encodeURIComponent([example].flat().join(','))
      const answer = await ask(route, `${encodeURIComponent(name)}=${value}&${encodeURIComponent(name)}=${value}`)
      if (isList(route, name)) expect([name, onceFaults(answer)]).toEqual([name, []])
      else expect([name, answer.status, onceFaults(answer)]).toEqual([name, 400, [name]])
    }
  },
)

describe('a list that is given piece by piece', () => {
  const both = async (path: string, joined: string, repeated: string) => {
    const [one, other] = [await app.operator.get(`${path}?${joined}`), await app.operator.get(`${path}?${repeated}`)]
    expect([one.status, other.status]).toEqual([200, 200])
    return [one, other] as const
  }

  test.each(['/v1', '/v2'])('is what the same list with commas is: include and fields of %s', async (api) => {
    const set = await make.set()
    await make.card({ set, oncard: [await make.player()] })
    const filter = api === '/v1' ? `filter[set_id]=${set.id}` : `filter[set]=${set.id}`
    const [one, other] = await both(
      `${api}/cards`,
      `${filter}&include=set,oncard&fields[cards]=name,set&fields[sets]=name`,
      `${filter}&include=set&fields[cards]=name&include=oncard&fields[cards]=set&fields[sets]=name`,
    )
    expect(one.included).toHaveLength(2)
    expect([other.many, other.included]).toEqual([one.many, one.included])
  })

  test('is what the same list with commas is: sort and filters of /v2, in which `\\,` stays a comma', async () => {
    const genre = await make.genre()
    const names = ['One, two', 'Three', 'Four\\']
    const sets = await Promise.all(names.map((name) => make.set({ name, genre })))
    const [sorted, again] = await both(
      '/v2/sets',
      `filter[genre]=${genre.id}&sort=-created_at,name`,
      `filter[genre]=${genre.id}&sort=-created_at&sort=name`,
    )
    expect(again.many.map(({ id }) => id)).toEqual(sorted.many.map(({ id }) => id))
    const named = await app.operator.get(
      `/v2/sets?filter[genre]=${genre.id}&filter[name]=One\\, two&filter[name]=Four\\&filter[name]=Nobody`,
    )
    expect(named.many.map(({ attributes }) => attributes.name).toSorted()).toEqual(['Four\\', 'One, two'])
    const [first, second] = sets.map(({ id }) => id) as [string, string]
    const byId = await app.operator.get(`/v2/sets?filter[id]=${first}&filter[id]=${second}&filter[id]=${first}`)
    expect(byId.meta.page).toEqual({ total: 2 })
    const no = await app.operator.get(
      `/v2/sets?filter[genre]=${genre.id}&filter[id][ne]=${first}&filter[id][ne]=${second}`,
    )
    expect(no.many.map(({ attributes }) => attributes.name)).toEqual(['Four\\'])
    const tooMany = Array.from({ length: 101 }, () => `filter[id]=${first}`).join('&')
    expect((await app.operator.get(`/v2/sets?${tooMany}`)).faults).toEqual(['INVALID_PARAMETER filter[id]'])
  })

  test('is what the same list with commas is: what the feed tells of, and what a search looks for', async () => {
    const changes = await app.operator.get(
      '/v2/changes?filter[type]=sets&filter[type]=genres&include=resource&include=resource',
    )
    expect(changes.status).toBe(200)
    const types = changes.many.map(
      ({ relationships }) => (relationships.resource as { data: { type: string } }).data.type,
    )
    expect(new Set(types)).toEqual(new Set(['sets', 'genres']))
    const found = await app.operator.get('/v2/search?q=three&filter[type]=sets&filter[type]=teams')
    expect(found.many.map(({ type }) => type)).toEqual(['sets'])
  })
})

/** RFC 3986: what may stand in a URI. */
const uri =
  /^https?:\/\/[\w.~:-]+(\/([\w.~!$&'()*+,;=:@/-]|%[\dA-Fa-f]{2})*)?(\?([\w.~!$&'()*+,;=:@/?-]|%[\dA-Fa-f]{2})*)?$/

const linksIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(linksIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) =>
    name === 'links' ? Object.values(one as object).filter((link) => typeof link === 'string') : linksIn(one),
  )
}

test('links are valid URIs, whatever characters the request has raw', async () => {
  const set = await make.set({ name: 'Links' })
  await make.card({ set })
  const raw = `filter[name]=%zz|^\`{}"<>\\é 💩'`
  for (const path of [
    ...[`/v1/sets?${raw}&page[size]=1`, `/v1/sets?${raw}`, `/v2/sets?${raw}&page[size]=1`, `/v2/cards?${raw}`],
    ...['/v1/sets?page[size]=1&fields[sets]=name', `/v2/sets/${set.id}?fields[sets]=name`, '/v2/cards?page[size]=1'],
    ...[`/v2/sets/${set.id}/relationships/genre`, `/v2/sets/${set.id}/genre?fields[genres]=name`, '/v2/bulk'],
    ...[
      '/v2/search?q=a{b}^"c d"&page[size]=1',
      '/v2/changes?page[size]=1&filter[type]=sets',
      '/v2/changes?page[after]=now',
    ],
    ...['/internal/audit-logs?filter[event_type]=a|b', '/internal/jobs?fields[jobs]=name', '/v1/me?fields[users]=name'],
    ...['/internal/invites?page[size]=5', '/internal/clients?page[number]=1'],
    ...[`/pages/v1/sets?${raw}`, '/v1/user/api-key?fields[api_keys]=last_four'],
  ]) {
    const answer = await app.operator.get(path)
    const links = linksIn(JSON.parse(answer.text))
    expect([path, answer.status, links.length > 0]).toEqual([path, 200, true])
    expect([path, links.filter((link) => !uri.test(link))]).toEqual([path, []])
  }
})

test('the Location of what was created is a valid URI, and so is its self link', async () => {
  const document = { data: { type: 'genres', attributes: { name: 'Located' } } }
  const made = await app.operator.post('/v1/genres?fields[genres]=name', document)
  expect(made.status).toBe(201)
  for (const link of [made.headers.get('location'), ...linksIn(made.document)]) expect(link).toMatch(uri)
  expect(made.links.self).toEndWith('?fields%5Bgenres%5D=name')
})

test('every link in an example of the document is a valid URI', () => {
  for (const { operationId, answers } of routes)
    for (const { example } of Object.values(answers))
      expect([operationId, linksIn(example).filter((link) => !uri.test(link))]).toEqual([operationId, []])
})
