import type { Queryable } from '../../../../db/client.ts'
import type { RecordType } from '../../import/read/item.ts'

/** A line of an export: members are the import's columns. */
export type Line = Record<string, unknown>

type Source = { type: RecordType; from: string; columns: string }

const named = (type: RecordType): Source => ({ type, from: `${type} e`, columns: 'e.name, e.description' })

/** What stands before the sets, each type after those that it refers to. */
export const vocabulary: Source[] = [
  { type: 'attributes', from: 'attributes e', columns: 'e.attribute, e.name, e.description, e.color' },
  { type: 'years', from: 'years e', columns: 'e.name' },
  named('genres'),
  named('manufacturers'),
  named('brands'),
  { type: 'teams', from: 'teams e', columns: 'e.name, e.location, e.abbreviation' },
  { type: 'players', from: 'players e', columns: 'e.first_name, e.last_name, e.position' },
  { type: 'playerteams', from: 'player_teams e', columns: 'e.player_id, e.team_id' },
]

/** What stands behind the cards: what hangs on sets, cards, players and teams. */
export const attachments: Source[] = [
  {
    type: 'object_attributes',
    from: 'object_attributes e',
    columns: 'e.attribute_id, e.attribute_value, e.object_type, e.object_id',
  },
  { type: 'set_sources', from: 'set_sources e', columns: 'e.set_id, e.source_url, e.title, e.notes' },
]

const rowsInOne = 2000

/** The records of one type, deleted ones too, in pages in the order of their ids. */
export async function* exportRecords({ sql }: Queryable, { type, from, columns }: Source): AsyncGenerator<Line[]> {
  let last = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await sql.unsafe<Line[]>(
      `select e.id, e.deleted_at is not null as deleted, ${columns} from ${from} where e.id > $1 order by e.id limit ${rowsInOne}`,
      [last],
      { prepare: true },
    )
    if (rows.length === 0) return
    yield rows.map((row) => ({ type, ...row }))
    last = rows.at(-1)?.id as string
  }
}
