import type { Database } from '../../db/client.ts'

/** The middle of some figures. */
export const median = (figures: number[]): number => {
  const sorted = figures.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Moves the catalog to another state, as a write does: nothing that was answered before is answered again. */
export const moveOn = async ({ sql }: Database) => {
  await sql`
    with moved as (update feed set last = last + 1 returning last)
    insert into changes (id, no, type, ids, audience_before, audience_after, changed_at)
    select gen_random_uuid(), last, 'object-attributes', '{}', 0, 0, now() from moved`
}
