import { lt } from 'drizzle-orm'
import type { Queryable } from '../../db/client.ts'
import { usageDays } from '../../db/schema/index.ts'
import { sweep } from '../../db/sweep.ts'
import { dayOf, secondsAfter } from '../lib/clock.ts'
import { lifetimes } from '../limits.ts'

/** How many days of usage are kept besides today. Together they are the 31 that a report may span (interface.md, Limits). */
export const usageKeptDays = lifetimes.usage.seconds / 86_400

/** Removes the usage of days that no report can reach. */
export const sweepUsage = (db: Queryable, now: Date, signal: AbortSignal) =>
  sweep(db, usageDays, lt(usageDays.day, dayOf(secondsAfter(now, -lifetimes.usage.seconds))), { signal })
