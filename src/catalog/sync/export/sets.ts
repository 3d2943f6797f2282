import { arrayOf } from '../../../../db/arrays.ts'
import type { Queryable } from '../../../../db/client.ts'
import { exported, type Line } from './records.ts'

type SetRow = Line & { id: string; no: number; parent_set_id: string | null }

const columns = `
  s.id, s.no, s.name as "set", s.parent_id as parent_set_id, s.kind, s.status, s.release_date::text as release_date,
  s.description, ${exported('aliases', 's.')}, g.name as genre, s.genre_id, y.name as year, s.year_id, m.name as manufacturer, s.manufacturer_id,
  b.name as brand, s.brand_id, s.deleted_at is not null as deleted`
/** Sets with their labels, as far as a level sees those. */
const fromAt = (level: number) => {
  const label = (table: string, alias: string, column: string) =>
    `left join ${table} ${alias} on ${alias}.id = s.${column} and ${alias}.audience >= ${level}`
  return `sets s ${label('genres', 'g', 'genre_id')} ${label('years', 'y', 'year_id')}
    ${label('manufacturers', 'm', 'manufacturer_id')} ${label('brands', 'b', 'brand_id')}`
}
const from = fromAt(0)
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

/** Sets by their ids, as lines of an export with the labels that a level sees. */
export const setLines = async ({ sql }: Queryable, ids: string[], level: number): Promise<Map<string, Line>> => {
  const rows = await sql.unsafe<SetRow[]>(
    `select ${columns} from ${fromAt(level)} where s.id = any($1::uuid[]) and s.audience >= ${level}`,
    [arrayOf(ids)],
    { prepare: true },
  )
  return new Map(rows.map(({ no: _, ...members }) => [members.id, members]))
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
