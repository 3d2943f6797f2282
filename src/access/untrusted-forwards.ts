import type { Database } from '../../db/client.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { isOpenAt } from './counted.ts'
import { countOn } from './limiter.ts'

const hourMilliseconds = 3_600_000
const keptSeconds = 86_400
const key = 'forwarded by '

/** Hears of each request with an `X-Forwarded-For` from a peer that isn't a trusted proxy. */
export type NoteForward = (peer: string) => void

/**
 * Warns of such requests, in at most one line an hour (decisions.md §19): behind a proxy that isn't named, all people count as
 * one address. The peer is kept for a day, like a rate window, so that `cardstock doctor` can name it.
 */
export const warnOfForwards = ({ db, clock, log }: { db: Database; clock: Clock; log: Log }): NoteForward => {
  let warnedAt = Number.NEGATIVE_INFINITY
  return (peer) => {
    const now = clock.now().getTime()
    if (now - warnedAt < hourMilliseconds) return
    warnedAt = now
    const message =
      'Requests came with X-Forwarded-For from a peer that is not in TRUSTED_PROXIES, so the header is ignored. If that is your proxy, add it. cardstock doctor shows its address.'
    log.warn('untrusted proxy', { message })
    // Only doctor needs it, and the next hour brings it again.
    countOn(db.gate, clock, `${key}${peer}`, { limit: 1, windowSeconds: keptSeconds }).catch(() => undefined)
  }
}

/** A peer that was noted within a day. */
export const findUntrustedForward = async (db: Database, { offsetSeconds }: Clock): Promise<string | undefined> => {
  const [row] = await db.sql<{ peer: string }[]>`
    with clock as (select (now() + make_interval(secs => ${offsetSeconds}::float8))::timestamptz(3) as at)
    select substr(w.key, ${key.length + 1}::int) as peer from rate_windows w cross join clock
    where starts_with(w.key, ${key}) and ${db.sql.unsafe(isOpenAt('clock.at'))} order by 1 limit 1`
  return row?.peer
}
