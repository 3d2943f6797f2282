import { describe, expect, test } from 'bun:test'
import { enqueue } from '../../../../src/jobs/enqueue.ts'
import { writeCardBatch } from '../../../../src/operations/batches/job.ts'
import { beginResults } from '../../../../src/operations/batches/results.ts'
import type { Shown } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { factories, setStatus, toMany, toOne } from '../../../support/factories.ts'
import { runJobs } from '../../../support/jobs.ts'

const app = await testApp({ environment: { BATCH_INLINE_MAX: '10', BATCH_MAX: '1000' } })
const { operator, reader } = app
const make = factories(app)
const path = '/internal/card-batches'

type Failure = { status: string; code: string; source: { pointer: string } }
type Result = { id: string | null; status: string; restored: boolean; error: Failure | null }
type Batch = { status: string; job_id: string | null; results: Result[] } & Record<
  'total' | 'created' | 'updated' | 'failed',
  number
>

const anId = () => crypto.randomUUID()
const row = (id: unknown, attributes: object = {}, relationships: object = {}) => ({
  ...{ type: 'cards', id },
  ...{ attributes, relationships },
})
const batchOf = (answer: { text: string }): Batch => JSON.parse(answer.text)
const post = async (data: unknown[], meta?: object) => {
  const answer = await operator.post(path, { data, meta })
  return { status: answer.status, headers: answer.headers, batch: batchOf(answer) }
}
const written = (id: string, status: string, restored = false) => ({ id, status, restored, error: null })
const card = async (id: string) => (await operator.get(`/v1/cards/${id}`)).one
const related = (record: Shown, name: string) => (record.relationships as Record<string, { data: unknown }>)[name]?.data

const [set, player, team, rookie] = [await make.set(), await make.player(), await make.team(), await make.attribute()]

