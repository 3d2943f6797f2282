import { describe, expect, test } from 'bun:test'
import { lockSetRecords } from '../../../../src/catalog/write/set/rows.ts'
import { writeSets } from '../../../../src/catalog/write/set/write.ts'
import { enter } from '../../../../src/catalog/write/write-transaction.ts'
import type { Shown } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { aDocument, factories } from '../../../support/factories.ts'
import { secondsToNoon } from '../../../support/noon.ts'
import { workflows } from '../../../support/workflows.ts'

const app = await testApp({ offsetSeconds: secondsToNoon() })
const { operator, clock, db } = app
const make = factories(app)
const { at, todo, set: give, actionable, count } = workflows(app)

const [year, next] = [clock.now().getUTCFullYear(), clock.now().getUTCFullYear() + 1]
const season = `${year}-${String(next).slice(-2)}`
const patchSet = (set: Shown, attributes: object) =>
  operator.patch(`/v1/sets/${set.id}`, aDocument('sets', { ...attributes }, {}, set.id))
type Row = Record<string, unknown>
const setsOf = async (query: string) => (await actionable(query)).data.map((row: Row) => row.set_id)
const totals = async (query: string) => {
  const [list, counted] = [await actionable(query), await count(query)]
  return [list.meta.full_total, counted.count]
}
/** A genre of its own keeps each test's sets apart from the others'. */
const aGenre = async () => {
  const genre = await make.genre()
  return { genre, by: (step: string, more = '') => `step=${step}&genre_id=${genre.id}${more}` }
}

describe('GET /internal/actionable-sets', () => {
  test('shows a set with what is to be done', async () => {
    const { genre, by } = await aGenre()
    const set = await make.set({ genre, year: await make.year({ name: season }) })
    const one = await todo(set, 'fetch', { notes: 'Ask the maker' })
    await make.card({ set })
    const row = {
      ...{ todo_id: one.id, set_id: set.id, set_name: set.attributes.name, genre: genre.attributes.name, year: season },
      ...{ step: 'fetch', priority: 1, card_count: 1, has_sources: false, notes: 'Ask the maker' },
      updated_at: one.attributes.updated_at,
    }
    const meta = { total: 1, full_total: 1, step: 'fetch', status: 'pending', priority_filter: 'all' }
    expect(await actionable(by('fetch'))).toEqual({ data: [row], meta })
    const source = await make.setSource(set)
    expect((await actionable(by('fetch'))).data).toEqual([{ ...row, has_sources: true }])
    await operator.delete(`/v1/set-sources/${source.id}`)
    expect((await actionable(by('fetch'))).data).toEqual([row])
    const answer = await operator.get(`/internal/actionable-sets?${by('fetch')}`, { Accept: 'application/json' })
    expect(answer.headers.get('content-type')).toBe('application/json')
  })
  test('shows a set without genre and year, a draft like a published one', async () => {
    const [draft, published] = [await make.set(), await make.set({ status: 'published' })]
    for (const set of [draft, published]) await todo(set, 'cleanup')
    const { data, meta } = await actionable('step=cleanup')
    expect(data).toMatchObject(
      [draft, published].map(({ id }) => ({ set_id: id, genre: null, year: null, priority: 0 })),
    )
    expect(meta).toMatchObject({ total: 2, full_total: 2 })
    for (const set of [draft, published]) await operator.delete(`/v1/sets/${set.id}?force=true`)
    expect(await totals('step=cleanup')).toEqual([0, 0])
  })
  test('holds a pipeline step back until all steps before it are completed or skipped', async () => {
    const { genre, by } = await aGenre()
    const set = await make.set({ genre })
    const [discover, fetch] = [await todo(set, 'discover_sources'), await todo(set, 'fetch')]
    await todo(set, 'parse')
    const open = async () => {
      const steps = ['discover_sources', 'fetch', 'parse']
      const found = await Promise.all(steps.map(async (step) => (await totals(by(step))).join()))
      return steps.filter((_, at) => found[at] === '1,1')
    }
    expect(await open()).toEqual(['discover_sources'])
    await give(set, discover, 'in_progress')
    expect(await open()).toEqual([])
    await give(set, discover, 'completed')
    expect(await open()).toEqual(['fetch'])
    await give(set, fetch, 'skipped')
    expect(await open()).toEqual(['parse'])
    await give(set, discover, 'review')
    expect(await open()).toEqual([])
    expect(await totals(by('discover_sources', '&status=review'))).toEqual([1, 1])
    await operator.delete(`${at(set)}/${discover.id}`)
    expect(await open()).toEqual(['parse'])
    await todo(set, 'discover_sources')
    expect(await open()).toEqual(['discover_sources'])
  })
  test('leaves enrichment steps free, and takes any status', async () => {
    const { genre, by } = await aGenre()
    const set = await make.set({ genre })
    await todo(set, 'discover_sources')
    const audit = await todo(set, 'audit')
    for (const status of ['pending', 'in_progress', 'completed', 'skipped', 'review']) {
      await give(set, audit, status)
      for (const asked of ['pending', 'in_progress', 'completed', 'skipped', 'review'])
        expect([asked, ...(await totals(by('audit', `&status=${asked}`)))]).toEqual([
          asked,
          ...(asked === status ? [1, 1] : [0, 0]),
        ])
    }
  })
  test('shows current sets first, then the newest year, then genres by name, then what has waited longest', async () => {
    const years = await Promise.all(['1987', `${next + 1}`, `${year} reprint`].map((name) => make.year({ name })))
    const genres = [
      await make.genre({ name: 'zither' }),
      await make.genre({ name: 'Ångström' }),
      await make.genre({ name: 'Alpine' }),
    ]
    const expected: string[] = []
    for (const at of [2, 1, 0])
      for (const genre of [genres[2], genres[0], genres[1], undefined])
        for (const _ of 'ab') {
          const set = await make.set({ year: years[at], ...(genre ? { genre } : {}) })
          expected.push(set.id)
        }
    for (const id of expected) await todo({ id }, 'validate')
    expect(await setsOf('step=validate&limit=100')).toEqual(expected)
    for (const limit of [1, 2, 3, 9, 23]) {
      const { data, meta } = await actionable(`step=validate&limit=${limit}`)
      expect(data.map((row: Row) => row.set_id)).toEqual(expected.slice(0, limit))
      expect(meta).toMatchObject({ total: limit, full_total: 24 })
    }
  })
  test('shows 25 where no limit is given, and counts them all', async () => {
    const { genre, by } = await aGenre()
    for (let n = 0; n < 27; n++) await todo(await make.set({ genre }), 'parse')
    const { data, meta } = await actionable(by('parse'))
    expect([data.length, meta.total, meta.full_total]).toEqual([25, 25, 27])
    expect((await count(by('parse', '&limit=1'))).count).toBe(27)
  })
})

