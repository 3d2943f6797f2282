import type { Transaction } from '../../../db/client.ts'
import type { Identifier } from '../../catalog/model/resource.ts'
import { findTargets } from '../../catalog/show/merged.ts'
import { resourceMerged } from '../../jsonapi/errors.ts'
import { failed, type Result, type Row } from './row.ts'

/** Handles merged ids: a row with one fails, and a reference to one is replaced by the record it was merged into. */
export const followMerged = async (db: Pick<Transaction, 'sql'>, rows: (Row | Result)[]): Promise<(Row | Result)[]> => {
  const read = rows.filter((row): row is Row => 'document' in row)
  const targets = await findTargets(
    db,
    read.flatMap(({ id, document }) => [id, ...Object.values(document.relationships).flatMap(idsOf)]),
  )
  if (targets.size === 0) return rows
  return rows.map((row) => {
    if (!('document' in row)) return row
    const into = targets.get(row.id)
    // Another type's record may have had the id of a card.
    if (into?.type === 'cards') return failed(row.id, row.no, resourceMerged(into, { pointer: '/data/id' }))
    const followed = Object.entries(row.document.relationships).map(([name, data]) => [name, follow(data, targets)])
    return { ...row, document: { ...row.document, relationships: Object.fromEntries(followed) } }
  })
}

type Linkage = Identifier | Identifier[] | null | undefined

const idsOf = (data: unknown) => [(data as Linkage) ?? []].flat().map(({ id }) => id)

const follow = (data: unknown, targets: Map<string, Identifier>): unknown => {
  if (Array.isArray(data)) return data.map((one) => follow(one, targets))
  const one = data as Linkage as Identifier | null | undefined
  return one ? { ...one, id: targets.get(one.id)?.id ?? one.id } : one
}
