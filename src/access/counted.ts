/** A window in the database after counting some requests, and when that was. Times are in Unix seconds. */
export type Counted = { key: string; limit: number; count: string; at: number; closes_at: number }

/** The conflict clause of an insert into `rate_windows as w`: adds to an open window, or reopens a closed one. */
export const countOnWindow = `on conflict (key) do update set
  count = case when w.closes_at <= excluded.opened_at then excluded.count else w.count + excluded.count end,
  opened_at = case when w.closes_at <= excluded.opened_at then excluded.opened_at else w.opened_at end,
  closes_at = case when w.closes_at <= excluded.opened_at then excluded.closes_at else w.closes_at end`