describe('the filters of actionable sets', () => {
  test('count what the list finds, whatever they are together', async () => {
    const { genre } = await aGenre()
    const years = [await make.year({ name: `${year} filters` }), await make.year({ name: '1952' })]
    for (const [at, one] of [...years, undefined].entries())
      for (const owner of [genre, undefined])
        for (let n = 0; n <= at; n++)
          await todo(
            await make.set({ ...(one ? { year: one } : {}), ...(owner ? { genre: owner } : {}) }),
            'populate',
            {
              status: n === 1 ? 'review' : 'pending',
            },
          )
    const truth = await db.sql<{ id: string; status: string; genre: string; year: string | null }[]>`
      select s.id, t.status, s.genre_id as genre, y.name as year
      from set_todos t join sets s on s.id = t.set_id left join years y on y.id = s.year_id where t.step = 'populate'`
    for (const status of ['pending', 'review'])
      for (const priority of ['current', 'backlog', 'all'])
        for (const genreId of [undefined, genre.id, crypto.randomUUID()])
          for (const name of [undefined, `${year} filters`, '1952', '1953']) {
            const query = new URLSearchParams({ step: 'populate', status, priority, limit: '100' })
            if (genreId) query.set('genre_id', genreId)
            if (name) query.set('year', name)
            const wanted = truth.filter(
              (row) =>
                row.status === status &&
                (genreId === undefined || row.genre === genreId) &&
                (name === undefined || row.year === name) &&
                (priority === 'all' || (row.year === `${year} filters`) === (priority === 'current')),
            )
            const { data, meta } = await actionable(query.toString())
            expect(data.map((row: Row) => row.set_id).toSorted()).toEqual(wanted.map(({ id }) => id).toSorted())
            const said = { step: 'populate', status, priority_filter: priority }
            expect(meta).toEqual({ total: wanted.length, full_total: wanted.length, ...said })
            expect(await count(query.toString())).toEqual({ count: wanted.length, meta: said })
          }
  })
  test('follow the set into another year and genre, out of sight and back', async () => {
    const [one, other] = [await aGenre(), await aGenre()]
    const set = await make.set({ genre: one.genre })
    for (const step of ['discover_sources', 'fetch', 'audit']) await todo(set, step)
    const seen = async () => {
      const queries = [one.by('audit'), other.by('audit'), other.by('audit', '&priority=current'), other.by('fetch')]
      return Promise.all(queries.map(async (query) => (await totals(query)).join('/')))
    }
    expect(await seen()).toEqual(['1/1', '0/0', '0/0', '0/0'])
    await patchSet(set, { genre_id: other.genre.id })
    expect(await seen()).toEqual(['0/0', '1/1', '0/0', '0/0'])
    await patchSet(set, { year_id: (await make.year({ name: `${year - 1} moved` })).id, status: 'published' })
    expect(await seen()).toEqual(['0/0', '1/1', '1/1', '0/0'])
    await operator.delete(`/v1/sets/${set.id}`)
    expect(await seen()).toEqual(['0/0', '0/0', '0/0', '0/0'])
    await enter(db, async (tx) => {
      const stored = (await lockSetRecords(tx, [set.id])).get(set.id)
      const change = () => ({ ...(stored as NonNullable<typeof stored>), deleted: false })
      await writeSets(tx, [{ id: set.id, change }], { level: 1, now: clock.now() })
    })
    expect(await seen()).toEqual(['0/0', '1/1', '1/1', '0/0'])
    await patchSet(set, { genre_id: null, year_id: null, status: 'draft' })
    expect(await seen()).toEqual(['0/0', '0/0', '0/0', '0/0'])
  })
  test('have no sets of a genre that is none, not even those without a genre', async () => {
    await todo(await make.set(), 'audit')
    for (const id of ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])
      expect([id, await totals(`step=audit&genre_id=${id}`), await setsOf(`step=audit&genre_id=${id}`)]).toEqual([
        id,
        [0, 0],
        [],
      ])
  })
  test('tell current sets from the backlog as time passes and years are renamed', async () => {
    const { genre, by } = await aGenre()
    const named = await make.year({ name: `${year} turning` })
    await todo(await make.set({ genre, year: named }), 'fetch')
    const priorities = async () => [
      ...(await totals(by('fetch', '&priority=current'))),
      ...(await totals(by('fetch', '&priority=backlog'))),
    ]
    expect(await priorities()).toEqual([1, 1, 0, 0])
    const rename = (name: string) => operator.patch(`/v1/years/${named.id}`, aDocument('years', { name }, {}, named.id))
    await rename(`${year - 2} turning`)
    expect(await priorities()).toEqual([0, 0, 1, 1])
    await rename(`${year - 2}-${String(year - 1).slice(-2)} turning`)
    expect(await priorities()).toEqual([1, 1, 0, 0])
    clock.offsetSeconds += 366 * 86_400
    expect(await priorities()).toEqual([0, 0, 1, 1])
    clock.offsetSeconds -= 366 * 86_400
  })
})

