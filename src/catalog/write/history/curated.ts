import { arrayOf, arrayOfTexts } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import type { Curated, Writer } from '../record.ts'
import { importOf } from './imported.ts'

/** The curated fields of records, by id, which an import keeps. Empty for any other writer, who needn't keep any. */
export const readCurated = async (
  db: Pick<Transaction, 'sql'>,
  ids: string[],
  writer: Writer,
): Promise<Map<string, Curated>> => {
  const curated = new Map<string, Map<string, unknown>>()
  if (!importOf(writer) || ids.length === 0) return curated
  const rows = await db.sql<{ object_id: string; field: string; said: unknown }[]>`
    select object_id, field, said from curated_fields where object_id = any(${arrayOf(ids)}::uuid[])`
  for (const { object_id: id, field, said } of rows)
    curated.set(id, (curated.get(id) ?? new Map<string, unknown>()).set(field, said))
  return curated
}

/**
 * What an import now says about a curated field. `said` is undefined if that is what is stored, so that the field is no longer
 * curated.
 */
export type Restated = { id: string; field: string; said: unknown }

/** Stores what an import says about curated fields, in the transaction that keeps them. */
export const restateCurated = async (tx: Transaction, restated: Restated[]) => {
  const agreed = restated.filter(({ said }) => said === undefined)
  const other = restated.filter(({ said }) => said !== undefined)
  if (agreed.length > 0)
    await tx.sql`
      delete from curated_fields c
      using unnest(${arrayOf(agreed.map(({ id }) => id))}::text::uuid[],
        ${arrayOfTexts(agreed.map(({ field }) => field))}::text::text[]) as n (id, field)
      where c.object_id = n.id and c.field = n.field`
  if (other.length > 0)
    await tx.sql`
      update curated_fields c set said = n.said::jsonb
      from unnest(${arrayOf(other.map(({ id }) => id))}::text::uuid[],
        ${arrayOfTexts(other.map(({ field }) => field))}::text::text[],
        ${arrayOfTexts(other.map(({ said }) => JSON.stringify(said)))}::text::text[]) as n (id, field, said)
      where c.object_id = n.id and c.field = n.field`
}
