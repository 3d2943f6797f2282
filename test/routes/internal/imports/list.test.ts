import { describe, expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { runJobs } from '../../../support/jobs.ts'
import { flat } from '../../../support/people.ts'

const app = await testApp()
const { operator, clock } = app
const path = '/internal/imports'
const checklist = 'genre,year,set,number,player\nBaseball,1990,Listed,1,Ken Griffey\n'

const send = async (way: string, file?: string) => {
  const headers = { 'Content-Type': 'text/csv', 'Content-Disposition': `attachment; filename="${file}"` }
  const { text } = await operator.send('POST', `${path}${way}`, file ? { body: checklist, headers } : {})
  await runJobs(app.context)
  return (JSON.parse(text) as { job_id: string }).job_id
}
type Listed = { id: string; attributes: Record<string, unknown>; meta: { agent_name: string | null } }
const list = async (query = '') =>
  (await flat(operator, 'GET', `${path}${query}`)).flat as { data: Listed[]; meta: { total: number } }

describe('GET /internal/imports', () => {
  test('lists files, what each did and who sent it, the newest first, and which was undone', async () => {
    const dry = await send('?dry_run=true', 'nineties.csv')
    const applied = await send(`/${dry}/apply`)
    const other = await send('', 'other.csv')
    const undo = await send(`/${applied}/undo`)
    const { data, meta } = await list()
    expect(meta.total).toBe(4)
    expect(data.map(({ id }) => id)).toEqual([undo, other, applied, dry])
    const report = { has_report: true, status: 'completed' }
    expect(data.map(({ attributes }) => attributes)).toMatchObject([
      { ...report, file: 'nineties.csv', undoes: applied, can_be_undone: false },
      { ...report, file: 'other.csv', can_be_undone: true, undone: false },
      { ...report, file: 'nineties.csv', applies: dry, can_be_undone: true, undone: true },
      { ...report, file: 'nineties.csv', dry_run: true, can_be_undone: false, undone: false },
    ])
    expect(data[1]?.meta.agent_name).toEqual(expect.any(String))
  })

  test('has pages, and keeps what can be undone when its report is gone', async () => {
    const { data } = await list('?page=2&per_page=3')
    expect(data).toHaveLength(1)
    clock.offsetSeconds += 25 * 3600
    const later = await list()
    expect(later.data.map(({ attributes }) => attributes)).toMatchObject([
      { file: 'other.csv', has_report: false, can_be_undone: true, undone: false },
      { file: 'nineties.csv', has_report: false, undone: true },
    ])
    clock.offsetSeconds += 30 * 24 * 3600
    expect(await list()).toMatchObject({ data: [], meta: { total: 0 } })
  })
})
