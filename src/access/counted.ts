/** A window in the database after counting some requests, and when that was. Times are in Unix seconds. */
export type Counted = {
  key: string
  limit: number
  window_seconds: number
  count: string
  at: number
  closes_at: number
}

/**
 * When the window `w` closes for somebody whose windows now last this long, in SQL: a shorter agreement also shortens the open
 * window. A length that is null doesn't.
 */
export const closing = (length: string) => `least(w.closes_at, w.opened_at + ${length})`

/**
 * Whether the window `w` is open at a time, in SQL. One that opened later isn't, unless by the little that concurrent
 * transactions differ: the clock was set back since.
 */
export const isOpenAt = (at: string, closesAt = 'w.closes_at') =>
  `(${closesAt} > ${at} and w.opened_at <= ${at} + interval '1 minute')`

/** A row that counts nothing has no length. */
const closesAt = closing(`nullif(excluded.closes_at - excluded.opened_at, interval '0')`)
const ifOpen = (open: string, closed: string) =>
  `case when ${isOpenAt('excluded.opened_at', closesAt)} then ${open} else ${closed} end`

/** The conflict clause of an insert into `rate_windows as w`: adds to an open window, or reopens a closed one. */
export const countOnWindow = `on conflict (key) do update set
  count = ${ifOpen('w.count + excluded.count', 'excluded.count')},
  opened_at = ${ifOpen('w.opened_at', 'excluded.opened_at')},
  closes_at = ${ifOpen(closesAt, 'excluded.closes_at')}`
