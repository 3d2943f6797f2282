import { describe, expect, test } from 'bun:test'
import { runningCommands } from '../../../commands/running.ts'
import type { Shown } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { aDocument, factories } from '../../../support/factories.ts'

const app = await testApp()
const { operator, reader, db } = app
const make = factories(app)

const path = (year: Shown) => `/v1/years/${year.id}`
const setParent = (year: Shown, parent: string | null) =>
  operator.patch(path(year), aDocument('years', { parent_year: parent }, {}, year.id))
const publish = async (year: Shown) => void (await make.set({ year, status: 'published' }))
const names = async (query: string, as = operator) =>
  (await as.get(`/v1/years?${query}`)).many.map(({ attributes }) => attributes.name)

describe('a year with a parent', () => {
  test('shows it, is listed by it, and both include each other', async () => {
    const parent = await make.year({ name: '1986' })
    const child = await make.year({ name: '1986-87', parent_year: parent.id })
    const other = await make.year({ name: '1986-88', parent_year: parent.id })
    expect(child.attributes.parent_year).toBe(parent.id)
    expect(parent.attributes.parent_year).toBeNull()
    expect(await names(`filter[parent_year]=${parent.id}&sort=name`)).toEqual(['1986-87', '1986-88'])
    expect(await names(`filter[parent_year]=${parent.id}&sort=-name`)).toEqual(['1986-88', '1986-87'])
    expect(await names('filter[parent_year]=null&sort=name&limit=50&page=1&pageName=page')).toEqual(['1986'])
    const { one, included } = await operator.get(`${path(parent)}?include=parent,children`)
    expect(one.relationships).toMatchObject({
      parent: { data: null },
      children: {
        data: [
          { type: 'years', id: child.id },
          { type: 'years', id: other.id },
        ],
      },
    })
    expect(included.map(({ id }) => id)).toEqual([child.id, other.id])
    const below = await operator.get(`${path(child)}?include=parent`)
    expect(below.included.map(({ id }) => id)).toEqual([parent.id])
    expect((await operator.get(`/v2/years/${child.id}/parent`)).one.id).toBe(parent.id)
    expect((await operator.get(`/v2/years/${parent.id}/children`)).many).toHaveLength(2)
    expect((await operator.get(`/v2/years?filter[parent_year][null]=true`)).many.map(({ id }) => id)).toEqual([
      parent.id,
    ])
    expect((await setParent(child, null)).one.attributes.parent_year).toBeNull()
    for (const query of ['filter[parent_year]=1986', 'sort=updated_at'])
      expect((await operator.get(`/v1/years?${query}`)).status).toBe(400)
  })
  test('is never its own ancestor, and its parent is there', async () => {
    const [a, b, c] = [await make.year(), await make.year(), await make.year()]
    expect((await setParent(b, a.id)).status).toBe(200)
    expect((await setParent(c, b.id)).status).toBe(200)
    for (const [year, parent] of [
      [a, a.id],
      [a, c.id],
      [b, c.id],
      [a, crypto.randomUUID()],
      [a, 'x'],
    ] as const) {
      const { status, document } = await setParent(year, parent)
      expect([status, document.errors?.[0]?.source?.pointer]).toEqual([422, '/data/attributes/parent_year'])
    }
    expect((await operator.get(path(a))).one.attributes.parent_year).toBeNull()
    const [d, e] = [await make.year(), await make.year()]
    const both = await Promise.all([setParent(d, e.id), setParent(e, d.id)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422])
  })
  test('a parent of live years cannot be deleted, one of deleted years can', async () => {
    const parent = await make.year()
    const child = await make.year({ parent_year: parent.id })
    const refused = await operator.delete(path(parent))
    expect([refused.status, refused.document.errors?.[0]?.detail]).toEqual([
      409,
      'The year is the parent of 1 live year and cannot be deleted.',
    ])
    expect((await operator.delete(path(child))).status).toBe(204)
    expect((await operator.delete(path(parent))).status).toBe(204)
  })
  test('is shown without it to who may not see the parent, until that is published, and the feed says so', async () => {
    const parent = await make.year()
    const child = await make.year({ parent_year: parent.id })
    await publish(child)
    const seen = async () => (await reader.get(`${path(child)}?include=parent`)).one.relationships.parent?.data
    expect([await seen(), (await reader.get(path(child))).one.attributes.parent_year]).toEqual([null, null])
    expect((await reader.get(`/v1/years?filter[parent_year]=${parent.id}`)).many).toEqual([])
    expect(await names('filter[parent_year]=null', reader)).toContain(child.attributes.name)
    const changes = async () =>
      (await db.sql<{ count: number }[]>`select count(*)::int as count from changes where ${child.id} = any(ids)`)[0]
        ?.count ?? 0
    const before = await changes()
    await publish(parent)
    expect(await changes()).toBe(before + 1)
    expect(await seen()).toEqual({ type: 'years', id: parent.id })
    expect(await names(`filter[parent_year]=${parent.id}`, reader)).toEqual([child.attributes.name])
  })
  test('gets the one that its parent was merged into', async () => {
    const [from, into] = [await make.year(), await make.year()]
    const child = await make.year({ parent_year: from.id })
    await setParent(into, from.id)
    const { exit, json } = await runningCommands(app.context)('merge', 'years', into.id, from.id, '--json')
    expect(exit).toBe(0)
    expect((await operator.get(path(child))).one.attributes.parent_year).toBe(into.id)
    expect((await operator.get(path(into))).one.attributes.parent_year).toBeNull()
    const undone = await runningCommands(app.context)('merge', 'undo', String(json.id))
    expect([undone.exit, undone.err]).toEqual([0, ''])
    expect((await operator.get(path(child))).one.attributes.parent_year).toBe(from.id)
    expect((await operator.get(path(into))).one.attributes.parent_year).toBe(from.id)
  })
  test('keeps it in exports and imports, and in its history', async () => {
    const [parent, other] = [await make.year(), await make.year()]
    const child = await make.year({ parent_year: parent.id })
    const { out } = await runningCommands(app.context)('export')
    const line = out.split('\n').find((one) => one.includes(`"id":"${child.id}"`) && one.includes('"years"')) ?? ''
    expect(JSON.parse(line)).toMatchObject({ type: 'years', parent_year: parent.id })
    await setParent(child, other.id)
    const imported = await runningCommands(app.context, `${line}\n`)('import', '-', '--json', '--overwrite')
    expect(imported.json).toMatchObject({ records: { updated: 1 } })
    expect((await operator.get(path(child))).one.attributes.parent_year).toBe(parent.id)
    const { many } = await operator.get(`/v2/years/${child.id}/revisions`)
    expect(JSON.stringify(many)).toContain(other.id)
  })
  test('comes with an export before its parent, and goes with it when that is undone', async () => {
    const [parent, child] = [crypto.randomUUID(), crypto.randomUUID()]
    const lines = [
      { type: 'years', id: child, name: `Child ${child}`, parent_year: parent },
      { type: 'years', id: parent, name: `Parent ${parent}`, parent_year: null },
    ]
    const { json } = await runningCommands(
      app.context,
      lines.map((line) => JSON.stringify(line)).join('\n'),
    )(...['import', '-', '--json'])
    expect(json).toMatchObject({ records: { created: 2, failed: 0 } })
    expect((await operator.get(`/v1/years/${child}?include=parent`)).included.map(({ id }) => id)).toEqual([parent])
    const circle = { ...lines[1], parent_year: child }
    const refused = await runningCommands(app.context, JSON.stringify(circle))('import', '-', '--json', '--overwrite')
    expect(JSON.parse(refused.out)).toMatchObject({ records: { failed: 1 } })
    const undone = await runningCommands(app.context)('import', '--undo', String(json.id), '--json')
    expect(undone.json).toMatchObject({ deleted: 2, leftCount: 0 })
    expect((await operator.get(`/v1/years/${parent}`)).status).toBe(404)
  })
})