describe('POST /internal/card-batches', () => {
  test('creates cards and lays rows over those that are there, with what the row does not name kept', async () => {
    const there = await make.card({ set, number: '1', title: 'Kept', oncard: [player], attributes: [rookie] })
    const fresh = anId()
    const { status, batch } = await post([
      row(fresh, { number: '2' }, { set: toOne(set), oncard: toMany([player, team]) }),
      row(there.id.toUpperCase(), { number: '7' }),
    ])
    expect(status).toBe(200)
    expect(batch).toEqual({
      ...{ status: 'completed', job_id: null, total: 2, created: 1, updated: 1, failed: 0 },
      results: [written(fresh, 'created'), written(there.id, 'updated')],
    })
    expect((await card(fresh)).attributes.name).toBe(
      `2 ${player.attributes.first_name} ${player.attributes.last_name} / ${team.attributes.name}`,
    )
    expect((await card(there.id)).attributes).toMatchObject({ number: '7', title: 'Kept' })
    expect(related(await card(there.id), 'oncard')).toEqual([{ type: 'players', id: player.id }])
  })

  test('an unknown member at the top or in meta refuses the batch, at its pointer', async () => {
    const there = await make.card({ set, number: '90' })
    const rows = [row(there.id, { number: '91' })]
    for (const [sent, ...pointers] of [
      [{ data: rows, propagate: true }, '/propagate'],
      [{ data: rows, meta: { propogate: true } }, '/meta/propogate'],
      [{ data: rows, included: [], meta: { propagate: false, 'a/b': 1 } }, '/included', '/meta/a~1b'],
      [{ datas: rows }, '/datas', '/data'],
    ] as [object, ...string[]][]) {
      const answer = await operator.post(path, sent)
      expect([answer.status, answer.faults]).toEqual([422, pointers.map((one) => `VALIDATION-FAILED ${one}`)])
    }
    expect((await card(there.id)).attributes.number).toBe('90')
  })

  test('an unknown member in a row fails that row, and what a read shows does not', async () => {
    const [one, other] = [await make.card({ set, number: '92' }), await make.card({ set, number: '93' })]
    const { status, batch } = await post([
      { ...row(one.id, { number: '94' }), attribute: { number: '95' } },
      { ...(await card(other.id)), attributes: { number: '96' } },
    ])
    expect([status, batch.failed, batch.updated]).toEqual([200, 1, 1])
    expect(batch.results[0]?.error?.source).toEqual({ pointer: '/data/0/attribute' })
    expect((await card(one.id)).attributes.number).toBe('92')
    expect((await card(other.id)).attributes.number).toBe('96')
  })

  test('brings a deleted card back', async () => {
    const gone = await make.card({ set, number: '11' })
    await operator.delete(`/v1/cards/${gone.id}`)
    const { batch } = await post([row(gone.id, { title: 'Back' })])
    expect(batch.results).toEqual([written(gone.id, 'updated', true)])
    expect((await card(gone.id)).attributes).toMatchObject({ number: '11', title: 'Back' })
  })

  test('a card that went with its set fails there, and comes back in another set', async () => {
    const doomed = await make.set()
    const gone = await make.card({ set: doomed, number: '12' })
    await operator.delete(`/v1/sets/${doomed.id}`)
    for (const attributes of [{}, { title: 'Lost' }]) {
      const { failed, results } = (await post([row(gone.id, attributes)])).batch
      expect([failed, results[0]?.error?.source.pointer]).toEqual([1, '/data/0/relationships/set/data/id'])
    }
    const { batch } = await post([row(gone.id, {}, { set: toOne(set) })])
    expect(batch.results).toEqual([written(gone.id, 'updated', true)])
    expect((await card(gone.id)).attributes).toMatchObject({ number: '12', title: null })
  })

  test('fails a row alone, and says where in the request its fault is', async () => {
    const [good, twice, lost] = [anId(), anId(), anId()]
    const hidden = await make.set()
    await operator.delete(`/v1/sets/${hidden.id}`)
    const inSet = { set: toOne(set) }
    const { status, batch } = await post([
      row(good, {}, inSet),
      row(twice, {}, inSet),
      row(twice, {}, inSet),
      row(anId(), {}),
      row(anId(), { number: 7 }, inSet),
      row('no uuid', {}, inSet),
      { type: 'cards' },
      row(lost, {}, { ...inSet, oncard: { data: [player, { type: 'players', id: anId() }] } }),
      row(anId(), {}, { set: toOne(hidden) }),
      { ...row(anId()), type: 'sets' },
    ])
    expect(status).toBe(200)
    expect(batch).toMatchObject({ status: 'completed', total: 10, created: 2, updated: 0, failed: 8 })
    const faults = batch.results.map(({ error }) => error && `${error.status} ${error.source.pointer}`)
    expect(faults).toEqual([
      ...[null, null, '409 /data/2/id', '422 /data/3/relationships/set', '422 /data/4/attributes/number'],
      ...['422 /data/5/id', '422 /data/6/id', '422 /data/7/relationships/oncard/data/1/id'],
      ...['422 /data/8/relationships/set/data/id', '409 /data/9/type'],
    ])
    expect(batch.results.map(({ id }) => id).slice(5, 8)).toEqual(['no uuid', null, lost])
    expect((await operator.get(`/v1/cards/${lost}`)).status).toBe(404)
  })

  test.each([[7], [null], ['\u0000\ud800'], [[]]])('takes the row %p for one that failed', async (value) => {
    const { status, batch } = await post([value])
    expect(status).toBe(200)
    expect(batch).toMatchObject({ failed: 1, results: [{ id: null, error: { source: { pointer: '/data/0' } } }] })
  })

  test.each([
    ['no data', {}, ['VALIDATION-FAILED /data']],
    ['one card in the place of a list', { data: row(anId()) }, ['VALIDATION-FAILED /data']],
    ['an empty list', { data: [] }, ['VALIDATION-FAILED /data']],
    ['too many rows', { data: Array(1001).fill(0) }, ['VALIDATION-FAILED /data']],
    ['meta that is none', { data: [row(anId())], meta: [] }, ['VALIDATION-FAILED /meta']],
    [
      'a propagate that is none',
      { data: [row(anId())], meta: { propagate: 'yes' } },
      ['VALIDATION-FAILED /meta/propagate'],
    ],
  ])('refuses %s with 422', async (_, body, faults) => {
    const answer = await operator.post(path, body)
    expect([answer.status, answer.faults]).toEqual([422, faults])
  })

  test('writes what is longer than BATCH_INLINE_MAX by a job, whose poll has the same shape and ends after a day', async () => {
    const ids = Array.from({ length: 25 }, anId)
    const rows = ids.map((id, n) => row(id, { number: String(n) }, n === 7 ? {} : { set: toOne(set) }))
    const { status, headers, batch } = await post(rows)
    expect(status).toBe(202)
    expect(batch).toMatchObject({ status: 'queued', total: 25, created: 0, results: [] })
    const poll = `${path}/${batch.job_id}`
    expect(headers.get('location')).toBe(`${app.baseUrl}${poll}`)
    expect(batchOf(await operator.get(poll))).toEqual(batch)
    await runJobs(app.context)
    const done = batchOf(await operator.get(poll))
    expect(done).toMatchObject({ status: 'completed', job_id: batch.job_id, total: 25, created: 24, failed: 1 })
    expect(done.results.map(({ id }) => id)).toEqual(ids)
    expect(done.results[7]?.error?.source.pointer).toBe('/data/7/relationships/set')
    app.clock.offsetSeconds += 86_401
    expect((await operator.get(poll)).status).toBe(404)
    app.clock.offsetSeconds -= 86_401
  })

  test('reads rows of a job some at a time, knows an id from far before, and keeps none of them in the end', async () => {
    const ids: string[] = Array.from({ length: 600 }, anId)
    ids[599] = ids[1] as string
    const { batch } = await post(ids.map((id, n) => row(id, { number: String(n) }, { set: toOne(set) })))
    const rowsOf = () => app.db.sql`
      select json_array_length(rows) as rows from card_batch_rows where job_id = ${batch.job_id} order by first`
    expect(await rowsOf()).toEqual([{ rows: 250 }, { rows: 250 }, { rows: 100 }] as never)
    await runJobs(app.context)
    const { results } = batchOf(await operator.get(`${path}/${batch.job_id}`))
    expect(results.map(({ id }) => id)).toEqual(ids)
    expect(results.slice(0, 599).every(({ status }) => status === 'created')).toBe(true)
    expect(results[599]).toMatchObject({ status: 'failed', error: { source: { pointer: '/data/599/id' } } })
    expect(await rowsOf()).toEqual([] as never)
  })

  test('writes a job of 1.0.0, whose rows are in its payload', async () => {
    const ids = Array.from({ length: 3 }, anId)
    const rows = [...ids, ids[0]].map((id) => row(id, {}, { set: toOne(set) }))
    const now = app.clock.now()
    const id = await enqueue(app.db, writeCardBatch, { rows, propagate: false, agent: null }, { now })
    await app.db.transaction((tx) => beginResults(tx, id, rows.length))
    await runJobs(app.context)
    expect(batchOf(await operator.get(`${path}/${id}`))).toMatchObject({ status: 'completed', created: 3, failed: 1 })
    const [kept] = await app.db.sql`select payload::text from jobs where id = ${id}`
    expect(kept?.payload).not.toContain(ids[0])
  })

  test('a card that the database itself refuses fails alone, and the others are written', async () => {
    await app.db.sql`alter table cards add constraint no_poison check (title <> 'poison')`
    const rows = Array.from({ length: 40 }, (_, n) =>
      row(anId(), { title: n % 13 === 5 ? 'poison' : null }, { set: toOne(set) }),
    )
    const { batch } = await post(rows)
    await runJobs(app.context)
    const done = batchOf(await operator.get(`${path}/${batch.job_id}`))
    expect(done).toMatchObject({ status: 'completed', created: 37, failed: 3 })
    const faults = done.results.flatMap(({ error }) => error?.source.pointer ?? [])
    expect(faults).toEqual(['/data/5', '/data/18', '/data/31'])
    await app.db.sql`alter table cards drop constraint no_poison`
  })

  test.each(['no uuid', anId()])('the poll of %s is 404', async (id) => {
    expect((await operator.get(`${path}/${id}`)).status).toBe(404)
  })

  test('a row may leave everything as it is', async () => {
    const there = await make.card({ set, number: '99' })
    const { batch } = await post([row(there.id)])
    expect(batch.results).toEqual([written(there.id, 'updated')])
    expect((await card(there.id)).attributes.updated_at).toBe(there.attributes.updated_at as string)
  })
})

