import type { Queryable, Transaction } from '../../db/client.ts'
import { ApiError } from '../jsonapi/errors.ts'

/** What a database that mirrors another service records of it. Times are texts in RFC 3339. */
export type Mirror = {
  /** The address of the service whose catalog is mirrored. */
  source: string
  /** The place in its feed that this catalog has reached; null until it was filled once. */
  cursor: string | null
  /** When the source was last seen to have nothing that is not here, in milliseconds; null until it was filled once. */
  currentAt: number | null
  lastAppliedAt: string | null
  /** Whether it is filled from bulk files, waits for files that it can be filled from, or follows the feed. */
  state: 'filling' | 'waiting' | 'following'
  /** Whether a process has its lease. */
  isFollowed: boolean
  /** What keeps it from its source, and since when; null if nothing does. */
  error: { message: string; since: string } | null
}

type Row = Omit<Mirror, 'error'> & { message: string | null; since: string }

/** The mark of a mirror; undefined if the catalog is the service's own. */
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

/** How far a mirror is behind its source, in whole seconds: newer changes may be missing here. Null until it was filled once. */
export const lagOf = ({ currentAt }: Mirror, now: Date): number | null =>
  currentAt === null ? null : Math.max(0, Math.round((now.getTime() - currentAt) / 1000))

/** Marks the database as a mirror of a source; an existing mark stays. */
export const markMirror = async ({ sql }: Transaction, source: string) => {
  await sql`insert into mirror (source) values (${source}) on conflict (one) do nothing`
}

/** Removes the mark: from then on the catalog is the service's own. Returns whether there was one. */
export const unmarkMirror = async (tx: Transaction): Promise<boolean> => {
  await tx.sql`delete from mirror_waiting`
  return (await tx.sql`delete from mirror`).count > 0
}

/** 403: the catalog belongs to another service, and only that one writes it. */
export const readOnlyMirror = () =>
  new ApiError(403, [
    {
      status: '403',
      code: 'READ_ONLY_MIRROR',
      title: 'Read-only mirror',
      detail:
        'The catalog here is a copy of another service: write it there. Accounts, credentials and limits are local.',
    },
  ])

/** Throws the refusal of a write if the database is marked, for writes of the catalog without a request. */
export const refuseOnMirror = async (db: Queryable) => {
  if (await findMirror(db)) throw readOnlyMirror()
}
