import { describe, expect, test } from 'bun:test'
import { zipSync } from 'fflate'
import { testApp } from '../../../support/app.ts'
import { runJobs } from '../../../support/jobs.ts'
import { until } from '../../../support/until.ts'

const app = await testApp({ environment: { IMPORT_MAX_BYTES: '200000' } })
const { db, clock, operator } = app
const path = '/internal/imports'

const header = 'genre,year,manufacturer,brand,set,parent_set,number,player,team,title,attributes,serial_number,notes\n'
const rows = (set: string, count: number) =>
  Array.from({ length: count }, (_, row) => `Baseball,1990,Topps,Topps,${set},,${row + 1},Player ${row % 50},,,,,\n`)
const aChecklist = (set: string, count = 3) => header + rows(set, count).join('')

const send = (body: BodyInit, query = '', headers: Record<string, string> = {}, as = operator) =>
  as.send('POST', `${path}${query}`, { body, headers: { 'Content-Type': 'text/csv', ...headers } })
const idOf = ({ text }: { text: string }) => (JSON.parse(text) as { job_id: string }).job_id
const poll = async (id: string) => JSON.parse((await operator.get(`${path}/${id}`)).text)
const imported = async (...sent: Parameters<typeof send>) => {
  const id = idOf(await send(...sent))
  await runJobs(app.context)
  return poll(id)
}
const kept = async () => {
  const [row] = await db.sql<{ files: number; pieces: number }[]>`
    select (select count(*)::int from imports) as files, (select count(*)::int from import_pieces) as pieces`
  return row
}

