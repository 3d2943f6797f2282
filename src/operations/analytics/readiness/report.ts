import type { Database } from '../../../../db/client.ts'
import { withDeadline } from '../../../../db/deadline.ts'
import type { Report } from './document.ts'
import { listMonths } from './months.ts'
import { listSeasons } from './seasons.ts'

/** Reads the report on the last years and months. Throws DeadlinePassed. */
export const readReadiness = (
  db: Database,
  { years, months }: { years: number; months: number },
  { now, deadlineMilliseconds }: { now: Date; deadlineMilliseconds: number },
): Promise<Report> =>
  withDeadline(db, deadlineMilliseconds, async (tx) => ({
    generated_at: now.toISOString(),
    seasons: await listSeasons(tx, now, years),
    months: await listMonths(tx, now, months),
  }))
