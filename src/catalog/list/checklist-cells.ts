import { arrayOf } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/client.ts'

/** The columns of a checklist as a table, which an import reads. */
export const checklistColumns = [
  ...(['set', 'number', 'player', 'team', 'title', 'attributes', 'serial_number', 'notes', 'id', 'set_id'] as const),
]

/** Cards as cells under these columns, in the order of their ids. Players and teams in the same place are one entry. */
export const readChecklistCells = async ({ sql }: Queryable, ids: string[]): Promise<string[][]> => {
  const rows = await sql<Record<(typeof checklistColumns)[number], string | null>[]>`
    select s.name as set, c.number, c.title, c.serial_number, c.notes, c.id, c.set_id, e.player, e.team, (
      select string_agg(a.attribute, '|' order by a.attribute collate "C")
      from card_attributes m join attributes a on a.id = m.attribute_id where m.card_id = c.id
    ) as attributes
    from unnest(${arrayOf(ids)}::uuid[]) with ordinality asked (id, place)
    join cards c on c.id = asked.id join sets s on s.id = c.set_id
    left join lateral (
      select string_agg(coalesce(p.name, ''), '|' order by o.position) as player,
        string_agg(coalesce(t.name, ''), '|' order by o.position) as team
      from oncard o left join players p on p.id = o.player_id left join teams t on t.id = o.team_id where o.card_id = c.id
    ) e on true
    order by asked.place`
  return rows.map((row) => checklistColumns.map((name) => (/^\|*$/.test(row[name] ?? '') ? '' : String(row[name]))))
}
