import { expect, test } from 'bun:test'
import { selectPeople } from '../../src/catalog/search/name-cache/rows.ts'
import { testDatabase } from '../support/database.ts'

const db = await testDatabase()

test('a few thousand names are read without the numbers of cards of everybody else', async () => {
  await db.transaction(async (tx) => {
    await tx.sql.unsafe(`
      create temp table players (like public.players including defaults including indexes) on commit drop;
      create temp table tallies (like public.tallies including defaults including indexes) on commit drop;
      insert into players (id, first_name, last_name, name, name_key, audience, created_at, updated_at)
        select md5(n::text)::uuid, 'player', n, 'player ' || n, 'player ' || n, 2, now(), now() from generate_series(1, 8000) n;
      insert into tallies (list, id, live) select 2, md5(n::text)::uuid, 1 from generate_series(1, 40000) n;
      analyze players; analyze tallies`)
    const some = '(select * from players where audience > 0 order by id limit 4000)'
    const rows = await tx.sql.unsafe<Record<string, string>[]>(`explain ${selectPeople('players', some)}`)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect([plan.includes('Seq Scan on tallies'), plan]).toEqual([false, plan])
  })
})
