import { isDate } from '../../../../jsonapi/fields.ts'
import { columnOf, listColumns, type RecordColumn, recordColumns } from '../../../model/record-columns.ts'
import { resourcesInV2 } from '../../../model/v2.ts'
import { readRecordId, readUuid } from '../identity.ts'
import { type FaultItem, type RecordItem, type RecordType, recordTypes, resourceTypeOf } from '../item.ts'
import { lineFault, textFault } from '../limits.ts'
import { fault } from '../run.ts'
import { type Column, cellOf, type Row } from './row.ts'
import { readFlag } from './row-sets.ts'

const longest: Partial<Record<Column, number>> = { description: 10_000, notes: 10_000, title: 500, source_url: 2048 }

/** Reads a line of an export that is neither a card nor a set. */
export const readRecord = (row: Row, type: string, file: string): RecordItem | FaultItem => {
  const place = { file, line: row.line }
  const known = recordTypes.find((each) => each === type)
  const id = readRecordId(cellOf(row, 'id'))
  const deleted = readFlag(cellOf(row, 'deleted'))
  if (!known) return fault(place, `type ${type.slice(0, 100)} is not known`)
  if (!id) return fault(place, `one of ${known} needs a UUID as its id`)
  if (deleted === null) return fault(place, 'deleted is neither true nor false')
  const columns = columnsFor(known)
  const fields = Object.fromEntries(
    columns.flatMap(({ name, isRequired, hasDefault }) =>
      (isRequired && !hasDefault) || row.has(name as Column) ? [[name, fieldOf(row, name)]] : [],
    ),
  )
  const wrong = known === 'players' ? playerWithoutName(fields) : missing(known, columns, fields)
  const reason = wrong ?? columns.map((column) => columnFault(column, fields[column.name] ?? null)).find(Boolean)
  return reason ? fault(place, reason) : { kind: 'record', ...place, type: known, id, deleted, fields }
}

const columnsFor = (type: RecordType): RecordColumn[] =>
  type === 'merges' ? merges : recordColumns[resourceTypeOf(type)]

/** A merged id's line: its type, and the id of the record it was merged into. */
const merges: RecordColumn[] = [
  { name: 'object_type', sqlType: 'text', isRequired: true, values: resourcesInV2.map(({ type }) => type) },
  { name: 'merged_into', sqlType: 'uuid', isRequired: true },
]

type Fields = Record<string, string | null | undefined>

/** The value of a column as stored. A list becomes a text with a line for each item. */
const fieldOf = (row: Row, name: string) =>
  listColumns.has(name)
    ? columnOf(row.values(name as Column).filter((line) => line?.trim()))
    : cellOf(row, name as Column)

const missing = (type: string, columns: RecordColumn[], fields: Fields) => {
  const column = columns.find(({ name, isRequired }) => isRequired && name in fields && (fields[name] ?? null) === null)
  return column && `one of ${type} needs ${column.name}`
}

/** One of the two names is enough. */
const playerWithoutName = ({ first_name, last_name }: Fields) =>
  first_name || last_name ? undefined : 'one of players needs first_name or last_name'

const columnFault = ({ name, sqlType, values }: RecordColumn, text: string | null) => {
  if (listColumns.has(name))
    return (
      text
        ?.split('\n')
        .map((line) => lineFault(name, line))
        .find(Boolean) ?? null
    )
  const faultOf = name === 'notes' || name === 'description' ? textFault : lineFault
  const wrong = faultOf(name, text, longest[name as Column])
  if (wrong || text === null) return wrong
  if (sqlType === 'uuid' && !readUuid(text)) return `${name} is not a UUID`
  if (sqlType === 'date' && !isDate(text)) return `${name} is not a date (YYYY-MM-DD)`
  if (name === 'source' && !/^[a-z0-9-]{1,40}$/.test(text))
    return `${name} is not made of lowercase letters, digits and dashes`
  return values && !values.includes(text) ? `${name} is not one of ${values.join(', ')}` : null
}
