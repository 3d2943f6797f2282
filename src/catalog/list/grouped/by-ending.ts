import type { Queryable } from '../../../../db/client.ts'
import { cards } from '../../model/resources/cards.ts'
import { readTexts } from '../../show/rows.ts'

/** A set, and the last eight digits of the ids of some of its cards. */
export type Endings = { set: string; cards: string[] }

/** The cards of sets whose ids end like these, as texts of their rows. Each set's cards are read once. */
export const readByEnding = (db: Queryable, asked: Endings[], level: number) =>
  readTexts(
    db,
    `select ${cards.columns(level)} from unnest($1::uuid[], $2::text[]) as asked (set_id, endings)
    join sets s on s.id = asked.set_id and s.audience >= ${level}
    join cards t on t.set_id = s.id and t.deleted_at is null
      and right(t.id::text, 8) = any(string_to_array(asked.endings, ','))
    order by s.name_key collate "C", s.id, t.number_key collate "C", t.id limit 1000`,
    [asked.map(({ set }) => set), asked.map((one) => one.cards.join())],
  )
