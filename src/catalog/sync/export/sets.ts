import { arrayOf } from '../../../../db/arrays.ts'
import type { Queryable } from '../../../../db/client.ts'
import { exported, type Line } from './records.ts'

type SetRow = Line & { id: string; no: number; parent_set_id: string | null }

const columns = `
  s.id, s.no, s.name as "set", s.parent_id as parent_set_id, s.kind, s.status, s.release_date::text as release_date,
  s.description, ${exported('aliases', 's.')}, g.name as genre, s.genre_id, y.name as year, s.year_id, m.name as manufacturer, s.manufacturer_id,
  b.name as brand, s.brand_id, s.deleted_at is not null as deleted`
const from = `
  sets s left join genres g on g.id = s.genre_id left join years y on y.id = s.year_id
  left join manufacturers m on m.id = s.manufacturer_id left join brands b on b.id = s.brand_id`
const setsInOne = 1000

/** All sets, including deleted ones, in order of creation. A parent created after its child comes right before the child. */
export async function* exportSets(db: Queryable): AsyncGenerator<Line[]> {
  const written = new Set<string>()
  let last = 0
  for (;;) {
    const rows = await db.sql.unsafe<SetRow[]>(
      `select ${columns} from ${from} where s.no > $1 order by s.no limit ${setsInOne}`,
      [last],
      { prepare: true },
    )
    if (rows.length === 0) return
    const lines: Line[] = []
    for (const row of rows) {
      const line = await ancestorsOf(db, row, written)
      for (const set of [...line, row]) {
        if (written.has(set.id)) continue
        written.add(set.id)
        const { no: _, ...members } = set
        lines.push({ type: 'sets', ...members })
      }
    }
    yield lines
    last = rows.at(-1)?.no as number
  }
}

/** The ancestors of a set that haven't been written yet, from the top. */
const ancestorsOf = async ({ sql }: Queryable, set: SetRow, written: Set<string>) => {
  const line: SetRow[] = []
  const seen = new Set([set.id])
  for (let id = set.parent_set_id; id && !written.has(id) && !seen.has(id); ) {
    const [parent] = await sql.unsafe<SetRow[]>(`select ${columns} from ${from} where s.id = any($1::uuid[])`, [
      arrayOf([id]),
    ])
    if (!parent) break
    seen.add(id)
    line.unshift(parent)
    id = parent.parent_set_id
  }
  return line
}
