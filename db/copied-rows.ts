import { getTableColumns, getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Queryable } from './database.ts'
import type { ColumnName } from './rows.ts'

/**
 * A statement that copies rows into a table, in the binary form of COPY. That is less work for a server than arrays, because it
 * neither parses nor plans. Null and missing values are NULL. The embedded database doesn't support it.
 */
export const copyRows = <Table extends PgTable, Name extends ColumnName<Table>>(
  table: Table,
  names: readonly Name[],
  rows: readonly { [N in Name]?: Table['$inferSelect'][N] | null }[],
): { text: string; copied: Uint8Array } => {
  const columns = getTableColumns(table)
  const fields = names.map((name) => ({ name, put: putOf(columns[name]?.getSQLType() as string) }))
  const sink = openSink(rows.length * names.length * 16)
  for (const row of rows) {
    makeRoom(sink, 2)
    sink.view.setInt16(sink.at, names.length)
    sink.at += 2
    for (const { name, put } of fields) {
      const value = row[name]
      if (value === null || value === undefined) putLength(sink, -1, 0)
      else put(sink, value as never)
    }
  }
  makeRoom(sink, 2)
  sink.view.setInt16(sink.at, -1)
  return {
    text: `copy ${getTableName(table)} (${names.join(', ')}) from stdin (format binary)`,
    copied: sink.bytes.subarray(0, sink.at + 2),
  }
}

/** Copies rows into a table on a server. */
export const copyIn = <Table extends PgTable, Name extends ColumnName<Table>>(
  { sql }: Pick<Queryable, 'sql'>,
  ...rows: Parameters<typeof copyRows<Table, Name>>
) => {
  const { text, copied } = copyRows(...rows)
  return sql.unsafe(text, [], { copied })
}

/** A growing buffer, and how many of its bytes are written. */
type Sink = { bytes: Buffer; view: DataView; at: number }

/** The start of every copy: a signature and no flags. */
const head = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')

const openSink = (length: number): Sink => {
  const bytes = Buffer.alloc(head.length + length)
  return { bytes, view: new DataView(bytes.buffer), at: head.copy(bytes) }
}

const makeRoom = (sink: Sink, length: number) => {
  if (sink.at + length <= sink.bytes.length) return
  const larger = Buffer.alloc(sink.bytes.length * 2 + length)
  sink.bytes.copy(larger, 0, 0, sink.at)
  sink.bytes = larger
  sink.view = new DataView(larger.buffer)
}

/** Writes the length of a value, or -1 for NULL, and makes room for the value. */
const putLength = (sink: Sink, length: number, room: number) => {
  makeRoom(sink, 4 + room)
  sink.view.setInt32(sink.at, length)
  sink.at += 4
}

const putOf = (type: string) => {
  const put = puts[type.replace(/\(\d+\)/, '')]
  if (!put) throw new Error(`${type} cannot be copied`)
  return put
}

const putId = (sink: Sink, uuid: string) => {
  putLength(sink, 16, 16)
  let wrong = uuid.length === 36 ? 0 : 16
  for (let from = 0; from < 36; from += 2) {
    if (uuid.charCodeAt(from) === 45) from++
    const high = digits[uuid.charCodeAt(from)] ?? 16
    const low = digits[uuid.charCodeAt(from + 1)] ?? 16
    wrong |= high | low
    sink.bytes[sink.at++] = (high << 4) | low
  }
  if (wrong > 15) throw new Error(`${uuid} is not a UUID`)
}

const putText = (sink: Sink, text: string) => {
  putLength(sink, 0, text.length * 3)
  const length = sink.bytes.write(text, sink.at)
  sink.view.setInt32(sink.at - 4, length)
  sink.at += length
}

const puts: Record<string, (sink: Sink, value: never) => void> = {
  uuid: putId,
  /** One dimension that starts at 1, without NULL. 2950 is the type uuid. */
  'uuid[]': (sink, uuids: string[]) => {
    const lead = [1, 0, 2950, uuids.length, 1]
    putLength(sink, 4 * lead.length + 20 * uuids.length, 4 * lead.length)
    for (const number of lead) {
      sink.view.setInt32(sink.at, number)
      sink.at += 4
    }
    for (const uuid of uuids) putId(sink, uuid)
  },
  text: putText,
  json: (sink, value: object) => putText(sink, JSON.stringify(value)),
  integer: (sink, value: number) => {
    putLength(sink, 4, 4)
    sink.view.setInt32(sink.at, value)
    sink.at += 4
  },
  smallint: (sink, value: number) => {
    putLength(sink, 2, 2)
    sink.view.setInt16(sink.at, value)
    sink.at += 2
  },
  boolean: (sink, value: boolean) => {
    putLength(sink, 1, 1)
    sink.bytes[sink.at++] = value ? 1 : 0
  },
  /** A time to the millisecond, as microseconds since 2000. */
  'timestamp with time zone': (sink, time: string) => {
    putLength(sink, 8, 8)
    const microseconds = (Date.parse(time) - from2000) * 1000
    sink.view.setInt32(sink.at, Math.floor(microseconds / 2 ** 32))
    sink.view.setUint32(sink.at + 4, microseconds % 2 ** 32)
    sink.at += 8
  },
}

const from2000 = Date.UTC(2000, 0, 1)

/** The values of hexadecimal digits, by character code. Any other character is 16. */
const digits = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16)
  return Number.isNaN(value) ? 16 : value
})
