import { describe, expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { aDocument, factories } from '../../../support/factories.ts'
import { secondsToNoon } from '../../../support/noon.ts'
import { workflows } from '../../../support/workflows.ts'

const app = await testApp({ offsetSeconds: secondsToNoon() })
const { operator, clock } = app
const make = factories(app)
const { todo, set: give, workflow } = workflows(app)
const thisYear = () => clock.now().getUTCFullYear()
const short = (year: number) => String(year).slice(-2)

describe('GET /internal/sets/{set}/workflow', () => {
  test('is null where the set has none', async () => {
    const answer = await operator.get(`/internal/sets/${(await make.set()).id}/workflow`, {
      Accept: 'application/json',
    })
    expect([answer.status, answer.text]).toEqual([200, '{"workflow":null}'])
    expect(answer.headers.get('content-type')).toBe('application/json')
  })
  test('shows the workflow with its todos by sort_order', async () => {
    const set = await make.set()
    const [parse, fetch] = [
      await todo(set, 'parse', { notes: 'Later' }),
      await todo(set, 'fetch', { status: 'in_progress' }),
    ]
    const part = ({ id, attributes }: typeof parse) => {
      const { step, status, sort_order, started_at, completed_at, notes } = attributes
      return { id, step, status, sort_order, started_at, completed_at, notes }
    }
    const shown = await workflow(set)
    expect(shown).toEqual({
      ...{ id: expect.any(String), set_id: set.id, priority: 0, current_step: 'discover_sources' },
      ...{ todos: [part(fetch), part(parse)], created_at: parse.attributes.created_at },
      updated_at: fetch.attributes.created_at,
    })
    clock.offsetSeconds += 60
    const { attributes } = await give(set, fetch, 'skipped')
    expect(await workflow(set)).toMatchObject({ id: shown.id, updated_at: attributes.updated_at })
  })
  test('names the first pipeline step that is neither completed nor skipped as the current one', async () => {
    const set = await make.set()
    const pipeline = ['discover_sources', 'fetch', 'parse', 'populate', 'validate', 'publish']
    const todos = []
    for (const step of ['cleanup', 'audit', ...pipeline]) todos.push(await todo(set, step))
    const [, , ...inOrder] = todos
    for (const [at, one] of inOrder.entries()) {
      expect((await workflow(set)).current_step).toBe(pipeline[at] as string)
      for (const status of ['in_progress', 'review', at % 2 ? 'skipped' : 'completed']) {
        expect((await workflow(set)).current_step).toBe(pipeline[at] as string)
        await give(set, one, status)
      }
    }
    expect((await workflow(set)).current_step).toBeNull()
    await give(set, inOrder[0] as (typeof todos)[0], 'review')
    expect((await workflow(set)).current_step).toBe('discover_sources')
  })
  test('is current where the set’s year names this calendar year or the last, alone or in a season', async () => {
    const now = thisYear()
    for (const [name, priority] of [
      [String(now), 1],
      [String(now - 1), 1],
      [`${now - 1}-${short(now)}`, 1],
      [`${now}-${short(now + 1)}`, 1],
      [`${now - 2}-${short(now - 1)}`, 1],
      [`${now - 2}/${now - 1}`, 1],
      [`Fall ${now}`, 1],
      [`${now - 2}`, 0],
      [`${now - 3}-${short(now - 2)}`, 0],
      [`${now + 1}`, 0],
      [`1${now}`, 0],
      ['1986-87', 0],
      ['Vintage', 0],
    ] as const) {
      const set = await make.set({ year: await make.year({ name }) })
      await todo(set, 'fetch')
      expect([name, (await workflow(set)).priority]).toEqual([name, priority])
    }
  })
  test('turns to backlog as time passes, the year is renamed, or the set gets another', async () => {
    const year = await make.year({ name: `Season ${thisYear()}` })
    const set = await make.set({ year })
    await todo(set, 'fetch')
    const priority = async () => (await workflow(set)).priority
    expect(await priority()).toBe(1)
    await operator.patch(`/v1/years/${year.id}`, aDocument('years', { name: '1952' }, {}, year.id))
    expect(await priority()).toBe(0)
    await operator.patch(`/v1/years/${year.id}`, aDocument('years', { name: `Season ${thisYear()}` }, {}, year.id))
    const before = clock.offsetSeconds
    for (const expected of [1, 0]) {
      clock.offsetSeconds += (Date.UTC(thisYear() + 1, 6) - clock.now().getTime()) / 1000
      expect(await priority()).toBe(expected)
    }
    clock.offsetSeconds = before
    await operator.patch(`/v1/sets/${set.id}`, aDocument('sets', { year_id: null }, {}, set.id))
    expect(await priority()).toBe(0)
  })
})
