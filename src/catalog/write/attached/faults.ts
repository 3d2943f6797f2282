import type { Transaction } from '../../../../db/client.ts'
import { conflict, validationFailed } from '../../../jsonapi/errors.ts'
import { attachedTables } from '../counts/dependents.ts'
import type { ByDocument, Columns } from '../record.ts'

/** Where a fault of the owner points. */
export const pointers: Record<ByDocument, string> = {
  'object-attributes': '/data/attributes/object_id',
  set_sources: '/data/attributes/set_id',
  identifiers: '/data/attributes/object_id',
}

/** What only one live record of a type has. */
const places: Record<ByDocument, string[]> = {
  'object-attributes': ['object_id', 'attribute_id', 'object_type'],
  set_sources: [],
  identifiers: ['value', 'source', 'object_type'],
}

/** The end of an insert that leaves out a record whose place is taken. */
export const unlessTaken = (type: ByDocument): string =>
  places[type].length > 0 ? `on conflict (${places[type].join(', ')}) where deleted_at is null do nothing` : ''

/** The 409 for it. */
export const taken = (type: ByDocument, { source, value, object_type }: Columns) =>
  conflict(
    type === 'identifiers'
      ? `The identifier ${value} of ${source} is taken: it leads to another of ${object_type}.`
      : 'The object has a value of this attribute already.',
  )

/** Refuses what has the place of another live record: 409. */
export const refuseTaken = async (tx: Transaction, type: ByDocument, id: string, content: Columns) => {
  const place = places[type]
  if (place.length === 0) return
  const rows = await tx.sql.unsafe(
    `select 1 from ${attachedTables[type].table}
     where ${place.map((name, index) => `${name} = $${index + 2}`).join(' and ')} and deleted_at is null and id <> $1`,
    [id, ...place.map((name) => content[name] ?? null)],
    { prepare: true },
  )
  if (rows.length > 0) throw taken(type, content)
}

/** Refuses attributes that do not exist or are deleted: 422. */
export const requireAttributes = async (tx: Transaction, ids: string[]) => {
  if (ids.length === 0) return
  const [row] = await tx.sql`select 1 from attributes where id = any(${ids}::uuid[]) and deleted_at is null`
  if (row) return
  throw validationFailed([{ pointer: '/data/attributes/attribute_id', detail: 'There is no such attribute.' }])
}