describe('POST /internal/imports', () => {
  test('answers with a job, which reads the file into the catalog and tells what it did', async () => {
    const answer = await send(aChecklist('Sent', 120))
    expect(answer.status).toBe(202)
    expect(Object.keys(JSON.parse(answer.text))).toEqual(['job_id'])
    const id = idOf(answer)
    expect(answer.headers.get('location')).toBe(`${app.baseUrl}${path}/${id}`)
    expect(await poll(id)).toMatchObject({
      ...{ job_id: id, status: 'queued', publish: false, error: null, finished_at: null },
      progress: { bytes_read: 0, bytes_total: aChecklist('Sent', 120).length, percent: 0 },
    })
    await runJobs(app.context)
    expect(await poll(id)).toMatchObject({
      ...{ status: 'completed', progress: { percent: 100 }, bad_rows: [], finished_at: expect.any(String) },
      counts: {
        ...{ files: 1, sets: { created: 1 }, cards: { created: 120, failed: 0 }, players: 50, bad_rows: 0 },
      },
    })
    expect((await operator.get('/v1/cards?filter[name]=7 Player 6')).many).toHaveLength(1)
    expect((await app.reader.get('/v1/cards?filter[name]=7 Player 6')).many).toEqual([])
  })
  test('what no database can hold is refused, and its report is read', async () => {
    const zeros = await imported('\0'.repeat(3000))
    expect(zeros).toMatchObject({ status: 'completed', counts: { bad_rows: 1, cards: { created: 0 } } })
    const spoiled = await imported('set,number,player\nSpoiled,1,Ann\0 Lee\nSpoiled,2,Bo Lee\n')
    expect(spoiled).toMatchObject({ status: 'completed', counts: { bad_rows: 1, cards: { created: 1 } } })
    const json = await imported(
      '[{"set":"Spoiled","number":"3","player":"Cy \\ud800 Lee"},{"set":"Spoiled","number":"4","player":"Di Lee"}]',
      '',
      { 'Content-Type': 'application/json' },
    )
    expect(json).toMatchObject({ status: 'completed', counts: { bad_rows: 1, cards: { created: 1 } } })
    expect((await operator.send('GET', `${path}/${json.job_id}/refused`)).text).toContain('Lee')
  })
  test('publishes the sets where it is told to, also of those that are there', async () => {
    expect(await imported(aChecklist('Sent', 120), '?publish=true')).toMatchObject({
      counts: { sets: { updated: 1 }, cards: { created: 0, unchanged: 120 } },
    })
    expect((await app.reader.get('/v1/cards?filter[name]=7 Player 6')).many).toHaveLength(1)
  })
  test('names whoever sent the file in the audit log, not the job', async () => {
    const { text } = await send(aChecklist('Logged'), '?publish=true', {}, app.internalMachine)
    await runJobs(app.context)
    expect((await poll(idOf({ text }))).status).toBe('completed')
    const logged = await db.sql`
      select event_type, agent_id from audit_logs where data->>'name' = 'Logged' order by id`
    expect([...logged]).toEqual([
      { event_type: 'set.published', agent_id: expect.stringMatching(/^client:[0-9a-f-]{36}$/) },
    ])
  })
  test('makes sets of parallels where it is told to', async () => {
    const cards = [{ number: '1', name: 'Larry Bird', uniqueId: crypto.randomUUID() }]
    const sets = [{ name: 'Base', uniqueId: crypto.randomUUID(), parallels: [{ name: 'Gold' }], cards }]
    const release = JSON.stringify({ name: '1990 Hoops Basketball', uniqueId: crypto.randomUUID(), sets })
    const asJson = { 'Content-Type': 'application/json' }
    expect((await imported(release, '?publish=&parallels=', asJson)).counts).toMatchObject({ cards: { created: 1 } })
    expect((await imported(release, '?parallels=1', asJson)).counts).toMatchObject({ cards: { created: 1 } })
  })
  test('reports each bad row with its line and the reason, and imports the rest', async () => {
    const csv = `set,number,player\nBad rows,1,Ann Lee\n,2,Bo Lee\nBad rows,${'n'.repeat(256)},Cy\n`
    expect(await imported(csv)).toMatchObject({
      ...{ status: 'completed', counts: { cards: { created: 1 }, bad_rows: 2 } },
      bad_rows: [
        { file: 'checklist', line: 3, reason: 'the row names no set' },
        { file: 'checklist', line: 4, reason: 'number is longer than 255 characters' },
      ],
    })
    expect(await imported(Uint8Array.of(0x50, 0x4b, 3, 4))).toMatchObject({
      ...{
        status: 'completed',
        bad_rows: [{ line: null, reason: expect.stringContaining('The zip file is damaged') }],
      },
    })
  })
  test('says how a request names the headings that it does not know', async () => {
    expect(await imported('set,nmbr,player\nUnnamed,1,Ann Lee\n')).toMatchObject({
      bad_rows: [{ line: 1, reason: expect.stringMatching(/ \(the parameter map=Heading=column names others\)$/) }],
    })
  })
  test('ends after ten million rows that say nothing, in all files together', async () => {
    const header = 'set,number,player\n'
    const others = ',,\n'.repeat(1000) + header.repeat(1000)
    const table = (number: number, empty: number) =>
      Buffer.from(`${header}Mostly empty,${number},Ann Lee\n${'\n'.repeat(empty)}${others}`)
    const few = zipSync({ 'a.csv': table(1, 100_000) })
    expect(await imported(few)).toMatchObject({ counts: { cards: { created: 1 }, bad_rows: 0 } })
    const lines = Buffer.from('\n'.repeat(5_000_000))
    const many = zipSync({ 'a.csv': table(1, 4_998_001), 'b.jsonl': lines, 'c.csv': table(2, 0) })
    expect(await imported(many)).toMatchObject({
      counts: { cards: { created: 0, unchanged: 1 }, bad_rows: 1 },
      bad_rows: [
        {
          ...{ file: 'b.jsonl', line: null },
          reason: 'More than 10,000,000 rows are blank or repeated. The import ends here.',
        },
      ],
    })
  })
  test('takes the name of the file from Content-Disposition, which may tell the release', async () => {
    const csv = 'Card Set,Card Number,Player\nBase Set,1,Zed Name\n'
    const headers = { 'Content-Disposition': 'attachment; filename="1991-topps-stadium-club.csv"' }
    expect(await imported(csv, '', headers)).toMatchObject({ file: '1991-topps-stadium-club.csv', status: 'completed' })
    const [set] = await db.sql`select p.name from sets s join sets p on p.id = s.parent_id where s.name = 'Base Set'`
    expect(set?.name).toContain('1991')
    const encoded = { 'Content-Disposition': "attachment; filename=x.csv; filename*=UTF-8''Jos%C3%A9%0A.csv" }
    expect((await imported(csv, '', encoded)).file).toBe('José.csv')
  })
  test('reads headings that the request names, and text in the encoding that it names', async () => {
    const bytes = Buffer.from('Serie,Nmbr,Wer\nNamed headings,1,Jos\xe9 Pe\xf1a\n', 'latin1')
    const query = '?map=Serie%3Dset&map=Nmbr%3Dnumber&map=Wer%3Dplayer&encoding=windows-1252'
    expect(await imported(bytes, query)).toMatchObject({
      ...{ status: 'completed', notes: [], counts: { cards: { created: 1 }, bad_rows: 0, parallels_left_out: 0 } },
    })
    const [card] = await db.sql`
      select c.name from cards c join sets s on s.id = c.set_id where s.name = 'Named headings'`
    expect(card?.name).toBe('1 José Peña')
    expect((await send('x', '?map=Wer')).faults).toEqual(['INVALID_PARAMETER map'])
    expect((await send('x', '?map=Wer%3Dperson')).faults).toEqual(['INVALID_PARAMETER map'])
    const twice = await send('x', '?map=Wer%3Dplayer&map=wer%3Dteam')
    expect(twice.document.errors).toMatchObject([
      { source: { parameter: 'map' }, detail: '“wer=team” gives the heading another column than before.' },
    ])
    expect((await send('x', '?encoding=klingon')).faults).toEqual(['INVALID_PARAMETER encoding'])
  })
  test('names the columns that were not read before all other notes', async () => {
    const csv = 'Card Set,Card #,Player,grade\nNotes first,1,????,9\nNotes first,1,????,9\n'
    const { notes } = await imported(csv)
    expect(notes[0]).toMatchObject({ rule: 'unread-column', examples: [{ text: 'grade' }] })
    expect(notes.length).toBeGreaterThan(1)
  })
  test('refuses what is no file, too long, empty, or asked for in other words', async () => {
    const before = await kept()
    for (const type of ['image/png', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expect((await send('x', '', { 'Content-Type': type })).status).toBe(415)
    expect((await send('x'.repeat(200_001))).status).toBe(413)
    expect((await send(chunks('x'.repeat(60_000), 4))).status).toBe(413)
    expect((await send('')).status).toBe(400)
    expect((await send(chunks('', 1))).status).toBe(400)
    expect((await send('x', '?filename=a.csv')).faults).toEqual(['INVALID_PARAMETER filename'])
    expect((await send('x', '?publish=maybe')).faults).toEqual(['INVALID_PARAMETER publish'])
    // Whoever names a dry run does not want to write.
    expect((await send('x', '?dry_run')).faults).toEqual(['INVALID_PARAMETER dry_run'])
    expect((await send('x', '?dry_run=')).faults).toEqual(['INVALID_PARAMETER dry_run'])
    expect(await kept()).toEqual(before)
  })
  test('takes a file that comes in pieces of any size', async () => {
    const text = aChecklist('In pieces', 2500)
    expect(text.length).toBeWithin(100_000, 200_000)
    const pieces = new ReadableStream({
      start: (controller) => {
        for (let at = 0; at < text.length; at += 777)
          controller.enqueue(new TextEncoder().encode(text.slice(at, at + 777)))
        controller.close()
      },
    })
    expect((await imported(pieces)).counts).toMatchObject({ cards: { created: 2500 }, bad_rows: 0 })
  })
  test('is for operators alone', async () => {
    expect((await send('', '', {}, app.internalMachine)).status).toBe(400)
    for (const caller of [app.writer, app.machine, app.visitor, app.subscriber]) {
      expect((await send('x', '', {}, caller)).status).toBe(403)
      expect((await caller.get(`${path}/${crypto.randomUUID()}`)).status).toBe(403)
    }
    for (const caller of [app.stranger(), app.revoked]) expect((await send('x', '', {}, caller)).status).toBe(401)
  })
})

describe('the file of an import', () => {
  const sweep = async (hours: number) => {
    clock.offsetSeconds = hours * 3600
    await db.sql`insert into jobs (id, name, payload, max_attempts, run_at, created_at)
      values (${crypto.randomUUID()}, 'job_sweep', '{}', 3, '2000-01-01', now())`
    await runJobs(app.context)
    await db.sql`insert into jobs (id, name, payload, max_attempts, run_at, created_at)
      values (${crypto.randomUUID()}, 'import_sweep', '{}', 3, '2000-01-01', now())`
    await runJobs(app.context)
  }
  test('is gone when it is read', async () => {
    expect((await kept())?.pieces).toBe(0)
  })
  test('is not left behind by an upload that breaks off', async () => {
    const before = await kept()
    let pieces = 0
    const broken = new ReadableStream({
      pull: (controller) => {
        controller.enqueue(new TextEncoder().encode('x'.repeat(40_000)))
        if (++pieces === 3) controller.error(new Error('gone'))
      },
    })
    expect([400, 413]).toContain((await send(broken)).status)
    expect(await kept()).toEqual(before)
  })
  test('whose upload takes so long that it is swept is refused', async () => {
    const uploads = async () => (await db.sql`select from imports where job_id is null`).length
    const slow = new ReadableStream({
      start: async (controller) => {
        controller.enqueue(new TextEncoder().encode('set,number,'))
        await until(async () => (await uploads()) > 0)
        await db.sql`delete from imports where job_id is null`
        controller.enqueue(new TextEncoder().encode('player\n'))
        controller.close()
      },
    })
    const answer = await send(slow)
    expect([answer.status, answer.document.errors?.[0]?.detail]).toEqual([503, 'The upload took too long. Try again.'])
  })
  test.each(['as it is', 'packed'])('that cannot be had is no damaged one: it stays, %s, for a retry', async (form) => {
    const text = aChecklist(`Retried ${form}`)
    const id = idOf(await send(form === 'packed' ? Bun.gzipSync(new TextEncoder().encode(text)) : text))
    await db.sql`update jobs set max_attempts = 1 where id = ${id}`
    const [piece] = await db.sql<{ bytes: Buffer }[]>`select bytes from import_pieces`
    await db.sql`update import_pieces set bytes = 'no piece'`
    await runJobs(app.context)
    expect(await poll(id)).toMatchObject({
      status: 'failed',
      error: expect.any(String),
      counts: { cards: { created: 0 } },
    })
    app.lines.splice(0)
    await db.sql`update import_pieces set bytes = ${piece?.bytes ?? null}`
    expect((await operator.send('POST', `/internal/jobs/${id}/retry`)).status).toBe(200)
    await runJobs(app.context)
    expect(await poll(id)).toMatchObject({ status: 'completed', counts: { cards: { created: 3 } }, error: null })
    expect((await kept())?.pieces).toBe(0)
  })
  test('is swept where its upload never ended, and with its job; the poll answers 404 after 24 hours', async () => {
    const id = idOf(await send(aChecklist('Swept')))
    await runJobs(app.context)
    const orphan = crypto.randomUUID()
    await db.sql`
      insert into imports (id, name, publish, parallels, created_at) values (${orphan}, 'lost.csv', false, false, now())`
    await db.sql`insert into import_pieces (import_id, no, bytes) values (${orphan}, 0, 'x')`
    await sweep(5)
    expect((await kept())?.pieces).toBe(1)
    await sweep(7)
    expect((await kept())?.pieces).toBe(0)
    expect((await poll(id)).status).toBe('completed')
    clock.offsetSeconds = 24 * 3600 + 60
    expect((await operator.get(`${path}/${id}`)).status).toBe(404)
    await sweep(25)
    expect(await kept()).toEqual({ files: 0, pieces: 0 })
    clock.offsetSeconds = 0
  })
  test('that nobody knows is 404, and so is the job of something else', async () => {
    const other = crypto.randomUUID()
    await db.sql`insert into jobs (id, name, payload, max_attempts, run_at, created_at)
      values (${other}, 'job_sweep', '{}', 3, '2000-01-01', now())`
    for (const id of [other, crypto.randomUUID(), 'nothing'])
      expect((await operator.get(`${path}/${id}`)).status).toBe(404)
  })
})

const chunks = (text: string, times: number) =>
  new ReadableStream({
    start: (controller) => {
      for (let n = 0; n < times; n++) controller.enqueue(new TextEncoder().encode(text))
      controller.close()
    },
  })
