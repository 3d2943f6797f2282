import { describe, expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { runJobs } from '../../../support/jobs.ts'

const app = await testApp()
const { db, operator } = app
const { sql } = db
const path = '/internal/imports'
const header = 'manufacturer,year,set,number,player,team,attributes,title\n'

type Kept = { type: string; id: string; field: string; kept: unknown; said: unknown; change: object | null }

const send = async (rows: string, query = '') => {
  const headers = { 'Content-Type': 'text/csv' }
  const { text } = await operator.send('POST', `${path}${query}`, { body: header + rows, headers })
  await runJobs(app.context)
  return JSON.parse((await operator.get(`${path}/${JSON.parse(text).job_id}`)).text)
}
const change = async (type: string, id: string, of: object) => {
  const { status, text } = await operator.patch(`/v2/${type}/${id}`, { data: { type, id, ...of } })
  expect({ status, text }).toMatchObject({ status: 200 })
}
const idOf = async (type: string, name: string) => {
  const column = type === 'attributes' ? 'attribute' : 'name'
  const [row] = await sql<{ id: string }[]>`
    select id from ${sql(type)} where ${sql(column)} = ${name} and deleted_at is null`
  return row?.id as string
}

describe('a field that was kept', () => {
  const rows = 'Topps,1990,Words,1,Ann Lee,Owls,RC,\nTopps,1990,Words,2,Bo Lee,Owls,,\n'

  test('shows what it refers to by name, and says which PATCH takes the value of the file', async () => {
    await send(`${rows}Fleer,1991,Elsewhere,1,Cy Lee,Elks,AU,\n`)
    const card = await idOf('cards', '1 Ann Lee RC')
    const set = await idOf('sets', 'Words')
    const cy = { type: 'players', id: await idOf('players', 'Cy Lee') }
    const au = { type: 'attributes', id: await idOf('attributes', 'AU') }
    await change('cards', card, { relationships: { oncard: { data: [cy] }, card_attributes: { data: [au] } } })
    await change('sets', set, { relationships: { manufacturer: { data: null } } })
    await change('players', await idOf('players', 'Bo Lee'), { attributes: { first_name: 'Robert' } })

    const report = await send(rows)
    const kept = report.kept as Kept[]
    expect(kept.map(({ type, field, kept, said }) => ({ type, field, kept, said }))).toEqual(
      expect.arrayContaining([
        { type: 'cards', field: 'oncard', kept: ['Cy Lee'], said: ['Ann Lee (Owls)'] },
        { type: 'cards', field: 'attributes', kept: ['AU'], said: ['RC'] },
        { type: 'sets', field: 'manufacturer_id', kept: null, said: 'Topps' },
        { type: 'players', field: 'name', kept: 'Robert Lee', said: 'Bo Lee' },
      ]),
    )
    for (const one of kept) await change(one.type, one.id, one.change ?? {})
    const [again] = await sql`
      select c.name, m.name as manufacturer
      from cards c join sets s on s.id = c.set_id join manufacturers m on m.id = s.manufacturer_id
      where c.id = ${card}`
    expect(again).toEqual({ name: '1 Ann Lee RC', manufacturer: 'Topps' })
    expect(await idOf('cards', '2 Bo Lee')).toBeString()
    expect((await send(rows)).counts.kept).toBe(0)
  })

  test('of a card that somebody deleted has no such PATCH', async () => {
    const id = await idOf('cards', '2 Bo Lee')
    expect((await operator.delete(`/v2/cards/${id}`)).status).toBe(204)
    expect((await send(rows)).kept).toEqual([expect.objectContaining({ id, field: 'deleted', change: null })])
  })
})

test('a dry run shows what a set would refer to by name', async () => {
  await send(',1994,Referring,1,Ann Lee,,,\nFleer,1994,Other,1,Di Lee,,,\n')
  const { changes } = await send('Fleer,1994,Referring,1,Ann Lee,,,\n', '?dry_run=true')
  expect(changes).toContainEqual(
    expect.objectContaining({ type: 'sets', before: { manufacturer_id: null }, after: { manufacturer_id: 'Fleer' } }),
  )
})

test('what a running import found after it was counted is listed with the next count', async () => {
  const { job_id: id } = await send('Topps,1992,Counted,1,Ann Lee,,,\nTopps,1992,,2,Nobody,,,\n')
  await sql`
    insert into import_findings (import_id, kind, no, finding)
    values (${id}, 'left', 0, ${JSON.stringify({ type: 'cards', id, name: 'Uncounted', reason: 'Since then.' })}::text::json)`
  const report = JSON.parse((await operator.get(`${path}/${id}`)).text)
  expect(report).toMatchObject({ left: [], counts: { left: 0, bad_rows: 1 } })
  expect(report.bad_rows).toHaveLength(1)
})
