import { describe, expect, test } from 'bun:test'
import { jsonApi } from '../../../../src/jsonapi/negotiate.ts'
import type { Shown } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { factories, setStatus } from '../../../support/factories.ts'
import { runJobs } from '../../../support/jobs.ts'
import { flat } from '../../../support/people.ts'
import { workflows } from '../../../support/workflows.ts'

const app = await testApp()
const { operator, clock, context } = app
const make = factories(app)
const { todo, list, workflow, count } = workflows(app)
const path = '/internal/todo-initialization-jobs'
const start = (body: unknown) => flat(operator, 'POST', path, body)
const poll = async (id: unknown) => flat(operator, 'GET', `${path}/${id}`)
const some = (count: number, values: Parameters<typeof make.set>[0] = {}) =>
  Promise.all(Array.from({ length: count }, () => make.set(values)))
const ids = (sets: Shown[]) => sets.map(({ id }) => id)
const steps = ['discover_sources', 'fetch', 'parse', 'populate', 'validate', 'cleanup', 'publish', 'audit']
const drafts = async () => {
  const [row] = await app.db.sql<{ drafts: number; done: number }[]>`
    select count(*)::int as drafts, count(w.id)::int as done from sets s left join workflows w on w.set_id = s.id
    where s.audience = 1`
  const { drafts = 0, done = 0 } = row ?? {}
  return { total_draft_sets: drafts, draft_with_workflow: done, draft_without_workflow: drafts - done }
}

