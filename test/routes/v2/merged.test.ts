import { expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { makeBulkFiles } from '../../../src/catalog/sync/bulk/make.ts'
import { testApp } from '../../support/app.ts'
import { factories } from '../../support/factories.ts'
import { merging } from '../../support/merges.ts'

const app = await testApp()
const { operator, reader, context } = app
const make = factories(app)
const { merge } = merging(app)

const set = await make.set({ status: 'published' })
const [from, into, hidden, target] = [
  ...[await make.player(), await make.player()],
  ...[await make.player(), await make.player()],
] as const
const card = await make.card({ set, oncard: [from] })
await make.card({ oncard: [hidden] })

type Entry = {
  attributes: { action: string }
  relationships: { resource: { data: { id: string } } }
  meta: { merged_into?: unknown }
}
const changesSince = async (cursor: string) => {
  const { document } = await reader.get(`/v2/changes?page[after]=${cursor}`)
  return (document.data as unknown as Entry[]).map(({ attributes, relationships, meta }) => [
    ...[relationships.resource.data.id, attributes.action, meta.merged_into],
  ])
}

test('the feed has the merged record as deleted, with what it became, and what changed', async () => {
  const { document } = await reader.get('/v2/changes?page[after]=now')
  const { cursor } = (document.meta as { page: { cursor: string } }).page
  await merge([from], into)
  const changes = await changesSince(cursor)
  expect(changes).toContainEqual([from.id, 'delete', { type: 'players', id: into.id }])
  expect(changes).toContainEqual([into.id, 'upsert', undefined])
  expect(changes).toContainEqual([card.id, 'upsert', undefined])
})

test('the bulk file of merges has what readers may know', async () => {
  await merge([hidden], target)
  await makeBulkFiles(context, { signal: new AbortController().signal })
  const { many } = await operator.get('/v2/bulk?page[size]=100')
  const file = many.find(({ attributes }) => attributes.resource === 'merges')
  expect(file?.attributes.count).toBe(1)
  const download = await app.fetch(new Request(String(file?.attributes.download_url)))
  const text = gunzipSync(await download.arrayBuffer()).toString()
  expect(JSON.parse(text)).toEqual({
    ...{ type: 'merges', id: from.id },
    attributes: { object_type: 'players', merged_into: into.id },
  })
})
