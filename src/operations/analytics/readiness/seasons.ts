import type { Queryable } from '../../../../db/client.ts'
import { lists } from '../../../catalog/model/counts.ts'
import { pipeline } from '../../../lib/workflow-steps.ts'
import type { Season } from './document.ts'

/**
 * The genres and seasons of the last years that have sets, by genre name, newest season first. No card is read, since a set's
 * counts are stored with it, and cards with an image have their own index.
 */
export const listSeasons = async (db: Queryable, now: Date, years: number): Promise<Season[]> => {
  const known = await db.sql<{ id: string; name: string }[]>`select id, name from years where audience >= 1`
  const ids = known.filter(({ name }) => isOfLast(years, name, now)).map(({ id }) => id)
  if (ids.length === 0) return []
  return db.sql<Season[]>`
    with imaged as (
      select set_id, count(*) as cards from cards where image_ids is not null and deleted_at is null group by set_id
    ), complete as (
      select set_id from set_todos
      where step = any(${[...pipeline]}::text[]) and status in ('completed', 'skipped')
      group by set_id having count(*) = ${pipeline.length}
    )
    select g.name as genre, g.id as genre_id, y.name as year, y.id as year_id, count(*)::int as sets,
      count(*) filter (where s.audience >= 2)::int as published_sets, sum(s.live_cards)::int as cards,
      coalesce(sum(i.cards), 0)::int as cards_with_image, count(x.id)::int as sets_with_sources,
      count(w.set_id)::int as workflows_complete
    from sets s
    join years y on y.id = s.year_id
    left join genres g on g.id = s.genre_id
    left join imaged i on i.set_id = s.id
    left join tallies x on x.list = ${lists.set_sources} and x.id = s.id and x.live > 0
    left join complete w on w.set_id = s.id
    where s.year_id = any(${ids}::uuid[]) and s.audience >= 1
    group by g.id, y.id
    order by g.name_key collate "C", g.id, y.name_key collate "C" desc, y.id`
}

/** A year or a season, whose second year may have two digits: 2026, 2025-26, 2025/2026. */
const form = /(?<!\d)(\d{4})(?:[-/–](\d{4}|\d{2}))?(?!\d)/

/** Whether the name of a year is one of the last calendar years (UTC), including this one. */
export const isOfLast = (years: number, name: string, now: Date): boolean => {
  const [, first, second = ''] = form.exec(name) ?? []
  if (!first) return false
  const begins = Number(first)
  const ends = second.length === 4 ? Number(second) : second === '' ? begins : endOf(begins, Number(second))
  const thisYear = now.getUTCFullYear()
  return begins <= thisYear && ends > thisYear - years
}

/** The second year of a season with two digits: 2026 for 2025-26, 2000 for 1999-00. */
const endOf = (begins: number, digits: number) => begins + ((digits - (begins % 100) + 100) % 100)
