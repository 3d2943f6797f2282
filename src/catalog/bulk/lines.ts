import type { Queryable } from '../../../db/client.ts'
import { renderRow } from '../read/render.ts'
import { rowsAsText, splitRows, visibleText } from '../read/rows.ts'
import type { Rendering, Resource, Row } from '../resource.ts'

/** Some lines, each ended by a newline, and how many they are. */
export type Lines = { text: string; count: number }

/** Readers of published data. */
const level = 2

const firstId = '00000000-0000-0000-0000-000000000000'

/** How many rows are looked at in one statement: on the embedded database others wait for it. */
export const lookSizes = { postgres: 1000, embedded: 250 }

/**
 * The published records of a type as NDJSON, in the order of their ids: each is the resource object that /v2 shows, without
 * signed addresses. While some are rendered, the next are read.
 */
export async function* linesOf(
  db: Queryable,
  resource: Resource,
  baseUrl: string,
  lookSize: number,
): AsyncGenerator<Lines> {
  const shown = { rendering: unsigned(baseUrl), fields: new Map() }
  let next = look(db, resource, firstId, lookSize)
  for (;;) {
    const { end, rows } = await next
    if (!end) return
    next = look(db, resource, end, lookSize)
    // Whoever stops reading leaves it unread.
    next.catch(() => {})
    const lines = splitRows(rows).map((row) => JSON.stringify(renderRow(resource, JSON.parse(row) as Row, shown)))
    if (lines.length > 0) yield { text: `${lines.join('\n')}\n`, count: lines.length }
  }
}

const unsigned = (baseUrl: string): Rendering => ({ baseUrl, lasts: true, imageUrl: () => ({}) })

type Look = { end: string | null; rows: string | null }

/** The next rows by id, and of them those that are seen: however few these are, a look costs the same. */
const look = async ({ sql }: Queryable, resource: Resource, after: string, size: number): Promise<Look> => {
  const [found] = await sql.unsafe<Look[]>(
    `with look as materialized (
      select t.id from ${tableOf(resource)} t where t.id > $1 order by t.id limit ${size}
    )
    select (select id from look order by id desc limit 1) as end, (
      select ${rowsAsText} from (
        select ${resource.columns(level)} from look join ${resource.table} on t.id = look.id
        where ${visibleText(resource, level)} order by t.id
      ) r
    ) as rows`,
    [after],
    { prepare: true },
  )
  return found ?? { end: null, rows: null }
}

const tableOf = ({ table }: Resource) => table.split(' ')[0]
