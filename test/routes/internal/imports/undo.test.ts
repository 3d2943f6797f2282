import { describe, expect, test } from 'bun:test'
import { LeaseLost } from '../../../../src/jobs/settle.ts'
import { sweepImports } from '../../../../src/operations/imports/import.ts'
import { importChecklist } from '../../../../src/operations/imports/job.ts'
import { testApp } from '../../../support/app.ts'
import { runJobs } from '../../../support/jobs.ts'

const app = await testApp()
const { db, clock, operator } = app
const path = '/internal/imports'
const header = 'set,year,number,player,team,title\n'

const send = async (body: string, query = '') => {
  const { text } = await operator.send('POST', `${path}${query}`, { body, headers: { 'Content-Type': 'text/csv' } })
  return finished(text)
}
const finished = async (text: string) => {
  const { job_id: id } = JSON.parse(text)
  await runJobs(app.context)
  return JSON.parse((await operator.get(`${path}/${id}`)).text)
}
const post = (id: string, what: string) => operator.send('POST', `${path}/${id}/${what}`)
const cardsIn = async (set: string) => [
  ...(await db.sql`
    select c.id, c.name, c.deleted_at is not null as deleted from cards c join sets s on s.id = c.set_id
    where s.name = ${set} order by c.number_key collate "C"`),
]

describe('a dry run', () => {
  test('says what would change, writes nothing, and is applied while its file is kept', async () => {
    const file = `${header}Dry,1990,1,Ann Lee,,Old\n`
    await send(file)
    const dry = await send(`${file.replace('Old', 'New')}Dry,1990,2,Bo Lee,,\n`, '?dry_run=true')
    expect(dry).toMatchObject({
      ...{ status: 'completed', dry_run: true, counts: { changes: 2, cards: { created: 1, updated: 1 } }, made: [] },
      changes: [
        { before: null, after: { number: '2' } },
        { before: { title: 'Old' }, after: { title: 'New' } },
      ],
    })
    expect(await cardsIn('Dry')).toHaveLength(1)
    const answer = await post(dry.job_id, 'apply?publish=true')
    expect(answer.status).toBe(202)
    const applied = await finished(answer.text)
    expect(applied).toMatchObject({
      ...{ status: 'completed', dry_run: false, publish: true, applies: dry.job_id },
      counts: { cards: { created: 1, updated: 1 } },
    })
    expect(applied.made).toContainEqual(expect.objectContaining({ type: 'players', name: 'Bo Lee' }))
    for (const { url } of applied.made) expect((await operator.get(url.slice(app.baseUrl.length))).status).toBe(200)
    expect((await post(applied.job_id, 'apply')).status).toBe(409)
    expect((await post(dry.job_id, 'apply?prune=maybe')).faults).toEqual(['INVALID_PARAMETER prune'])
    clock.offsetSeconds = 24 * 3600 + 60
    expect((await post(dry.job_id, 'apply')).status).toBe(404)
    clock.offsetSeconds = 0
  })
})

test('a dry run that another process has taken over leaves the report to that one', async () => {
  const { job_id: id, changes } = await send(`${header}Taken over,1990,1,Ann Lee,,\n,1990,2,,,\n`, '?dry_run=true')
  const save = () => Promise.reject(new LeaseLost())
  const late = { id, attempt: 1, now: clock.now(), progress: undefined, signal: new AbortController().signal, save }
  expect(await importChecklist.perform(app.context, {}, late).catch((error) => error)).toBeInstanceOf(LeaseLost)
  const report = JSON.parse((await operator.get(`${path}/${id}`)).text)
  expect([report.changes, report.bad_rows.length]).toEqual([changes, 1])
  expect(changes).toHaveLength(2)
})

describe('the file of a dry run', () => {
  const applied = async (file: string) => {
    const dry = await send(file, '?dry_run=true')
    return { dry: dry.job_id as string, answer: await post(dry.job_id, 'apply') }
  }
  const sweep = () => sweepImports(db, clock.now(), new AbortController().signal)
  const pieces = async () => (await db.sql`select from import_pieces`).length

  test('stays after its report is gone, until the import of it is done', async () => {
    await db.sql`delete from import_pieces`
    const { dry, answer } = await applied(`${header}Kept file,1990,1,Ann Lee,,\n`)
    await db.sql`delete from jobs where id = ${dry}`
    await sweep()
    expect(await finished(answer.text)).toMatchObject({ status: 'completed', counts: { cards: { created: 1 } } })
    expect(await pieces()).toBe(1)
    await sweep()
    expect(await pieces()).toBe(0)
  })

  test('is not read in part: where some of it is gone, the import of it fails', async () => {
    const { answer } = await applied(`${header}Gone file,1990,1,Ann Lee,,\n`)
    await db.sql`delete from import_pieces`
    expect(await finished(answer.text)).toMatchObject({
      ...{ status: 'failed', error: 'Its file no longer exists.', counts: { cards: { created: 0 }, bad_rows: 0 } },
    })
    app.lines.splice(0)
  })
})