describe('POST /internal/todo-initialization-jobs', () => {
  test('makes all eight todos, pending, of which three can be done now', async () => {
    const genre = await make.genre()
    const [set] = (await some(1, { genre, year: await make.year({ name: '1986-87' }) })) as [Shown]
    const { status, headers, flat: result } = await start({ set_ids: [set.id] })
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(result).toEqual({
      ...{ status: 'completed', job_id: null, initialized: 1, skipped: 0, errors: [], resolved_count: 1 },
      meta: await drafts(),
    })
    const todos = (await list(set)).many.map(({ attributes }) => attributes)
    expect(todos.map(({ step, status, sort_order }) => [step, status, sort_order])).toEqual(
      steps.map((step, at) => [step, 'pending', at + 1]),
    )
    for (const { started_at, completed_at, completed_by, notes, issues_found } of todos)
      expect([started_at, completed_at, completed_by, notes, issues_found]).toEqual([null, null, null, null, null])
    expect((await workflow(set)).current_step).toBe('discover_sources')
    const open = await Promise.all(
      steps.map(async (step) => (await count(`step=${step}&genre_id=${genre.id}&year=1986-87`)).count),
    )
    expect(open).toEqual([1, 0, 0, 0, 0, 1, 0, 1])
  })
  test('skips what has a workflow, names what does not exist, and counts each set once', async () => {
    const [fresh, partly, gone] = (await some(3)) as [Shown, Shown, Shown]
    await setStatus(app, partly, 'published')
    await todo(partly, 'fetch')
    await operator.delete(`/v1/sets/${gone.id}`)
    const unknown = crypto.randomUUID()
    const given = [fresh.id, fresh.id.toUpperCase(), partly.id, gone.id, unknown, 'Not an id']
    const { status, flat: result } = await start({ set_ids: given })
    expect(status).toBe(200)
    expect(result).toMatchObject({ initialized: 1, skipped: 1, resolved_count: 5 })
    const errors = result.errors as { set_id: string; error: { status: string; code: string } }[]
    expect(Object.fromEntries(errors.map(({ set_id, error }) => [set_id, `${error.status} ${error.code}`]))).toEqual({
      ...{ [gone.id]: '404 NOT_FOUND', [unknown]: '404 NOT_FOUND', 'Not an id': '422 VALIDATION-FAILED' },
    })
    expect(errors.filter(({ error }) => 'source' in error)).toEqual([])
    expect((await list(partly)).many).toHaveLength(1)
    expect((await start({ set_ids: given })).flat).toMatchObject({ initialized: 0, skipped: 2, resolved_count: 5 })
  })
  test('takes all drafts, or those of a genre and a year, and no published set', async () => {
    const [genre, year] = [await make.genre(), await make.year({ name: '1999-00' })]
    const [both, ofGenre, ofYear, published] = [
      await make.set({ genre, year }),
      await make.set({ genre }),
      await make.set({ year }),
      await make.set({ genre, year, status: 'published' }),
    ]
    const results = []
    for (const narrowing of [
      { genre_id: crypto.randomUUID() },
      { year: '1999-01' },
      { genre_id: genre.id, year: '1999-00' },
      { genre_id: genre.id.toUpperCase() },
      { year: '1999-00' },
    ]) {
      const { initialized, skipped, resolved_count } = (await start({ all_draft: true, ...narrowing })).flat
      results.push([initialized, skipped, resolved_count])
    }
    expect(results).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [1, 0, 1],
      [1, 1, 2],
      [1, 1, 2],
    ])
    for (const set of [both, ofGenre, ofYear]) expect((await list(set)).many).toHaveLength(8)
    expect((await list(published)).many).toHaveLength(0)
    const { flat: all } = await start({ all_draft: true, set_ids: undefined })
    expect(all.meta).toEqual({ ...(await drafts()), draft_without_workflow: 0 })
    expect(all.resolved_count).toBe(all.meta.total_draft_sets)
  })
  test('does a hundred sets at once, and more by a job that says how far it is', async () => {
    const [genre, other] = [await make.genre(), await make.genre()]
    const hundred = await some(100, { genre })
    expect((await start({ set_ids: ids(hundred) })).flat).toMatchObject({ job_id: null, initialized: 100 })
    await make.set({ genre })
    const narrowed = await start({ all_draft: true, genre_id: genre.id })
    const named = await start({ set_ids: [...ids(await some(101, { genre: other })), 'nothing', hundred[0]?.id] })
    for (const { status, headers, flat: result } of [narrowed, named]) {
      expect(status).toBe(202)
      expect(headers.get('location')).toBe(`${app.baseUrl}${path}/${result.job_id}`)
      expect(result).toMatchObject({ status: 'queued', initialized: 0, skipped: 0, errors: [], resolved_count: 0 })
      expect((await poll(result.job_id)).flat).toEqual({ ...result, meta: await drafts() })
    }
    expect((await count(`step=audit&genre_id=${other.id}`)).count).toBe(0)
    await runJobs(context)
    const done = { status: 'completed', job_id: narrowed.flat.job_id, initialized: 1, skipped: 100, errors: [] }
    expect((await poll(narrowed.flat.job_id)).flat).toEqual({ ...done, resolved_count: 101, meta: await drafts() })
    expect((await poll(named.flat.job_id)).flat).toMatchObject({ initialized: 101, skipped: 1, resolved_count: 103 })
    expect((await count(`step=audit&genre_id=${genre.id}`)).count).toBe(101)
    expect((await count(`step=audit&genre_id=${other.id}`)).count).toBe(101)
  }, 60_000)
  test('keeps a result for 24 hours', async () => {
    const { job_id } = (await start({ set_ids: Array.from({ length: 101 }, () => crypto.randomUUID()) })).flat
    await runJobs(context)
    const result = (await poll(job_id)).flat
    expect([result.status, result.errors.length, result.resolved_count]).toEqual(['completed', 101, 101])
    clock.offsetSeconds += 86_400 - 60
    expect((await poll(job_id)).status).toBe(200)
    clock.offsetSeconds += 120
    expect((await poll(job_id)).status).toBe(404)
    clock.offsetSeconds = 0
    for (const id of [crypto.randomUUID(), 'nothing']) expect((await poll(id)).status).toBe(404)
  })
  test('names each fault at its pointer', async () => {
    const id = crypto.randomUUID()
    for (const [body, faults] of [
      [{}, ['/set_ids']],
      [{ all_draft: false }, ['/set_ids']],
      [{ set_ids: [id], all_draft: true }, ['/all_draft']],
      [{ set_ids: [id], genre_id: id, year: '1986' }, ['/genre_id', '/year']],
      [{ set_ids: [] }, ['/set_ids']],
      [{ set_ids: id }, ['/set_ids']],
      [{ set_ids: [id, 5, null, 'a\u0000'] }, ['/set_ids/1', '/set_ids/2', '/set_ids/3']],
      [{ set_ids: Array(10_001).fill(id) }, ['/set_ids']],
      [{ all_draft: 'yes', genre_id: 'x', year: 1986, sets: 1 }, ['/all_draft', '/genre_id', '/year', '/sets']],
    ] as const) {
      const answer = await start(body)
      expect(answer.status).toBe(422)
      expect(answer.faults).toEqual(faults.map((one) => `VALIDATION-FAILED ${one}`))
    }
    for (const body of ['[]', '{', '']) {
      const sent = { body, headers: { 'Content-Type': 'application/json' } }
      expect((await operator.send('POST', path, sent)).status).toBe(400)
    }
    const [set] = (await some(1)) as [Shown]
    const asJsonApi = await operator.post(path, { set_ids: [set.id] }, { 'Content-Type': jsonApi })
    expect(asJsonApi.status).toBe(200)
  })
})
