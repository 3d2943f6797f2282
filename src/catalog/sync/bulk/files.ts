import { arrayOf } from '../../../../db/arrays.ts'
import type { Queryable } from '../../../../db/client.ts'
import { idsOf } from '../../../../db/rows.ts'
import { Audience } from '../../../lib/audience.ts'
import { resourcesInV2 } from '../../model/v2.ts'
import { mergesFile } from './merges.ts'
import type { BulkFile } from './write.ts'

/** A file of the newest generation. If records of it were unpublished or deleted since, it `is_withdrawn`, and is not listed. */
export type ListedFile = BulkFile & {
  id: string
  generation: string
  feed_no: number
  generated_at: string
  is_withdrawn: boolean
}

/** How many generations are kept. Only the newest is listed; older ones are for downloads in progress. */
const kept = 2

/**
 * Whether records of a file `f` were hidden from readers of published data, or deleted, since it was written: the feed says so, from
 * the transaction that did it on. Merged ids are records of the file `merges`, and lead to all other types.
 */
const isWithdrawn = (() => {
  const types = `array[${resourcesInV2.map(({ type }) => `'${type}'`).join(', ')}]`
  const since = (place: string) => `exists (
    select 1 from changes c
    where c.audience_before = ${Audience.published} and c.audience_after < ${Audience.published} and ${place}
      and c.type = any(case when f.resource = '${mergesFile}' then ${types} else array[f.resource] end)
  )`
  return `(f.count > 0 and (${since('c.no >= f.feed_no')} or ${since('c.no is null')}))`
})()

/** The newest file of every resource, in order of resource. Empty before the first generation. */
export const newestFiles = async ({ sql }: Queryable): Promise<ListedFile[]> =>
  sql<ListedFile[]>`
    select id, generation, resource, count::float8, bytes::float8, sha256, feed_no::float8,
      to_char(generated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as generated_at,
      ${sql.unsafe(isWithdrawn)} as is_withdrawn
    from bulk_files f
    where generation = (select generation from bulk_files order by generated_at desc, generation desc limit 1)
    order by resource collate "C"`

type KeptFile = Pick<ListedFile, 'resource' | 'sha256' | 'is_withdrawn'>

/** A file that is still kept, even if it isn't the newest. */
export const findFile = async ({ sql }: Queryable, id: string): Promise<KeptFile | undefined> =>
  (
    await sql<KeptFile[]>`
      select resource, sha256, ${sql.unsafe(isWithdrawn)} as is_withdrawn from bulk_files f where id = ${id}`
  )[0]

/** The ids of all kept files that have records which aren't published anymore. */
export const withdrawnIds = ({ sql }: Queryable): Promise<string[]> =>
  idsOf(sql<{ id: string }[]>`select id from bulk_files f where ${sql.unsafe(isWithdrawn)}`)

/** Adds all files of a new generation to the list at once. */
export const listFiles = async (
  { sql }: Queryable,
  files: (BulkFile & { id: string })[],
  { generation, feedNo, now }: { generation: string; feedNo: number; now: Date },
) => {
  await sql`
    insert into bulk_files (id, generation, resource, count, bytes, sha256, feed_no, generated_at)
    select id, ${generation}::uuid, resource, count, bytes, sha256, ${feedNo}::bigint, ${now.toISOString()}::timestamptz
    from unnest(
      ${arrayOf(files.map(({ id }) => id))}::text::uuid[], ${arrayOf(files.map(({ resource }) => resource))}::text::text[],
      ${arrayOf(files.map(({ count }) => count))}::text::bigint[], ${arrayOf(files.map(({ bytes }) => bytes))}::text::bigint[],
      ${arrayOf(files.map(({ sha256 }) => sha256))}::text::text[]
    ) as f (id, resource, count, bytes, sha256)`
}

/** The ids of files to remove, from generations that aren't kept anymore. */
export const oldFiles = ({ sql }: Queryable): Promise<string[]> =>
  idsOf(sql<{ id: string }[]>`
    select id from bulk_files where generation not in (
      select generation from bulk_files group by generation order by max(generated_at) desc, generation desc limit ${kept}
    )`)

/** The ids of all files that are kept. */
export const listedIds = async ({ sql }: Queryable): Promise<Set<string>> =>
  new Set(await idsOf(sql<{ id: string }[]>`select id from bulk_files`))

/** Removes files from the list. */
export const forgetFiles = async ({ sql }: Queryable, ids: string[]) => {
  if (ids.length > 0) await sql`delete from bulk_files where id = any(${arrayOf(ids)}::text::uuid[])`
}
