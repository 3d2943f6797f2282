import { expect, test } from 'bun:test'
import { join } from 'node:path'
import Ajv2020 from 'ajv/dist/2020.js'
import { testApp } from '../support/app.ts'
import { placesOf } from '../support/route-samples.ts'

type Described = { responses: Record<string, { content?: Record<string, { schema?: object }> }> }
type Document = { paths: Record<string, { get?: Described }> }

/** What the service said of itself before it took clients of the hosted service (decisions §21). */
const before: Document = JSON.parse(
  new TextDecoder().decode(
    Bun.zstdDecompressSync(await Bun.file(join(import.meta.dir, 'openapi-before-hosted-clients.json.zst')).bytes()),
  ),
)

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(before, 'before')

/** A check of what an address answered then. The address is a JSON pointer's. */
const checkOf = (path: string, mediaType: string) =>
  ajv.compile({
    $ref: `before#/paths/${encoded(path)}/get/responses/200/content/${encoded(mediaType)}/schema`,
  })

const encoded = (text: string) => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'))

const app = await testApp()
const places = await placesOf(app)

const described = Object.entries(before.paths).flatMap(([path, { get }]) => {
  const mediaType = Object.keys(get?.responses[200]?.content ?? {}).find((name) => /\bjson\b/.test(name))
  return mediaType ? [{ path, mediaType }] : []
})

const queries: Record<string, string> = {
  '/v2/search': '?q=a&include=set,oncard,card_attributes&facets=sets,players',
  '/v2/autocomplete': '?q=a',
  '/v1/sets': '?include=genre,year,brand,manufacturer,parent',
  '/v1/cards': '?include=set,oncard,attributes',
}

test('an answer has every member that the former OpenAPI document promised', async () => {
  const answered: string[] = []
  for (const { path, mediaType } of described) {
    const at = places.existing(path.replace(/\{(\w+)\}/g, ':$1'))
    const { status, text } = await app.operator.get(at + (queries[path] ?? ''))
    if (status !== 200) continue
    answered.push(path)
    const isAsBefore = checkOf(path, mediaType)
    isAsBefore(JSON.parse(text))
    expect([path, isAsBefore.errors ?? []]).toEqual([path, []])
  }
  // The rest are jobs and previews that nobody asked for here.
  expect(answered.length).toBeGreaterThan(described.length - 15)
})
