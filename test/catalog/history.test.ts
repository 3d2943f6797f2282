import { expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { factories } from '../support/factories.ts'

const app = await testApp()
const make = factories(app)

const revisionsOf = async (id: string) =>
  (
    await app.db.sql<{ type: string; before: object; after: object; cause: string }[]>`
      select object_type as type, cause, before, after from revisions where object_id = ${id} order by id`
  ).map((row) => ({ ...row }))

test('a change of a card leaves a revision with what differs, its making none', async () => {
  const card = await make.card({ number: '1' })
  await app.operator.patch(`/v1/cards/${card.id}`, {
    data: { type: 'cards', id: card.id, attributes: { number: '2', title: 'Checklist' } },
  })
  await app.operator.delete(`/v1/cards/${card.id}`)
  expect(await revisionsOf(card.id)).toEqual([
    {
      ...{ type: 'cards', cause: 'request' },
      before: { number: '1', title: null },
      after: { number: '2', title: 'Checklist' },
    },
    { type: 'cards', cause: 'request', before: { deleted: false }, after: { deleted: true } },
  ])
})

test('so does a change of a set and of a player', async () => {
  const set = await make.set({ name: 'Fleer' })
  await app.operator.patch(`/v1/sets/${set.id}`, {
    data: { type: 'sets', id: set.id, attributes: { name: 'Fleer Basketball' } },
  })
  expect(await revisionsOf(set.id)).toEqual([
    { type: 'sets', cause: 'request', before: { name: 'Fleer' }, after: { name: 'Fleer Basketball' } },
  ])
  const player = await make.player({ first_name: 'Ken', last_name: 'Griffey Jr' })
  await app.operator.patch(`/v1/players/${player.id}`, {
    data: { type: 'players', id: player.id, attributes: { last_name: 'Griffey Jr.' } },
  })
  expect(await revisionsOf(player.id)).toEqual([
    {
      ...{ type: 'players', cause: 'request' },
      before: { name: 'Ken Griffey Jr', last_name: 'Griffey Jr' },
      after: { name: 'Ken Griffey Jr.', last_name: 'Griffey Jr.' },
    },
  ])
})

test('a field that somebody changes after an import is curated; one of a record that no import knows is not', async () => {
  const [imported, own] = [await make.card({ number: '1' }), await make.card({ number: '1' })]
  await app.db.sql`update cards set import_id = ${Bun.randomUUIDv7()} where id = ${imported.id}`
  for (const { id } of [imported, own])
    for (const number of ['2', '3'])
      await app.operator.patch(`/v1/cards/${id}`, { data: { type: 'cards', id, attributes: { number } } })
  const curated = await app.db.sql<{ object_id: string; field: string; said: unknown }[]>`
    select object_id, field, said from curated_fields where object_id in (${imported.id}, ${own.id})`
  expect([...curated]).toEqual([{ object_id: imported.id, field: 'number', said: '1' }])
})

test('a field that gets the value again that the import said is curated no longer, nor is a record that came back', async () => {
  const card = await make.card({ number: '1', title: 'One' })
  await app.db.sql`update cards set import_id = ${Bun.randomUUIDv7()} where id = ${card.id}`
  const curated = async () => {
    const rows = await app.db.sql<{ field: string }[]>`
      select field from curated_fields where object_id = ${card.id} order by field`
    return rows.map(({ field }) => field)
  }
  const change = (attributes: object) =>
    app.operator.patch(`/v1/cards/${card.id}`, { data: { type: 'cards', id: card.id, attributes } })
  await change({ number: '2', title: 'Two' })
  await change({ number: '1' })
  expect(await curated()).toEqual(['title'])
  await app.operator.delete(`/v1/cards/${card.id}`)
  expect(await curated()).toEqual(['deleted', 'title'])
  const [newest] = (await app.operator.get(`/v2/cards/${card.id}/revisions`)).many
  const reverts = await app.operator.send('POST', '/internal/reverts', {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ object_type: 'cards', object_id: card.id, revision: newest?.id }),
  })
  expect([reverts.status, await curated()]).toEqual([201, ['title']])
})

test('what is erased is curated no longer', async () => {
  const set = await make.set()
  const card = await make.card({ set, number: '1' })
  await app.db.sql`update cards set import_id = ${Bun.randomUUIDv7()} where id = ${card.id}`
  await app.operator.patch(`/v1/cards/${card.id}`, {
    data: { type: 'cards', id: card.id, attributes: { number: '2' } },
  })
  await app.operator.delete(`/v1/sets/${set.id}?force=true`)
  const curated = await app.db.sql`select 1 from curated_fields where object_id in (${set.id}, ${card.id})`
  expect([curated.length, (await revisionsOf(card.id)).length, (await revisionsOf(set.id)).length]).toEqual([0, 1, 1])
})
