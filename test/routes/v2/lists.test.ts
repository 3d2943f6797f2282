import { describe, expect, test } from 'bun:test'
import { sortsOf } from '../../../src/catalog/model/criteria.ts'
import { resources } from '../../../src/catalog/model/index.ts'
import { resourcesInV2 } from '../../../src/catalog/model/v2.ts'
import { type Answer, idsOf } from '../../support/answer.ts'
import { testApp, testBaseUrl } from '../../support/app.ts'
import { aWorld } from '../../support/worlds.ts'

const app = await testApp()
for (let n = 0; n < 5; n++) await aWorld(app, 'published')
const hidden = await aWorld(app, 'draft')

const profile = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'
const path = (link: unknown) => String(link).slice(testBaseUrl.length)

/** Follows the links of a list to its end, in one direction. */
const walk = async (from: string, direction: 'next' | 'prev' = 'next') => {
  const pages: Answer[] = []
  for (let at: string | null = from; at; ) {
    const page = await app.reader.get(at)
    if (page.status !== 200) throw new Error(page.text)
    pages.push(page)
    const link = page.links[direction]
    at = link ? path(link) : null
  }
  return pages
}

describe.each(resourcesInV2.map((resource) => [resource.path, resource] as const))('GET /v2/%s', (name, resource) => {
  const list = (query = '') => app.reader.get(`/v2/${name}${query}`)
  const isVocabulary = resource.type === 'attributes'
  const total = isVocabulary ? 6 : 5

  test('is a page of the cursor pagination profile', async () => {
    const answer = await list()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe(`application/vnd.api+json; profile="${profile}"`)
    expect(answer.meta).toEqual({ page: { total } })
    expect(answer.many).toHaveLength(total)
    expect([answer.links.prev, answer.links.next]).toEqual([null as never, null as never])
    expect(answer.links.self).toBe(`${testBaseUrl}/v2/${name}`)
    expect(idsOf(answer.many).includes(hidden[resource.type as 'cards'].id)).toBe(isVocabulary)
  })

  test('an item is what /v1 shows and what /v2 adds, at its own address, with its cursor', async () => {
    const [first] = (await list()).many as (Answer['one'] & { meta: { page: { cursor: string } } })[]
    const alone = (await app.reader.get(`/v2/${name}/${first?.id}`)).one
    const { meta, ...rest } = first as NonNullable<typeof first>
    expect(rest).toEqual(alone)
    expect(meta.page.cursor).toMatch(/^[\w-]{20,}$/)
    if (!resources.some(({ type }) => type === resource.type)) return
    const old = (await app.reader.get(`/v1/${name}/${first?.id}`)).one
    const added = Object.keys(resource.more?.read ?? {})
    expect(Object.keys(old.attributes).filter((attribute) => added.includes(attribute))).toEqual([])
    for (const attribute of added) delete alone.attributes[attribute]
    const renamed = JSON.parse(
      JSON.stringify(old)
        .replaceAll(`${testBaseUrl}/v1/`, `${testBaseUrl}/v2/`)
        .replace('"attributes":{"data"', '"card_attributes":{"data"'),
    )
    // It is in /v2 alone (cards-in-all.test.ts).
    const { cards_count_total: _, ...attributes } = alone.attributes
    expect({ ...alone, attributes }).toEqual(renamed)
  })

  for (const sort of Object.keys(sortsOf(resource)).flatMap((key) => [key, `-${key}`]))
    test(`walks forwards and backwards by ${sort} without a record twice or missing`, async () => {
      const all = idsOf((await list(`?sort=${sort}`)).many)
      const pages = await walk(`/v2/${name}?sort=${sort}&page[size]=2`)
      expect(pages.flatMap((page) => idsOf(page.many))).toEqual(all)
      expect(pages.map(({ links }) => links.next === null)).toEqual(pages.map((_, n) => n === pages.length - 1))
      const back = await walk(path(pages[0]?.links.last), 'prev')
      expect(back.toReversed().flatMap((page) => idsOf(page.many))).toEqual(all)
      expect(new Set(all).size).toBe(total)
      const up = idsOf((await list(`?sort=${sort.replace('-', '')}`)).many)
      expect(sort.startsWith('-') ? all.toReversed() : all).toEqual(up)
    })
})
