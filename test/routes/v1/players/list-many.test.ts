import { expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'

const app = await testApp()
// "Al Zo00001" to "Al Zo10001" and "Bo Za00001" to "Bo Za10000"; the order of the ids is not that of the names.
await app.db.sql`
  insert into players (id, first_name, last_name, name, audience, created_at, updated_at)
  select gen_random_uuid(), first_name, last_name, first_name || ' ' || last_name, 1, now(), now()
  from (
    select 'Al', 'Zo' || lpad(n::text, 5, '0') from generate_series(1, 10001) n
    union all select 'Bo', 'Za' || lpad(n::text, 5, '0') from generate_series(1, 10000) n
  ) names (first_name, last_name)`
await app.db.sql`insert into tallies (list, id, live) values (15, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 20001)`

const names = (first: string, last: string, most: number) =>
  Array.from({ length: most }, (_, at) => `${first} ${last}${String(at + 1).padStart(5, '0')}`)
const [als, bos] = [names('Al', 'Zo', 10001), names('Bo', 'Za', 10000)]

test.each([
  ['full_name]=like:l', als],
  ['full_name]=like:zo0', als.filter((name) => name.includes('Zo0'))],
  ['full_name]=like:a z', [...als, ...bos]],
  ['last_name]=like:z', [...als, ...bos]],
  ['last_name]=like:ZO', als],
  ['first_name]=like:al', als],
  ['first_name]=like:b', bos],
  ['last_name]=like:zo1', als.slice(9999)],
  ['first_name]=like:a&filter[last_name]=like:zo01', als.slice(999, 1999)],
])('many players with a part of a name are listed as few are: filter[%s', async (filter, wanted) => {
  const last = Math.ceil(wanted.length / 100)
  for (const page of new Set([1, 2, Math.ceil(last / 2), last - 1, last, last + 1].filter((page) => page > 0))) {
    const { status, many, meta } = await app.draftReader.get(`/v1/players?filter[${filter}&per_page=100&page=${page}`)
    expect([page, status, meta.total]).toEqual([page, 200, wanted.length])
    expect(many.map(({ attributes }) => attributes.name)).toEqual(wanted.slice(100 * page - 100, 100 * page))
  }
})
