import { describe, expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { factories } from '../../../support/factories.ts'
import { workflows } from '../../../support/workflows.ts'

const app = await testApp()
const { operator, clock } = app
const make = factories(app)
const { at, list, patch, post, todo, set: give } = workflows(app)
const elsewhere = { id: crypto.randomUUID() }
const steps = ['discover_sources', 'fetch', 'parse', 'populate', 'validate', 'cleanup', 'publish', 'audit']
const pipeline = steps.filter((step) => step !== 'cleanup' && step !== 'audit')
const statuses = ['pending', 'in_progress', 'completed', 'skipped', 'review']

describe('POST /internal/sets/{set}/todos', () => {
  test('makes a todo with all that it is given, at an address of its own', async () => {
    const set = await make.set()
    const given = { step: 'fetch', status: 'pending', sort_order: 7, notes: 'From the sell sheet', completed_by: 'ana' }
    const { status, headers, one } = await post(set, given)
    expect(status).toBe(201)
    expect(one.type).toBe('set_todos')
    expect(headers.get('location')).toBe(one.links.self as string)
    expect(one.links.self).toBe(`${app.baseUrl}${at(set)}/${one.id}`)
    expect(one.attributes).toEqual({
      ...{ ...given, issues_found: null, started_at: null, completed_at: null },
      ...{ created_at: one.attributes.updated_at, updated_at: expect.stringMatching(/T.*\.\d{3}Z$/) },
    })
    expect((await operator.get(`${at(set)}/${one.id}`)).one).toEqual(one)
  })
  test('takes a document without a type, as does a change of it, and no other type', async () => {
    const set = await make.set()
    const made = await operator.post(at(set), { data: { attributes: { step: 'fetch', status: 'pending' } } })
    expect([made.status, made.one.type]).toEqual([201, 'set_todos'])
    const changed = await operator.patch(`${at(set)}/${made.one.id}`, { data: { attributes: { status: 'completed' } } })
    expect([changed.status, changed.one.attributes.status]).toEqual([200, 'completed'])
    const other = { data: { type: 'todos', attributes: { step: 'parse', status: 'pending' } } }
    expect((await operator.post(at(set), other)).faults).toEqual(['CONFLICT /data/type'])
    expect((await operator.post(at(set), { data: { type: null, attributes: {} } })).status).toBe(400)
    const old = `/internal/workflow/${set.id}/todos`
    expect((await operator.post(old, { data: { attributes: { step: 'parse', status: 'pending' } } })).status).toBe(201)
  })
  test('gives it the place of its step where it names none', async () => {
    const set = await make.set()
    for (const step of steps.toReversed()) {
      const named = step === 'parse' ? { sort_order: null } : {}
      expect((await todo(set, step, named)).attributes.sort_order).toBe(steps.indexOf(step) + 1)
    }
    expect((await list(set)).many.map(({ attributes }) => attributes.step)).toEqual(steps)
  })
  test('takes any of the five statuses, and sets the times that go with it', async () => {
    for (const status of statuses) {
      const { attributes } = await todo(await make.set(), 'fetch', { status })
      const done = status === 'completed' || status === 'skipped'
      expect([status, attributes.started_at !== null, attributes.completed_at !== null]).toEqual([
        status,
        status === 'in_progress',
        done,
      ])
    }
  })
  test('answers 409 to a second one of a step', async () => {
    const set = await make.set()
    await todo(set, 'fetch')
    const second = await post(set, { step: 'fetch', status: 'completed' })
    expect([second.status, ...second.faults]).toEqual([409, 'CONFLICT /data/attributes/step'])
    const faulty = await post(set, { step: 'fetch', status: 'done', assignee: 'ana' })
    expect([faulty.status, ...faulty.faults]).toEqual([409, 'CONFLICT /data/attributes/step'])
    expect((await post(set, { step: ['fetch'], status: 'done' })).status).toBe(422)
    expect((await list(set)).many).toHaveLength(1)
    await todo(await make.set(), 'fetch')
  })
  test('names each fault at its pointer, and leaves no workflow behind', async () => {
    const set = await make.set()
    for (const [attributes, faults] of [
      [{}, ['step', 'status']],
      [{ step: 'fetch' }, ['status']],
      [{ step: 'paint', status: 'done' }, ['step', 'status']],
      [{ step: 'fetch', status: null }, ['status']],
      [
        { step: 'fetch', status: 'pending', sort_order: 1.5, notes: 5, completed_by: 'x'.repeat(256) },
        ['sort_order', 'notes', 'completed_by'],
      ],
      [{ step: 'fetch', status: 'pending', sort_order: 2 ** 31, notes: 'x'.repeat(10_001) }, ['sort_order', 'notes']],
      [{ step: 'fetch', status: 'pending', notes: 'a\u0000b', completed_by: '\ud800' }, ['notes', 'completed_by']],
      [{ step: 'fetch', status: 'pending', assignee: 'ana' }, ['assignee']],
    ] as const) {
      const answer = await post(set, attributes)
      expect(answer.status).toBe(422)
      expect(answer.faults).toEqual(faults.map((one) => `VALIDATION-FAILED /data/attributes/${one}`))
    }
    for (const [document, status] of [
      [{}, 400],
      [{ data: { type: 'todos', attributes: { step: 'fetch', status: 'pending' } } }, 409],
      [{ data: { type: 'set_todos', id: elsewhere.id, attributes: { step: 'fetch', status: 'pending' } } }, 403],
    ] as const)
      expect((await operator.post(at(set), document)).status).toBe(status)
    expect(await workflows(app).workflow(set)).toBeNull()
  })
})

describe('a set that is not there', () => {
  test('answers 404, before whatever is wrong with a document but a 400', async () => {
    const set = await make.set()
    await todo(set, 'fetch')
    expect((await operator.delete(`/v1/sets/${set.id}`)).status).toBe(204)
    for (const one of [elsewhere, { id: 'nothing' }, set]) {
      expect((await list(one)).status).toBe(404)
      expect((await post(one, { step: 'fetch', status: 'pending' })).status).toBe(404)
      expect((await post(one, { step: 'paint' })).status).toBe(404)
      expect((await operator.post(at(one), {})).status).toBe(one.id === 'nothing' ? 404 : 400)
      expect((await operator.get(`/internal/sets/${one.id}/workflow`)).status).toBe(404)
    }
  })
  test('takes its todos out of sight', async () => {
    const set = await make.set()
    const { id } = await todo(set, 'fetch')
    expect((await operator.delete(`/v1/sets/${set.id}`)).status).toBe(204)
    for (const method of ['GET', 'DELETE']) expect((await operator.send(method, `${at(set)}/${id}`)).status).toBe(404)
    expect((await patch(set, { id }, { status: 'completed' })).status).toBe(404)
  })
  test('takes its todos with it where it is erased', async () => {
    const set = await make.set()
    await todo(set, 'fetch')
    expect((await operator.delete(`/v1/sets/${set.id}?force=true`)).status).toBe(204)
    expect(await app.db.sql`select id from set_todos where set_id = ${set.id}`).toHaveLength(0)
  })
})

describe('GET /internal/sets/{set}/todos', () => {
  test('lists them by sort_order, published sets and drafts alike, and none where there is no workflow', async () => {
    const set = await make.set({ status: 'published' })
    expect((await list(set)).document).toMatchObject({ data: [], links: { self: `${app.baseUrl}${at(set)}` } })
    for (const [step, sort_order] of [
      ['audit', -5],
      ['fetch', 9],
      ['publish', 3],
      ['parse', 3],
    ] as const)
      await todo(set, step, { sort_order })
    expect((await list(set)).many.map(({ attributes }) => attributes.step)).toEqual([
      'audit',
      'parse',
      'publish',
      'fetch',
    ])
  })
  test('shows the fields that are asked for, and refuses parameters that it does not know', async () => {
    const set = await make.set()
    const one = await todo(set, 'fetch')
    const thin = await operator.get(`${at(set)}?fields[set_todos]=step,status`)
    expect(thin.many[0]?.attributes).toEqual({ step: 'fetch', status: 'pending' })
    expect((await operator.get(`${at(set)}/${one.id}?fields[set_todos]=step`)).one.attributes).toEqual({
      step: 'fetch',
    })
    for (const query of ['page=1', 'status=pending', 'fields[set_todos]=color'])
      expect((await operator.get(`${at(set)}?${query}`)).faults).toEqual([`INVALID_PARAMETER ${query.split('=')[0]}`])
    expect((await operator.send('DELETE', `${at(set)}/${one.id}?force=true`)).status).toBe(400)
  })
})

describe('a todo', () => {
  test('of another set, or of none, answers 404', async () => {
    const [mine, other] = [await make.set(), await make.set()]
    const { id } = await todo(mine, 'fetch')
    await todo(other, 'parse')
    for (const path of [
      `${at(other)}/${id}`,
      `${at(mine)}/${elsewhere.id}`,
      `${at(mine)}/nothing`,
      `${at(elsewhere)}/${id}`,
    ]) {
      expect((await operator.get(path)).status).toBe(404)
      expect((await operator.delete(path)).status).toBe(404)
      const change = { data: { type: 'set_todos', id, attributes: { status: 'completed' } } }
      expect((await operator.patch(path, change)).status).toBe(404)
      expect((await operator.patch(path, { data: { type: 'set_todos', id, attributes: {} } })).status).toBe(404)
    }
    expect((await list(mine)).many[0]?.attributes.status).toBe('pending')
  })
  test('is removed with 204, and the last one takes the workflow with it', async () => {
    const set = await make.set()
    const [first, second] = [await todo(set, 'fetch'), await todo(set, 'parse')]
    const { status, text } = await operator.delete(`${at(set)}/${first.id}`)
    expect([status, text]).toEqual([204, ''])
    expect((await operator.delete(`${at(set)}/${first.id}`)).status).toBe(404)
    expect((await list(set)).many.map(({ id }) => id)).toEqual([second.id])
    await operator.delete(`${at(set)}/${second.id}`)
    expect(await workflows(app).workflow(set)).toBeNull()
    await todo(set, 'fetch')
  })
})

describe('PATCH /internal/sets/{set}/todos/{todo}', () => {
  test('changes what it is given and nothing else', async () => {
    const set = await make.set()
    const made = await todo(set, 'fetch', { notes: 'As it was', completed_by: 'ana' })
    clock.offsetSeconds += 60
    const { status, one } = await patch(set, made, { status: 'review', issues_found: true })
    expect(status).toBe(200)
    expect(one).toEqual({
      ...made,
      attributes: { ...made.attributes, status: 'review', issues_found: true, updated_at: one.attributes.updated_at },
    })
    expect(Date.parse(String(one.attributes.updated_at))).toBeGreaterThan(
      Date.parse(String(made.attributes.updated_at)),
    )
    const emptied = await patch(set, made, { status: 'review', notes: null, completed_by: null, issues_found: null })
    expect(emptied.one.attributes).toMatchObject({ notes: null, completed_by: null, issues_found: null })
    expect((await operator.get(`${at(set)}/${made.id}`)).one).toEqual(emptied.one)
  })
  test('that changes nothing leaves updated_at alone, and takes back what was read', async () => {
    const set = await make.set()
    const made = await todo(set, 'fetch')
    clock.offsetSeconds += 60
    const sent = { ...made.attributes, step: 'parse', sort_order: 9, started_at: 'never' }
    expect((await patch(set, made, sent)).one).toEqual(made)
  })
  test('keeps the time of the first start, and the time of the end while it is done', async () => {
    const set = await make.set()
    const made = await todo(set, 'fetch')
    const times = async (status: string) => {
      clock.offsetSeconds += 60
      const { started_at, completed_at } = (await give(set, made, status)).attributes
      return [started_at, completed_at]
    }
    expect(await times('review')).toEqual([null, null])
    const [started] = await times('in_progress')
    expect(Date.parse(String(started))).toBeCloseTo(clock.now().getTime(), -5)
    const [, completed] = await times('completed')
    expect(Date.parse(String(completed))).toBeGreaterThan(Date.parse(String(started)))
    expect(await times('skipped')).toEqual([started, completed])
    expect(await times('pending')).toEqual([started, null])
    expect(await times('in_progress')).toEqual([started, null])
    const [, again] = await times('skipped')
    expect(Date.parse(String(again))).toBeGreaterThan(Date.parse(String(completed)))
  })
  test('refuses every status of a pipeline step while an earlier one is neither completed nor skipped', async () => {
    for (const [at, step] of pipeline.entries()) {
      if (at === 0) continue
      const set = await make.set()
      const [prior, later] = [await todo(set, pipeline[at - 1] as string), await todo(set, step)]
      for (const standing of ['pending', 'in_progress', 'review']) {
        await give(set, prior, standing)
        for (const status of statuses) {
          const answer = await patch(set, later, { status })
          expect([answer.status, ...answer.faults]).toEqual([422, 'VALIDATION-FAILED /data/attributes/status'])
        }
      }
      expect((await operator.get(`/internal/sets/${set.id}/todos/${later.id}`)).one).toEqual(later)
      for (const standing of ['completed', 'skipped']) {
        await give(set, prior, standing)
        for (const status of statuses) expect((await give(set, later, status)).attributes.status).toBe(status)
      }
    }
  })
  test('asks all earlier steps, not only the one before', async () => {
    const set = await make.set()
    const todos = []
    for (const step of pipeline) todos.push(await todo(set, step))
    for (const [at, one] of todos.entries()) {
      for (const later of todos.slice(at + 1))
        expect((await patch(set, later, { status: 'in_progress' })).status).toBe(422)
      await give(set, one, at % 2 ? 'skipped' : 'completed')
    }
    const [first, , third] = todos as [(typeof todos)[0], (typeof todos)[0], (typeof todos)[0]]
    await give(set, first, 'review')
    expect((await patch(set, third, { status: 'completed' })).status).toBe(422)
  })
  test('lets enrichment steps be done at any time, and lets them block nothing', async () => {
    const set = await make.set()
    const [discover, cleanup, audit] = [
      await todo(set, 'discover_sources'),
      await todo(set, 'cleanup'),
      await todo(set, 'audit'),
    ]
    for (const one of [audit, cleanup])
      for (const status of statuses.toReversed()) expect((await give(set, one, status)).attributes.status).toBe(status)
    await give(set, discover, 'completed')
    await give(set, await todo(set, 'publish'), 'completed')
  })
  test('is held up only by todos that are there', async () => {
    const set = await make.set()
    const [fetch, validate] = [await todo(set, 'fetch'), await todo(set, 'validate')]
    await give(set, fetch, 'in_progress')
    expect((await patch(set, validate, { status: 'in_progress' })).status).toBe(422)
    await operator.delete(`${at(set)}/${fetch.id}`)
    await give(set, validate, 'in_progress')
  })
  test('names each fault at its pointer', async () => {
    const set = await make.set()
    const made = await todo(set, 'fetch')
    for (const [attributes, faults] of [
      [{}, ['status']],
      [{ status: 'done', issues_found: 'yes' }, ['status', 'issues_found']],
      [{ notes: 1, completed_by: false }, ['status', 'notes', 'completed_by']],
      [{ status: 'review', finished: true }, ['finished']],
    ] as const) {
      const answer = await patch(set, made, attributes)
      expect(answer.status).toBe(422)
      expect(answer.faults).toEqual(faults.map((one) => `VALIDATION-FAILED /data/attributes/${one}`))
    }
    const path = `${at(set)}/${made.id}`
    const attributes = { status: 'review' }
    for (const [data, status] of [
      [{ type: 'set_todos', id: elsewhere.id, attributes }, 409],
      [{ type: 'sets', id: made.id, attributes }, 409],
      [{ type: null, id: made.id, attributes }, 400],
    ] as const)
      expect((await operator.patch(path, { data })).status).toBe(status)
    expect((await operator.get(path)).one).toEqual(made)
    expect((await operator.patch(path, { data: { type: 'set_todos', attributes } })).one.attributes.status).toBe(
      'review',
    )
  })
})
