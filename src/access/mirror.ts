import type { Queryable, Transaction } from '../../db/client.ts'
import { ApiError } from '../jsonapi/errors.ts'

/** What a mirror's database records about its source. Times are RFC 3339 texts. */
export type Mirror = {
  /** The URL of the service whose catalog is mirrored. */
  source: string
  /** The position in the source's feed that this catalog has reached. Null until it was filled once. */
  cursor: string | null
  /**
   * When this catalog was last known to have everything that its source had, in milliseconds. Null until it was filled once.
   */
  currentAt: number | null
  lastAppliedAt: string | null
  /** Whether it is being filled from bulk files, waits for files to fill from, or follows the feed. */
  state: 'filling' | 'waiting' | 'following'
  /** Whether a process holds its lease. */
  isFollowed: boolean
  /** What keeps it from reading its source, and since when. Null if nothing does. */
  error: { message: string; since: string } | null
}

type Row = Omit<Mirror, 'error'> & { message: string | null; since: string }

/** The mark of a mirror. Undefined if the catalog is the service's own. */
export const findMirror = async ({ sql }: Queryable): Promise<Mirror | undefined> => {
  const [row] = await sql<Row[]>`
    select source, cursor, extract(epoch from current_at)::float8 * 1000 as "currentAt",
      holder is not null and held_until > clock_timestamp() as "isFollowed",
      case when not is_filling then 'following' when files is null then 'waiting' else 'filling' end as state, fault as message,
      to_char(last_applied_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastAppliedAt",
      to_char(fault_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as since
    from mirror`
  if (!row) return undefined
  const { message, since, ...mirror } = row
  return { ...mirror, error: message === null ? null : { message, since } }
}

/** How far a mirror lags behind its source, in whole seconds. Null until it was filled once. */
export const lagOf = ({ currentAt }: Mirror, now: Date): number | null =>
  currentAt === null ? null : Math.max(0, Math.round((now.getTime() - currentAt) / 1000))

/** Marks the database as a mirror of a source. An existing mark stays. */
export const markMirror = async ({ sql }: Transaction, source: string) => {
  await sql`insert into mirror (source) values (${source}) on conflict (one) do nothing`
}

/** Removes the mark, which makes the catalog the service's own. Returns whether there was one. */
export const unmarkMirror = async (tx: Transaction): Promise<boolean> => {
  await tx.sql`delete from mirror_waiting`
  return (await tx.sql`delete from mirror`).count > 0
}

/** 403: the catalog belongs to another service, and only that service writes it. */
export const readOnlyMirror = () =>
  new ApiError(403, [
    {
      status: '403',
      code: 'READ_ONLY_MIRROR',
      title: 'Read-only mirror',
      detail:
        'This catalog mirrors another service and is read-only here. Make the change there. Accounts, credentials and limits are local.',
    },
  ])

/** Refuses to write the catalog if the database is a mirror, for writes that come without a request. */
export const refuseOnMirror = async (db: Queryable) => {
  if (await findMirror(db)) throw readOnlyMirror()
}