describe('meta.propagate', () => {
  test('gives the parallels of a set its cards, and changes those that they have', async () => {
    const base = await make.set({ status: 'draft' })
    const gold = await make.set({ parent: base, kind: 'parallel' })
    const silver = await make.set({ parent: base, kind: 'parallel' })
    await make.set({ parent: base, kind: 'insert' })
    const [first, second] = [anId(), anId()]
    const fields = { set: toOne(base), oncard: toMany([player]), attributes: toMany([rookie]) }
    const bad = row(anId(), {}, { ...fields, oncard: { data: [{ type: 'teams', id: anId() }] } })
    const { batch } = await post([row(first, { number: '1', title: 'One' }, fields), row(second, {}, fields), bad], {
      propagate: true,
    })
    expect(batch).toMatchObject({ total: 3, created: 2, failed: 1 })
    const cardsOf = async ({ id }: Shown) => (await operator.get(`/v1/cards?filter[set_id]=${id}`)).many
    const parentsOf = (list: Shown[]) => list.map((one) => (related(one, 'parent') as Shown).id).sort()
    for (const parallel of [gold, silver]) expect(parentsOf(await cardsOf(parallel))).toEqual([first, second].sort())
    const made = (await cardsOf(gold)).find((one) => (related(one, 'parent') as Shown).id === first) as Shown
    expect(made.attributes).toMatchObject({ number: '1', title: 'One' })
    expect([related(made, 'oncard'), related(made, 'attributes')]).toEqual([[{ type: 'players', id: player.id }], []])

    await operator.patch(`/v1/cards/${made.id}`, {
      data: { type: 'cards', id: made.id, attributes: { serial_number: '/10' } },
    })
    await post([row(first, { number: '100' }, { oncard: toMany([team]) })])
    expect((await card(made.id)).attributes.number).toBe('1')
    await post([row(first, { title: null })], { propagate: true })
    expect((await card(made.id)).attributes).toMatchObject({ number: '100', title: null, serial_number: '/10' })
    expect(related(await card(made.id), 'oncard')).toEqual([{ type: 'teams', id: team.id }])
    expect((await cardsOf(gold)).length).toBe(2)

    await operator.delete(`/v1/cards/${made.id}`)
    await post([row(first)], { propagate: true })
    expect((await card(made.id)).attributes.number).toBe('100')
    for (const one of [gold, base]) await setStatus(app, one, 'published')
    expect((await reader.get(`/v1/cards/${made.id}`)).status).toBe(200)
  })

  test.skipIf(app.db.kind === 'embedded')(
    'batches at once make each card of a parallel once (needs several sessions)',
    async () => {
      const base = await make.set()
      const gold = await make.set({ parent: base, kind: 'parallel' })
      const ids = Array.from({ length: 8 }, anId)
      const rows = ids.map((id) => row(id, { number: '1' }, { set: toOne(base), oncard: toMany([player]) }))
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, n) => post(n % 2 ? rows : rows.toReversed(), { propagate: true })),
      )
      for (const { batch } of answers) expect(batch).toMatchObject({ total: 8, failed: 0 })
      expect(answers.reduce((sum, { batch }) => sum + batch.created, 0)).toBe(8)
      expect((await operator.get(`/v1/cards?filter[set_id]=${gold.id}`)).meta.total).toBe(8)
    },
  )
})
