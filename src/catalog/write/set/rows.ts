import type { Transaction } from '../../../../db/client.ts'
import { audienceOfSet } from './record.ts'
import type { SetChange } from './sets.ts'

/**
 * Writes the rows of sets: new ones in the order of the call, each with the next place in checklist order, or with the one
 * that it has where it comes from.
 */
export const writeSetRows = async (tx: Transaction, changes: SetChange[], now: Date, places?: Map<string, number>) => {
  const created = changes.filter((change) => !change.before)
  const updated = changes.filter((change) => change.before)
  if (created.length > 0) {
    const placeOf = places ? await keepPlaces(tx, created, places) : await takePlaces(tx, created.length)
    await tx.sql.unsafe(
      `insert into sets (id, no, name, description, status, kind, release_date, genre_id, year_id, year_key, brand_id,
         manufacturer_id, parent_id, audience, created_at, updated_at, deleted_at)
       select n.id, n.no, n.name, n.description, n.status, n.kind, n.release_date::date, n.genre_id, n.year_id, y.name_key,
         n.brand_id, n.manufacturer_id, n.parent_id, n.audience, $1::timestamptz, $1::timestamptz,
         case when n.audience = 0 then $1::timestamptz end
       from ${fromColumns} left join years y on y.id = n.year_id
       order by n.no`,
      [now.toISOString(), ...columns(created, placeOf)],
      { prepare: true },
    )
  }
  if (updated.length > 0)
    await tx.sql.unsafe(
      `update sets s set name = n.name, description = n.description, status = n.status, kind = n.kind,
         release_date = n.release_date::date, genre_id = n.genre_id, year_id = n.year_id,
         year_key = (select y.name_key from years y where y.id = n.year_id), brand_id = n.brand_id,
         manufacturer_id = n.manufacturer_id, parent_id = n.parent_id, audience = n.audience,
         version = s.version + 1, updated_at = $1::timestamptz,
         deleted_at = case when n.audience = 0 then coalesce(s.deleted_at, $1::timestamptz) end
       from ${fromColumns}
       where s.id = n.id`,
      [now.toISOString(), ...columns(updated, (index) => updated[index]?.before?.no ?? 0)],
      { prepare: true },
    )
}

const takePlaces = async (tx: Transaction, places: number) => {
  const [row] = await tx.sql<{ value: string }[]>`
    insert into counters as c (name, value) values ('sets.no', ${places})
    on conflict (name) do update set value = c.value + excluded.value
    returning value`
  const first = Number(row?.value) - places + 1
  return (index: number) => first + index
}

/** Places that were given elsewhere are taken here, too: a set that is made later comes behind them. */
const keepPlaces = async (tx: Transaction, created: SetChange[], places: Map<string, number>) => {
  const taken = created.map(({ id }) => places.get(id) ?? 0)
  await tx.sql`
    insert into counters as c (name, value) values ('sets.no', ${Math.max(...taken)})
    on conflict (name) do update set value = greatest(c.value, excluded.value)`
  return (index: number) => taken[index] ?? 0
}

const columns = (changes: SetChange[], noOf: (index: number) => number) => [
  changes.map((change) => change.id),
  changes.map((_, index) => noOf(index)),
  changes.map(({ after }) => after.name),
  changes.map(({ after }) => after.description),
  changes.map(({ after }) => after.status),
  changes.map(({ after }) => after.kind),
  changes.map(({ after }) => after.releaseDate),
  changes.map(({ after }) => after.genreId),
  changes.map(({ after }) => after.yearId),
  changes.map(({ after }) => after.brandId),
  changes.map(({ after }) => after.manufacturerId),
  changes.map(({ after }) => after.parentId),
  changes.map(({ after }) => audienceOfSet(after)),
]

const fromColumns = `
  unnest($2::uuid[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::uuid[], $10::uuid[],
    $11::uuid[], $12::uuid[], $13::uuid[], $14::smallint[])
  as n (id, no, name, description, status, kind, release_date, genre_id, year_id, brand_id, manufacturer_id,
    parent_id, audience)`
