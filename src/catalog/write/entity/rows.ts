import type { Transaction } from '../../../../db/client.ts'
import { bindRows, type ColumnName } from '../../../../db/rows.ts'
import { importOf } from '../history/imported.ts'
import type { EntityChange, EntityRecord, EntityType, Writer } from '../record.ts'
import { entityTables } from './tables.ts'

/** Reads entities of one type by id, including deleted ones. */
export const readEntities = async (
  tx: Transaction,
  type: EntityType,
  ids: string[],
): Promise<Map<string, EntityRecord>> => {
  const { table, columns } = entityTables[type]
  const rows = await tx.sql.unsafe<
    (Record<string, string | null> & { id: string; audience: number; deleted: boolean; revision: string })[]
  >(
    `select id, audience, deleted_at is not null as deleted, ${columns.join(', ')},
       version || '.' || (extract(epoch from created_at) * 1000)::bigint as revision
     from ${table} where id = any($1::uuid[])`,
    [ids],
    { prepare: true },
  )
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        audience: row.audience,
        deleted: row.deleted,
        revision: row.revision,
        columns: Object.fromEntries(columns.map((column) => [column, row[column] ?? null])),
      },
    ]),
  )
}

/** Inserts entities in the order of their ids, so that two writers of the same names wait for each other in one order. */
export const insertEntities = async (tx: Transaction, type: EntityType, entities: EntityChange[], writer: Writer) => {
  if (entities.length === 0) return
  const { table, columns } = entityTables[type]
  const { from, values } = bind(type, entities)
  await tx.sql.unsafe(
    `insert into ${table} (id, audience, ${columns.join(', ')}, created_at, updated_at, deleted_at, import_id)
     select id, audience, ${columns.join(', ')}, $1::timestamptz, $1::timestamptz,
       case when audience = 0 then $1::timestamptz end, $2::uuid
     from ${from}`,
    [writer.now.toISOString(), importOf(writer), ...values],
    { prepare: true },
  )
}

/** Updates entities: columns, audience, version and times. */
export const updateEntities = async (tx: Transaction, type: EntityType, entities: EntityChange[], writer: Writer) => {
  if (entities.length === 0) return
  const { table, columns } = entityTables[type]
  const { from, values } = bind(type, entities)
  await tx.sql.unsafe(
    `update ${table} e set ${columns.map((column) => `${column} = n.${column}`).join(', ')}, audience = n.audience,
       version = e.version + 1, updated_at = $1::timestamptz, import_id = coalesce($2::uuid, e.import_id),
       deleted_at = case when n.audience = 0 then coalesce(e.deleted_at, $1::timestamptz) end
     from ${from} where e.id = n.id`,
    [writer.now.toISOString(), importOf(writer), ...values],
    { prepare: true },
  )
}

const bind = (type: EntityType, entities: EntityChange[]) => {
  const { schema, columns } = entityTables[type]
  const rows = entities.map(({ id, audience, after }) => ({ ...after.columns, id, audience }))
  return bindRows(schema, ['id', 'audience', ...columns] as ColumnName<typeof schema>[], rows, 3)
}
