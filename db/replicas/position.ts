/** A place in the primary's write-ahead log: how far, and in which of its histories (the timeline). */
export type Position = { lsn: string; timeline: string }

/**
 * What the gate's statement says of the primary: how many changes of the catalog were committed, and how far its log is on disk.
 * The same number means the same catalog. Null if too many are pending.
 */
export type PrimaryState = { catalog_state: string | null; flushed: string; timeline: string }

/** The columns for it, without the catalog's state. What the statement's snapshot sees was committed, and so on disk before. */
export const positionColumns =
  'pg_current_wal_flush_lsn()::text as flushed, substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8) as timeline'

/** A position as a number, to compare it. */
export const numberOf = (lsn: string): number => {
  const [high = '0', low = '0'] = lsn.split('/')
  return Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16)
}

/** How far a replica must be for the catalog's last change, and how far the primary is. */
export type Mark = { needed: Position; flushed: string }

/**
 * The next mark, from what the primary said last. Counting requests writes the log all the time, but what is needed only moves
 * with the catalog's state: a log that was on disk when the process first saw that state has all its changes.
 */
export const nextMark = (
  last: (Mark & { state: string | null }) | undefined,
  { catalog_state: state, flushed, timeline }: PrimaryState,
): Mark & { state: string | null } => {
  const isSame =
    last !== undefined &&
    state !== null &&
    last.state === state &&
    last.needed.timeline === timeline &&
    numberOf(last.needed.lsn) <= numberOf(flushed)
  return { state, needed: isSame ? last.needed : { lsn: flushed, timeline }, flushed }
}
