import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testApp } from '../support/app.ts'
import { runningCommands } from './running.ts'

const app = await testApp()
const { sql } = app.db
const folder = mkdtempSync(join(tmpdir(), 'cardstock-refused-'))
afterAll(() => rmSync(folder, { recursive: true }))
const refused = join(folder, 'refused.csv')

const importText = async (text: string, ...flags: string[]) =>
  JSON.parse((await runningCommands(app.context, text)('import', '-', '--json', ...flags)).out)
const bytesOf = async () => new Uint8Array(await Bun.file(refused).arrayBuffer())
const textOf = async () => new TextDecoder('utf-8', { ignoreBOM: true }).decode(await bytesOf())

test('the refused rows begin with a mark for Excel, and need no map again', async () => {
  const map = ['--map', 'Crd Nmbr=number', '--map', 'Who=player']
  const text = 'set,Crd Nmbr,Who\nMarked,1,Ann Lee\n,2,Bo Lee\n'
  expect((await importText(text, ...map, '--refused', refused)).faultCount).toBe(1)
  expect(await textOf()).toBe('\ufeffset,number,player,refused_because\r\n,2,Bo Lee,the row names no set\r\n')
  const mended = (await textOf()).replace('\n,2', '\nMarked,2')
  expect(await importText(mended)).toMatchObject({ faultCount: 0, cards: { created: 1 }, notes: {} })
})

test('cells that a spreadsheet would read as formulas are guarded, and an import takes the guard off', async () => {
  const titles = ['=1+1', '+5', '-3', '@home', "'=quoted", 'plain']
  const rows = titles.map((title, at) => `,${at + 1},"${title}"`)
  await importText(`set,number,title\n${rows.join('\n')}\n`, '--refused', refused)
  const text = await textOf()
  for (const guarded of ["'=1+1", "'+5", "'-3", "'@home", 'plain']) expect(text).toContain(`,${guarded},`)
  await importText(text.replaceAll('\n,', '\nGuarded,'))
  const cards = await sql`
    select c.title from cards c join sets s on s.id = c.set_id where s.name = 'Guarded' order by c.number_key`
  expect(cards.map(({ title }) => title)).toEqual(['=1+1', '+5', '-3', '@home', '=quoted', 'plain'])
})

test('every refused row is there, also beyond those that the report lists, and what has no cells by its place', async () => {
  const rows = Array.from({ length: 1234 }, (_, at) => `,${at},Ann Lee`)
  const report = await importText(`set,number,player\n${rows.join('\n')}\n`, '--refused', refused)
  expect([report.faultCount, report.faults.length]).toEqual([1234, 1000])
  expect((await textOf()).split('\r\n')).toHaveLength(1236)
  await importText(JSON.stringify({ name: '1990 Bad', sets: [{ name: 'Base', cards: [7] }] }), '--refused', refused)
  expect(await textOf()).toMatch(/refused_because\r\n.*not an object/)
})