describe('a bad query', () => {
  test('names each parameter, 400 where it is unknown and 422 where its value is wrong', async () => {
    for (const path of ['/internal/actionable-sets', '/internal/actionable-sets/count']) {
      for (const [query, faults] of [
        ['', ['step']],
        ['step=', ['step']],
        ['step=paint&status=done&priority=high', ['step', 'status', 'priority']],
        ['step=fetch&limit=0', ['limit']],
        ['step=fetch&limit=101', ['limit']],
        ['step=fetch&limit=1.5', ['limit']],
        ['step=fetch&limit=ten&genre_id=baseball', ['limit', 'genre_id']],
        ['status=done', ['step', 'status']],
      ] as const) {
        const answer = await operator.get(`${path}?${query}`)
        expect([query, answer.status]).toEqual([query, 422])
        expect(answer.faults).toEqual(faults.map((one) => `VALIDATION-FAILED ${one}`))
      }
      for (const [query, faults] of [
        ['step=fetch&page=1&color=red', ['page', 'color']],
        ['step=fetch&year=%00', ['year']],
        ['step=paint&year=%FF', ['year']],
      ] as const) {
        const answer = await operator.get(`${path}?${query}`)
        expect([query, answer.status]).toEqual([query, 400])
        expect(answer.faults).toEqual(faults.map((one) => `INVALID_PARAMETER ${one}`))
      }
    }
  })
})
