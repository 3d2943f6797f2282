import type { Database } from '../../../../db/client.ts'
import { withDeadline } from '../../../../db/deadline.ts'
import { listMonths, type Month } from './months.ts'
import { listSeasons, type Season } from './seasons.ts'

/** How ready the catalog is to sell: the progress of each genre and season, and what was published month by month. */
export type Report = { generated_at: string; seasons: Season[]; months: Month[] }

/** Reads the report of the last so many years and months; throws DeadlinePassed. */
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
