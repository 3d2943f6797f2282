import type { Queryable } from '../../../../db/client.ts'
import { type RecordType, resourceTypeOf } from '../../import/read/item.ts'
import { typesByDocument } from '../../model/attached.ts'
import { columnNames, listColumns } from '../../model/record-columns.ts'
import { tableOf } from '../../model/tables.ts'
import { beyond, pagesById } from '../by-id.ts'

/** A line of an export. Its members are the columns of an import. */
export type Line = Record<string, unknown>

type Exported = Exclude<RecordType, 'merges'>

/** The types exported before sets, each after the types it refers to. */
export const vocabulary: Exported[] = [
  ...(['attributes', 'years', 'genres', 'manufacturers', 'brands'] as const),
  ...(['teams', 'players', 'playerteams'] as const),
]

/** The types exported after cards: records attached to sets, cards, players, teams and labels. */
export const attachedRecords = typesByDocument.map(tableOf) as Exported[]

/** The expression for a column of an export, with lists as arrays. */
export const exported = (name: string, table = ''): string =>
  listColumns.has(name) ? `string_to_array(${table}${name}, E'\\n') as ${name}` : `${table}${name}`

const rowsInOne = 2000

/** All records of a type, including deleted ones, in pages in the order of their ids. */
export async function* exportRecords({ sql }: Queryable, type: Exported): AsyncGenerator<Line[]> {
  const table = tableOf(resourceTypeOf(type))
  const columns = columnNames(resourceTypeOf(type)).map((name) => exported(name))
  const read = (after: string | undefined) => {
    const [where, args] = beyond('id', after)
    const statement = `
      select id, deleted_at is not null as deleted, ${columns.join(', ')} from ${table}
      where ${where} order by id limit ${rowsInOne}`
    return sql.unsafe<(Line & { id: string })[]>(statement, args, { prepare: true })
  }
  for await (const rows of pagesById(read)) yield rows.map((row) => ({ type, ...row }))
}
