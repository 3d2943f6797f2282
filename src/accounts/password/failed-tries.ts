import { arrayOf, arrayOfTexts } from '../../../db/arrays.ts'
import { isOpenAt } from '../../access/counted.ts'
import { countOn } from '../../access/limiter.ts'
import type { Context } from '../../context.ts'
import { tooManyRequests } from '../../jsonapi/errors.ts'
import type { Allowance } from '../../limits.ts'

/** A window that counts wrong passwords. */
export type Tries = { key: string; allowance: Allowance }

/** 429 if one of these windows has no try left. Counts nothing. */
export const requireTries = async ({ db, clock }: Context, tries: Tries[]) => {
  const [row] = await db.sql<{ seconds: number }[]>`
    with clock as (
      select (now() + make_interval(secs => ${clock.offsetSeconds}::float8))::timestamptz(3) as at
    )
    select greatest(1, ceil(extract(epoch from max(w.closes_at) - min(clock.at))))::int as seconds
    from unnest(
      ${arrayOfTexts(tries.map(({ key }) => key))}::text[],
      ${arrayOf(tries.map(({ allowance }) => allowance.limit))}::int[]
    ) as asked (key, most)
    join rate_windows w on w.key = asked.key and w.count >= asked.most
    cross join clock
    where ${db.sql.unsafe(isOpenAt('clock.at'))}
    having count(*) > 0`
  if (row) throw tooManyRequests(row.seconds)
}

/** Counts a wrong password on each of these windows. 429 if concurrent tries have used one up. */
export const countTry = async ({ db, clock }: Context, tries: Tries[]) => {
  let seconds = 0
  for (const { key, allowance } of tries) {
    const window = await countOn(db, clock, key, allowance)
    if (!window.isOpen) seconds = Math.max(seconds, window.waitSeconds)
  }
  if (seconds > 0) throw tooManyRequests(seconds)
}
