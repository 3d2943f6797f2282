import { afterAll, expect, test } from 'bun:test'
import { migrate } from '../../db/migrate.ts'
import { migrations } from '../../db/migrations/index.ts'
import { testDatabase } from '../support/database.ts'
import { loadDump, readDump } from './dump.ts'

const db = await testDatabase()
afterAll(() => db.close())

test('names and titles that an earlier release folded are found as this one folds them', async () => {
  await loadDump(db, readDump('1.0.0'))
  const before = migrations.findIndex(({ name }) => name === '0019_folding')
  await migrate(db, migrations.slice(0, before))
  const [player] = await db.sql<{ id: string }[]>`
    update players set name = 'Simon Kjær', aliases = 'Kjærgård' where id = (select min(id::text) from players)::uuid returning id`
  const [card] = await db.sql<{ id: string }[]>`
    update cards set title = 'Straßenfußball' where id = (select min(id::text) from cards where deleted_at is null)::uuid
    returning id`
  // As LibreOffice writes names that were read as Windows-1252.
  const beforeSigns = migrations.findIndex(({ name }) => name === '0033_private_signs')
  await migrate(db, migrations.slice(0, beforeSigns))
  const [signed] = await db.sql<{ id: string }[]>`
    update players set name = ${'Luka Don\u00c4\uf18di\u00c4\u2021'}, aliases = ${'Nikola Don\u00c4\uf18do'}
    where id = (select max(id::text) from players)::uuid returning id`
  await migrate(db)
  await db.sql`set enable_seqscan = off`
  const found = await db.sql<{ id: string }[]>`
    select id from players where folded collate "C" = 'simonkjaer' and audience >= 1
    union all select id from players where search_words(search_text(aliases)) @@ 'kjaergard'::tsquery and aliases is not null and audience >= 1
    union all select id from players where search_words(search_text(name)) @@ 'kjaer'::tsquery and audience >= 1
    union all select id from cards
      where search_words(search_text(title)) @@ 'strassenfussball'::tsquery and title is not null and deleted_at is null
    union all select id from players where folded collate "C" = 'lukadoncic' and audience >= 1
    union all select id from players where alias_folds(aliases) @> array['nikoladonco'] and aliases is not null and audience >= 1`
  const [one, other] = [player?.id, signed?.id]
  expect(found.map(({ id }) => id)).toEqual([one, one, one, card?.id, other, other] as string[])
})
