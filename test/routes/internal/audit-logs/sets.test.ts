import { expect, test } from 'bun:test'
import { readChecklist } from '../../../../src/catalog/import/read/checklist.ts'
import { writeChecklist } from '../../../../src/catalog/import/write/checklist.ts'
import { runningCommands } from '../../../commands/running.ts'
import { testApp } from '../../../support/app.ts'

const app = await testApp()
const { operator } = app

const logged = async (id: string) =>
  (await operator.get(`/internal/audit-logs?filter[auditable_type]=set&filter[auditable_id]=${id}`)).many
    .map(({ attributes }) => attributes)
    .toReversed()
const events = async (id: string) => (await logged(id)).map(({ event_type }) => event_type)
const aSet = async (attributes: object) =>
  (await app.operator.post('/v1/sets', { data: { type: 'sets', attributes: { name: 'Fleer', ...attributes } } })).one.id
const change = (id: string, attributes: object, who = app.operator) =>
  who.patch(`/v1/sets/${id}`, { data: { type: 'sets', id, attributes } })

test('publishing, unpublishing, renaming and deleting a set write an entry each', async () => {
  const id = await aSet({})
  expect(await events(id)).toEqual([])
  for (const status of ['published', 'published', 'draft']) await change(id, { status })
  await change(id, { name: 'Fleer 1986' })
  await change(id, { status: 'published' }, app.internalMachine)
  expect((await operator.delete(`/v1/sets/${id}`)).status).toBe(204)
  const entries = await logged(id)
  expect(entries.map(({ event_type, data }) => [event_type, data])).toEqual([
    ['set.published', { name: 'Fleer', from: 'draft', to: 'published' }],
    ['set.unpublished', { name: 'Fleer', from: 'published', to: 'draft' }],
    ['set.updated', { fields: ['name'] }],
    ['set.published', { name: 'Fleer 1986', from: 'draft', to: 'published' }],
    ['set.deleted', { name: 'Fleer 1986', from: 'published', to: 'deleted' }],
  ])
  expect(entries.map(({ agent_id }) => String(agent_id).split(':')[0])).toEqual([
    'user',
    'user',
    'user',
    'client',
    'user',
  ])
})

test('a set that is made as published, or removed for good, is in the log', async () => {
  const id = await aSet({ status: 'published' })
  expect((await operator.delete(`/v1/sets/${id}?force=true`)).status).toBe(204)
  expect(await events(id)).toEqual(['set.published', 'set.deleted'])
})

test('a set that an export brings back is in the log', async () => {
  const id = await aSet({})
  const exported = (await runningCommands(app.context)('export')).out
  await operator.delete(`/v1/sets/${id}`)
  await runningCommands(app.context, exported)('import', '-', '--json')
  expect((await operator.get(`/v1/sets/${id}`)).status).toBe(404)
  await runningCommands(app.context, exported)('import', '-', '--overwrite', '--json')
  expect((await operator.get(`/v1/sets/${id}`)).status).toBe(200)
  const entries = await logged(id)
  expect(entries.map(({ event_type }) => event_type)).toEqual(['set.deleted', 'set.restored'])
  expect(entries.at(-1)).toMatchObject({ agent_id: 'command-line', data: { from: 'deleted', to: 'draft' } })
})

test('a change that is refused is not', async () => {
  const id = await aSet({})
  expect((await change(id, { status: 'published', parent_id: id })).status).toBe(422)
  expect((await change(id, { status: 'hidden' })).status).toBe(422)
  expect(await events(id)).toEqual([])
})

test('an import that publishes writes an entry for each set, and a second run none', async () => {
  const source =
    'genre,year,manufacturer,brand,set,number,player\nBasketball,1986,Fleer,Fleer,Imported,57,Michael Jordan\n'
  const run = () =>
    writeChecklist(app.db, readChecklist({ name: 'one.csv', stream: pieces(source) }, {}), {
      ...{ publish: true, now: app.clock.now, agent: 'command-line' as const },
    })
  for (const _ of [1, 2]) await run()
  const { many } = await operator.get('/internal/audit-logs?filter[event_type]=set.published&per_page=500')
  const mine = many.map(({ attributes }) => attributes).filter(({ agent_id }) => agent_id === 'command-line')
  expect(mine.map(({ data }) => data)).toEqual([{ name: 'Imported', from: 'none', to: 'published' }])
})

async function* pieces(text: string) {
  yield new TextEncoder().encode(text)
}
