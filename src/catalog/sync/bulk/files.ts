import { arrayOf } from '../../../../db/arrays.ts'
import type { Queryable } from '../../../../db/client.ts'
import { idsOf } from '../../../../db/rows.ts'
import type { BulkFile } from './write.ts'

/** A file as it is listed. */
export type ListedFile = BulkFile & { id: string; feed_no: number; generated_at: string }

/** How many generations are kept: the newest is listed, the others are for downloads under way. */
const kept = 2

/** The newest file of every resource, by resource; none before the first are made. */
export const newestFiles = async ({ sql }: Queryable): Promise<ListedFile[]> =>
  sql<ListedFile[]>`
    select id, resource, count::float8, bytes::float8, sha256, feed_no::float8,
      to_char(generated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as generated_at
    from bulk_files
    where generation = (select generation from bulk_files order by generated_at desc, generation desc limit 1)
    order by resource collate "C"`

/** A file that is still kept, the newest of its resource or not. */
export const findFile = async (
  { sql }: Queryable,
  id: string,
): Promise<Pick<BulkFile, 'resource' | 'sha256'> | undefined> =>
  (await sql<Pick<BulkFile, 'resource' | 'sha256'>[]>`select resource, sha256 from bulk_files where id = ${id}`)[0]

/** Lists the files of a new generation, all at once. */
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

/** The ids of files to remove: those of all generations but the newest. */
export const oldFiles = ({ sql }: Queryable): Promise<string[]> =>
  idsOf(sql<{ id: string }[]>`
    select id from bulk_files where generation not in (
      select generation from bulk_files group by generation order by max(generated_at) desc, generation desc limit ${kept}
    )`)

/** All ids that are listed. */
export const listedIds = async ({ sql }: Queryable): Promise<Set<string>> =>
  new Set(await idsOf(sql<{ id: string }[]>`select id from bulk_files`))

/** Takes files off the list. */
export const forgetFiles = async ({ sql }: Queryable, ids: string[]) => {
  if (ids.length > 0) await sql`delete from bulk_files where id = any(${arrayOf(ids)}::text::uuid[])`
}
