import type { Queryable } from '../../../../db/client.ts'
import { cards } from '../../model/resources/cards.ts'
import { readTexts, rowsAsText, splitRows } from '../../show/rows.ts'

/** A card's place in its checklist. */
type PlaceOfCard = { id: string; setId: string }

/** The cards before and after one in its set's checklist, as texts of their rows. */
export const readNeighbors = async ({ sql }: Queryable, { id, setId }: PlaceOfCard, level: number) => {
  const one = (beyond: '<' | '>', direction: 'asc' | 'desc') => `(
    select ${rowsAsText} from (
      select ${cards.columns(level)} from cards t, here
      where t.set_id = $2 and t.deleted_at is null and (t.number_key collate "C", t.id) ${beyond} (here.number_key, here.id)
      order by t.number_key collate "C" ${direction}, t.id ${direction} limit 1
    ) r
  )`
  const [found] = await sql.unsafe<{ before: string | null; after: string | null }[]>(
    `with here as (select number_key collate "C" as number_key, id from cards where id = $1)
    select ${one('<', 'desc')} as before, ${one('>', 'asc')} as after`,
    [id, setId],
    { prepare: true },
  )
  return { before: splitRows(found?.before)[0], after: splitRows(found?.after)[0] }
}

/** The most parallels of a card that are shown. */
const mostParallels = 500

/**
 * A card and its parallels: cards made from it or from its parent, its parent, and cards with its number in `setIds` (its set and the
 * parallels of that). Returns the texts of their rows.
 */
export const readRainbow = (db: Queryable, id: string, setIds: string[], level: number) =>
  readTexts(
    db,
    `with here as (select t.id, t.number, t.number_key, t.parent_id from cards t where t.id = $1),
    same as (
      select t.id from here join cards t on t.set_id = any($2::uuid[]) and t.number_key collate "C" = here.number_key
        and t.number = here.number and t.deleted_at is null
      union
      select t.id from here join cards t on t.parent_id in (here.id, here.parent_id) and t.deleted_at is null
      union
      select parent_id from here where parent_id is not null
      union
      select id from here
    )
    select ${cards.columns(level)} from same join cards t on t.id = same.id join sets s on s.id = t.set_id
    where s.audience >= ${level} and t.deleted_at is null
    order by s.kind <> 'base', s.live_cards desc, s.name_key collate "C", t.id limit ${mostParallels}`,
    [id, setIds],
  )
