import { expect, test } from 'bun:test'
import {
  getWorkflow,
  type LockedWorkflow,
  lockWorkflow,
  type Todo,
} from '../../../../src/operations/workflow/workflow.ts'
import { writeTodos } from '../../../../src/operations/workflow/write-todos.ts'
import type { Shown } from '../../../support/answer.ts'
import { type TestApp, testApp } from '../../../support/app.ts'
import { clientWith } from '../../../support/callers.ts'
import { concurrentDatabase } from '../../../support/database.ts'
import { aDocument, factories } from '../../../support/factories.ts'
import { runJobs } from '../../../support/jobs.ts'
import { otherSettings } from '../../../support/other-settings.ts'
import { flat } from '../../../support/people.ts'
import { randomOf } from '../../../support/random.ts'
import { until } from '../../../support/until.ts'
import { workflows } from '../../../support/workflows.ts'

const database = await concurrentDatabase('writers of todos at the same time, and a question that takes too long')
const pipeline = ['discover_sources', 'fetch', 'parse', 'populate', 'validate', 'publish']

const claims = (app: TestApp) => {
  const { operator, db, context } = app
  const make = factories(app)
  const { at, post, patch, todo, list, actionable, count } = workflows(app)
  const atOnce = <T>(times: number, work: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: times }, (_, index) => work(index)))
  const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b)

  test('of many todos of one step one is made, and one workflow', async () => {
    const set = await make.set()
    expect(statuses(await atOnce(8, () => post(set, { step: 'fetch', status: 'pending' })))).toEqual([
      201,
      ...Array(7).fill(409),
    ])
    const others = pipeline.filter((step) => step !== 'fetch')
    expect(statuses(await atOnce(5, (n) => post(set, { step: others[n], status: 'pending' })))).toEqual(
      Array(5).fill(201),
    )
    expect((await list(set)).many).toHaveLength(6)
  })

  test('a step waits for the writer of an earlier one, and is held to what that one left', async () => {
    const set = await make.set()
    const [first, second] = [await todo(set, 'discover_sources', { status: 'completed' }), await todo(set, 'fetch')]
    const { promise: isOver, resolve: over } = Promise.withResolvers<void>()
    const { promise: isOpen, resolve: opened } = Promise.withResolvers<void>()
    const reopening = db.transaction(async (tx) => {
      const locked = (await lockWorkflow(tx, set.id)) as LockedWorkflow
      const { todos } = await getWorkflow(tx, set.id)
      const reopened = todos.map(
        (one): Todo => (one.id === first.id ? { ...one, status: 'review', completed_at: null } : one),
      )
      await writeTodos(tx, locked, todos, reopened, new Date())
      opened()
      await isOver
    })
    await isOpen
    const finishing = patch(set, second, { status: 'completed' })
    await until(async () => {
      const waiting = await db.sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length > 0
    })
    over()
    await reopening
    expect((await finishing).faults).toEqual(['VALIDATION-FAILED /data/attributes/status'])
    expect((await operator.get(`${at(set)}/${second.id}`)).one).toEqual(second)
  })

  test('the last todo that goes while another comes leaves a workflow that is whole', async () => {
    for (let round = 0; round < 20; round++) {
      const set = await make.set()
      const { id } = await todo(set, 'fetch')
      const [gone, come] = await Promise.all([
        operator.delete(`${at(set)}/${id}`),
        post(set, { step: 'parse', status: 'pending' }),
      ])
      expect([gone.status, come.status]).toEqual([204, 201])
      expect((await list(set)).many.map((one) => one.id)).toEqual([come.one.id])
    }
  })

  test('todos, sets that move or go, and initializations at once leave every count true', async () => {
    const [genres, years] = [
      await Promise.all([make.genre(), make.genre()]),
      await Promise.all([make.year({ name: '2025' }), make.year({ name: '1952' })]),
    ]
    const sets = await atOnce(6, () => make.set({ genre: genres[0] as Shown, year: years[0] as Shown }))
    const { pick } = randomOf(35)
    const moves: (() => Promise<{ status: number }>)[] = [
      () => post(pick(sets), { step: pick(pipeline), status: pick(['pending', 'completed']) }),
      async () => {
        const set = pick(sets)
        const todos = (await list(set)).document.data as Shown[] | undefined
        if (!todos?.length) return { status: 404 }
        return patch(set, pick(todos), { status: pick(['pending', 'in_progress', 'completed', 'skipped', 'review']) })
      },
      async () => {
        const set = pick(sets)
        const todos = (await list(set)).document.data as Shown[] | undefined
        return todos?.length ? operator.delete(`${at(set)}/${pick(todos).id}`) : { status: 404 }
      },
      () => {
        const { id } = pick(sets)
        const labels = { genre_id: pick([...genres, { id: null }]).id, year_id: pick([...years, { id: null }]).id }
        return operator.patch(
          `/v1/sets/${id}`,
          aDocument('sets', { ...labels, status: pick(['draft', 'published']) }, {}, id),
        )
      },
      () => flat(operator, 'POST', '/internal/todo-initialization-jobs', { set_ids: sets.map(({ id }) => id) }),
      () => flat(operator, 'POST', '/internal/todo-initialization-jobs', { all_draft: true }),
    ]
    const answers = await atOnce(400, () => pick(moves)())
    expect(answers.filter(({ status }) => ![200, 201, 204, 404, 409, 422].includes(status))).toEqual([])
    await Promise.all(sets.slice(0, 3).map(({ id }) => operator.delete(`/v1/sets/${id}?force=true`)))
    expect([...(await db.sql`select what, place, stored, truth from drift limit 20`)]).toEqual([])
  }, 60_000)

  test('two jobs that initialize the same sets make each workflow once', async () => {
    const sets = await atOnce(101, () => make.set())
    const start = () =>
      flat(operator, 'POST', '/internal/todo-initialization-jobs', { set_ids: sets.map(({ id }) => id) })
    const jobs = await Promise.all([start(), start()])
    await Promise.all([runJobs(context), runJobs(context)])
    const ends = await Promise.all(
      jobs.map(
        async ({ flat: { job_id } }) =>
          (await flat(operator, 'GET', `/internal/todo-initialization-jobs/${job_id}`)).flat,
      ),
    )
    expect(ends.map(({ status }) => status)).toEqual(['completed', 'completed'])
    expect(ends.reduce((sum, { initialized }) => sum + initialized, 0)).toBe(101)
    expect(ends.reduce((sum, { skipped }) => sum + skipped, 0)).toBe(101)
  }, 60_000)

  test('a question that the database does not answer in time is a 503, and the next one is answered', async () => {
    const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
    const { promise: isOver, resolve: over } = Promise.withResolvers<void>()
    const holding = db.transaction(async (tx) => {
      await tx.sql`lock table set_todos, todo_counts in access exclusive mode`
      locked()
      await isOver
    })
    await isLocked
    const { fetch, baseUrl } = otherSettings(app, { ACTIONABLE_TIMEOUT_MS: '300' })
    const impatient = clientWith(fetch, baseUrl, app.headers.operator)
    const paths = ['/internal/actionable-sets', '/internal/actionable-sets/count']
    for (const path of paths) {
      const answer = await impatient.get(`${path}?step=fetch`)
      expect([answer.status, ...answer.faults]).toEqual([503, 'SERVICE_UNAVAILABLE'])
      expect(answer.headers.get('retry-after')).toBe('2')
    }
    over()
    await holding
    for (const path of paths) await until(async () => (await impatient.get(`${path}?step=fetch`)).status === 200)
    expect((await actionable('step=fetch')).meta.full_total).toBe((await count('step=fetch')).count)
  })
}

if (database) claims(await testApp({ db: database }))
