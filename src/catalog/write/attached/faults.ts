import type { Transaction } from '../../../../db/client.ts'
import { conflict, validationFailed } from '../../../jsonapi/errors.ts'
import type { Columns } from '../record.ts'

/** Where a fault of the owner points. */
export const pointers = { 'object-attributes': '/data/attributes/object_id', set_sources: '/data/attributes/set_id' }

/** 409: an object has one value of an attribute. */
export const placeTaken = () => conflict('The object has a value of this attribute already.')

/** Refuses a second value of an attribute on the same object: 409. */
export const requireFreePlace = async (
  tx: Transaction,
  id: string,
  { object_id, attribute_id, object_type }: Columns,
) => {
  const [other] = await tx.sql`
    select 1 from object_attributes
    where object_id = ${object_id ?? null} and attribute_id = ${attribute_id ?? null} and object_type = ${object_type ?? null}
      and deleted_at is null and id <> ${id}`
  if (other) throw placeTaken()
}

/** Refuses attributes that do not exist or are deleted: 422. */
export const requireAttributes = async (tx: Transaction, ids: string[]) => {
  if (ids.length === 0) return
  const [row] = await tx.sql`select 1 from attributes where id = any(${ids}::uuid[]) and deleted_at is null`
  if (row) return
  throw validationFailed([{ pointer: '/data/attributes/attribute_id', detail: 'There is no such attribute.' }])
}
