import { expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { runJobs } from '../../../support/jobs.ts'

const app = await testApp()
const { db, operator } = app
const path = '/internal/imports'
const read = async (address: string) => JSON.parse((await operator.get(address.replace(app.baseUrl, ''))).text)

const send = async (rows: string, query = '') => {
  const headers = { 'Content-Type': 'text/csv' }
  const { text } = await operator.send('POST', `${path}${query}`, { body: rows, headers })
  await runJobs(app.context)
  return read(`${path}/${JSON.parse(text).job_id}`)
}

/** All pages of a list, from its address on. */
const pagesOf = async (address: string) => {
  const pages: { data: Record<string, unknown>[]; links: { next: string | null }; meta: { total: number } }[] = []
  for (let next: string | null = address; next; next = pages.at(-1)?.links.next ?? null) pages.push(await read(next))
  return pages
}

const many = 2345
const numbers = Array.from({ length: many }, (_, at) => at + 1)
const report = await send(
  `set,year,number,player\n${numbers.map((n) => `Long,1990,${n},Ann Lee`).join('\n')}\n,,1,\n,,2,\n`,
  '?dry_run=true',
)

test('the report of a job shows the first thousand of each list, and links to all of it', async () => {
  expect(report.counts.changes).toBeGreaterThanOrEqual(many)
  expect([report.changes.length, report.bad_rows.length]).toEqual([1000, report.counts.bad_rows])
  const pages = await pagesOf(report.links.changes)
  const all = pages.flatMap(({ data }) => data)
  expect(pages.map(({ data }) => data.length)).toEqual([1000, 1000, report.counts.changes - 2000])
  expect(all.slice(0, 1000)).toEqual(report.changes)
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  expect(pages.every(({ meta }) => meta.total === report.counts.changes)).toBe(true)
  expect((await pagesOf(report.links.bad_rows))[0]?.data).toEqual(report.bad_rows)
})

test('a list that is empty has one page, and a cursor is one from a page', async () => {
  expect(await pagesOf(report.links.left)).toEqual([{ data: [], links: { next: null }, meta: { total: 0 } }])
  const { pathname } = new URL(report.links.kept)
  for (const cursor of ['x', '-1', '']) {
    const { status, faults } = await operator.get(`${pathname}?page[after]=${cursor}`)
    expect([cursor, status, faults]).toEqual([cursor, 400, ['INVALID_PARAMETER page[after]']])
  }
  expect((await operator.get(`${pathname}?page[size]=5`)).status).toBe(400)
  expect((await operator.get(`${path}/${crypto.randomUUID()}/kept`)).status).toBe(404)
  expect((await read(`${pathname}?page[after]=999999999`)).data).toEqual([])
})

test('no report or page of it is above 16 MB, however long its entries are, and none is lost', async () => {
  const long = 'x'.repeat(30_000)
  await db.sql`
    update import_findings set finding = json_build_object('type', 'cards', 'id', import_id, 'name', no::text, 'before', null,
      'after', json_build_object('notes', ${long}::text))
    where import_id = ${report.job_id} and kind = 'changes'`
  const again = await operator.get(`${path}/${report.job_id}`)
  expect(Buffer.byteLength(again.text)).toBeLessThan(16 * 1024 * 1024)
  const shown = JSON.parse(again.text).changes.length
  expect(shown).toBeWithin(10, 1000)
  const pages = await pagesOf(report.links.changes)
  for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(16 * 1024 * 1024)
  expect(pages.flatMap(({ data }) => data.map(({ name }) => Number(name)))).toEqual(
    Array.from({ length: report.counts.changes }, (_, no) => no),
  )
})
