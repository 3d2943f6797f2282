import type { Queryable } from '../../../../db/client.ts'
import { Audience } from '../../../lib/audience.ts'
import { turn } from '../../../lib/yield-to-event-loop.ts'
import type { Rendering, Resource, Row } from '../../model/resource.ts'
import { tableOf } from '../../model/tables.ts'
import { renderCopy } from '../../show/render.ts'
import { visibleText } from '../../show/rows.ts'
import { beyond } from '../by-id.ts'

/** Some lines, each with a newline at the end, and how many there are. */
export type Lines = { text: string; count: number }

const level = Audience.published

/** How many rows one statement looks at. On the embedded database, everyone waits for it. */
export const lookSizes = { postgres: 2000, embedded: 250 }

/**
 * The published records of a type as NDJSON, in the order of their ids: resource objects of /v2 without signed URLs. While some are
 * rendered, the next are already being read, and the ones after those as soon as they arrive.
 */
export async function* linesOf(
  db: Queryable,
  resource: Resource,
  baseUrl: string,
  lookSize: number,
): AsyncGenerator<Lines> {
  const rendering = unsigned(baseUrl)
  const names = await columnNames(db, resource)
  const lookAfter = (after?: string) => {
    const [where, args] = beyond('t.id', after)
    return look(db, lookStatement(resource, names, where, lookSize), args)
  }
  let isRead = true
  const lookAhead = (before: Promise<Look>) => {
    const ahead = before.then(({ end }) => (end && isRead ? lookAfter(end) : nothing))
    // By then, nobody may be left to handle an error.
    ahead.catch(() => {})
    return ahead
  }
  try {
    let next = lookAfter()
    let ahead = lookAhead(next)
    for (;;) {
      const { end, rows } = await next
      if (!end) return
      next = ahead
      ahead = lookAhead(next)
      // A statement is only sent when the event loop turns, and the database should work while these are rendered.
      await turn()
      await turn()
      const lines = rowsIn(rows, names).map((row) => JSON.stringify(renderCopy(resource, row, rendering)))
      if (lines.length > 0) yield { text: `${lines.join('\n')}\n`, count: lines.length }
    }
  } finally {
    isRead = false
  }
}

/** The names of the columns of a resource's rows. */
const columnNames = async ({ sql }: Queryable, resource: Resource): Promise<string[]> => {
  const { columns } = await sql.unsafe(`select ${resource.columns(level)} from ${resource.table} limit 0`)
  return columns.map(({ name }) => name)
}

/** The rows of a look. Values come as arrays, which the database makes in two thirds of the time it takes for objects. */
const rowsIn = (text: string | null, names: string[]): Row[] => {
  const all: unknown[][] = JSON.parse(`[${text ?? ''}]`)
  return all.map((values) => {
    const row: Record<string, unknown> = {}
    for (let index = 0; index < names.length; index++) row[names[index] as string] = values[index]
    return row as Row
  })
}

const unsigned = (baseUrl: string): Rendering => ({ baseUrl, cacheable: true, imageUrl: () => ({}) })

type Look = { end: string | null; rows: string | null }

const nothing: Look = { end: null, rows: null }

/** Looks at the next rows by id and returns the visible ones. A look costs the same no matter how many are visible. */
const lookStatement = (resource: Resource, names: string[], where: string, size: number) => `
  with look as materialized (
    select t.id from ${tableOf(resource.type)} t where ${where} order by t.id limit ${size}
  ), last as materialized (select id from look order by id desc limit 1)
  select (select id from last) as end, (
    select string_agg(json_build_array(${names.join(', ')})::text, ',') from (
      select ${resource.columns(level)} from ${resource.table}
      where ${where} and t.id <= (select id from last) and ${visibleText(resource, level)} order by t.id
    ) r
  ) as rows`

const look = async ({ sql }: Queryable, statement: string, args: string[]): Promise<Look> => {
  const [found] = await sql.unsafe<Look[]>(statement, args, { prepare: true })
  return found ?? nothing
}
