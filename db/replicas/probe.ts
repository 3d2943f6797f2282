import type postgres from 'postgres'
import { type Mark, type PrimaryState, positionColumns } from './position.ts'

/** Which database this is: its cluster, and its name there. */
const whichDatabase = `(select system_identifier from pg_control_system()) || '/' || current_database()`

/** The primary's database, and how far it is. */
export type Primary = { database: string } & PrimaryState

/** Reads what replicas are compared with. */
export const readPrimary = async ({ unsafe }: Pick<postgres.ISql, 'unsafe'>): Promise<Primary> => {
  const [primary] = await unsafe<[Primary]>(
    `select ${whichDatabase} as database, null as catalog_state, ${positionColumns}`,
  )
  return primary
}

/** What a server says of itself. `started` tells whether another one took its place. */
export type Seen = {
  is_standby: boolean
  database: string
  timeline: string
  started: string
  replayed: string
  has_reached: boolean
  feedback: string
}

/** A standby's control file names the timeline of its last checkpoint, which a switch may be later than. */
const seenText = `
  select pg_is_in_recovery() as is_standby, ${whichDatabase} as database,
    upper(lpad(to_hex(greatest(c.timeline_id, (select received_tli from pg_stat_wal_receiver))), 8, '0')) as timeline,
    pg_postmaster_start_time()::text as started, coalesce(pg_last_wal_replay_lsn(), '0/0')::text as replayed,
    coalesce(pg_last_wal_replay_lsn() >= $1::text::pg_lsn, false) as has_reached,
    current_setting('hot_standby_feedback') as feedback
  from pg_control_checkpoint() c`

/** Asks a server what it is. */
export const readSeen = async ({ unsafe }: Pick<postgres.ISql, 'unsafe'>, { needed }: Mark): Promise<Seen> => {
  const [seen] = await unsafe<[Seen]>(seenText, [needed.lsn], { texts: true })
  return seen
}

/** Why a server can't be a replica of the primary, or undefined. */
export const findForeign = (seen: Seen, database: string, { needed }: Mark): string | undefined => {
  if (seen.database !== database) return 'it is another database than DATABASE_URL, or of another cluster'
  if (!seen.is_standby) return 'it is a primary, not a standby'
  if (seen.timeline !== needed.timeline)
    return `it follows timeline ${seen.timeline}, and the primary is on ${needed.timeline}`
  return undefined
}
