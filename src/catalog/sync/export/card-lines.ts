import { arrayOf } from '../../../../db/arrays.ts'
import type { Queryable } from '../../../../db/client.ts'
import { recordColumns } from '../../model/record-columns.ts'
import type { Line } from './records.ts'

/** A card as read for its line. `grandparent_id` is its parent's parent. */
export type CardRow = Line & {
  id: string
  parent_id: string | null
  grandparent_id: string | null
  number_key: string
}

/** The columns to select for cards `c` with their sets `s` and parents `p`. */
export const cardColumns = [
  ...['c.id', 's.name as "set"', ...recordColumns.cards.map(({ name }) => `c.${name}`)],
  ...['p.parent_id as grandparent_id', 'c.number_key', 'c.deleted_at is not null as deleted'],
].join(', ')

type EntryRow = {
  card: string
  player: string | null
  player_id: string | null
  team: string | null
  team_id: string | null
}
type MarkRow = { card: string; id: string; code: string }
type IdentifierRow = { card: string; source: string; value: string }

/** The lines of cards, with their entries by position. */
export const cardLines = async ({ sql }: Queryable, cards: CardRow[]): Promise<Line[]> => {
  if (cards.length === 0) return []
  const ids = arrayOf(cards.map((card) => card.id))
  const entries = await sql<EntryRow[]>`
    select o.card_id as card, p.name as player, o.player_id, t.name as team, o.team_id
    from oncard o left join players p on p.id = o.player_id left join teams t on t.id = o.team_id
    where o.card_id = any(${ids}::uuid[]) order by o.card_id, o.position`
  const marks = await sql<MarkRow[]>`
    select m.card_id as card, a.id, a.attribute as code
    from card_attributes m join attributes a on a.id = m.attribute_id
    where m.card_id = any(${ids}::uuid[]) order by m.card_id, a.attribute collate "C"`
  const identifiers = await sql<IdentifierRow[]>`
    select i.object_id as card, i.source, i.value from identifiers i
    where i.object_id = any(${ids}::uuid[]) and i.object_type = 'cards' and i.deleted_at is null
    order by i.object_id, i.source collate "C", i.created_at, i.id`
  const identifiersOf = Map.groupBy(identifiers, (identifier) => identifier.card)
  const entriesOf = Map.groupBy(entries, (entry) => entry.card)
  const marksOf = Map.groupBy(marks, (mark) => mark.card)
  return cards.map((card) => ({
    ...line(card, entriesOf.get(card.id) ?? [], marksOf.get(card.id) ?? []),
    ...idColumns(identifiersOf.get(card.id) ?? []),
  }))
}

const line = (
  { grandparent_id: _, number_key: __, ...card }: CardRow,
  entries: EntryRow[],
  marks: MarkRow[],
): Line => ({
  type: 'cards',
  ...card,
  player: entries.map((entry) => entry.player),
  player_id: entries.map((entry) => entry.player_id),
  team: entries.map((entry) => entry.team),
  team_id: entries.map((entry) => entry.team_id),
  attributes: marks.map((mark) => mark.code),
  attribute_id: marks.map((mark) => mark.id),
})

/** A card's identifiers as columns `id:SOURCE`. A list if there are several, or if an import would read the text differently. */
const idColumns = (identifiers: IdentifierRow[]): Line =>
  Object.fromEntries(
    [...Map.groupBy(identifiers, ({ source }) => source)].map(([source, some]) => {
      const values = some.map(({ value }) => value)
      const [only = ''] = values
      return [`id:${source}`, values.length === 1 && only === only.trim() && !only.includes('|') ? only : values]
    }),
  )