describe('undoing an import', () => {
  test('deletes what it made and nobody touched, puts back what it changed, and lists the rest', async () => {
    await send(`${header}Undone,1990,1,Ann Lee,,Old\nUndone,1990,2,Cy Lee,,Old\n`)
    const done = await send(
      `${header}Undone,1990,1,Ann Lee,,New\nUndone,1990,2,Cy Lee,,New\nUndone,1990,3,Di Fresh,Freshers,\nUndone,1990,4,Ed Fresh,,\nUndone new,1990,1,Ed Fresh,,\n`,
    )
    expect(done.counts).toMatchObject({ cards: { created: 3, updated: 2 }, sets: { created: 1 } })
    const [, second, , fourth] = await cardsIn('Undone')
    const patch = (id: string, attributes: object) =>
      operator.patch(`/v1/cards/${id}`, { data: { type: 'cards', id, attributes } })
    expect((await patch(second?.id, { title: 'Mine' })).status).toBe(200)
    expect((await patch(fourth?.id, { notes: 'Mine' })).status).toBe(200)
    const { status, text } = await post(done.job_id, 'undo')
    expect(status).toBe(202)
    expect(JSON.parse((await post(done.job_id, 'undo')).text)).toEqual(JSON.parse(text))
    const report = await finished(text)
    expect(report).toMatchObject({ status: 'completed', undoes: done.job_id, counts: { put_back: 1 } })
    expect(report.left.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['2 Cy Lee Mine', '4 Ed Fresh', 'Ed Fresh']),
    )
    expect(report.left).toHaveLength(report.counts.left)
    expect((await cardsIn('Undone')).map(({ name, deleted }) => `${name}${deleted ? ' deleted' : ''}`)).toEqual([
      '1 Ann Lee Old',
      '2 Cy Lee Mine',
      '3 Di Fresh deleted',
      '4 Ed Fresh',
    ])
    const [gone] = await db.sql`
      select (select deleted_at is not null from sets where name = 'Undone new') as set,
        (select deleted_at is not null from players where name = 'Di Fresh') as player,
        (select deleted_at is not null from teams where name = 'Freshers') as team,
        (select deleted_at is null from players where name = 'Ed Fresh') as used`
    expect(gone).toEqual({ set: true, player: true, team: true, used: true })
    expect([...(await db.sql`select what from drift`)]).toEqual([])
  })
  test('brings back what it pruned, and is refused after 30 days', async () => {
    await send(`${header}Pruned,1990,1,Ann Lee,,\nPruned,1990,2,Bo Lee,,\n`)
    const told = await send(`${header}Pruned,1990,1,Ann Lee,,\n`)
    expect(told).toMatchObject({ counts: { missing: 1, pruned: 0 }, missing: [{ name: '2 Bo Lee', deleted: false }] })
    const done = await send(`${header}Pruned,1990,1,Ann Lee,,\n`, '?prune=true')
    expect(done).toMatchObject({ counts: { missing: 1, pruned: 1 }, missing: [{ name: '2 Bo Lee', deleted: true }] })
    clock.offsetSeconds = 31 * 86_400
    expect((await post(done.job_id, 'undo')).status).toBe(404)
    clock.offsetSeconds = 0
    await finished((await post(done.job_id, 'undo')).text)
    expect((await cardsIn('Pruned')).map(({ deleted }) => deleted)).toEqual([false, false])
  })
  test('nobody knows is 404', async () => {
    for (const what of ['undo', 'apply']) expect((await post(crypto.randomUUID(), what)).status).toBe(404)
    expect((await post('nothing', 'undo')).status).toBe(404)
  })
})

test('refused rows come back as a table to mend and send again', async () => {
  const { job_id: id } = await send(
    `${header},1990,1,"Lee, Ann",,\nRefused,1990,Jan-12,Bo Lee,,"a ""b"""\nRefused,1990,3,Cy Lee,,\n`,
  )
  const { status, text, headers } = await operator.get(`${path}/${id}/refused`)
  expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('text/csv')])
  expect(text.split('\r\n')).toEqual([
    '\ufeffset,year,number,player,team,title,refused_because',
    ',1990,1,"Lee, Ann",,,the row names no set',
    expect.stringMatching(/^Refused,1990,Jan-12,Bo Lee,,"a ""b""",/),
    '',
  ])
  const again = await send(text.replace(',1990,1', 'Refused,1990,1').replace('Jan-12', '2'))
  expect(again).toMatchObject({ notes: [], counts: { cards: { created: 2 }, bad_rows: 0 } })
})
