import type { Transaction } from '../../../../db/client.ts'
import type { Entry } from '../record.ts'
import type { Fields } from './fields.ts'
import { findLeads, followEntries, followIds, type Leads } from './merged.ts'

/** Fields of several revisions with references to merged records replaced by their targets, in the same order. */
export const followMerged = async (tx: Transaction, revisions: Fields[]): Promise<Fields[]> => {
  const leads = await findLeads(
    tx,
    revisions.flatMap((fields) => Object.entries(fields).flatMap(idsOf)),
  )
  return leads.size === 0 ? revisions : revisions.map((fields) => followed(fields, leads))
}

const followed = (fields: Fields, leads: Leads): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (name === 'oncard') return [name, followEntries(value as Entry[], leads)]
      if (name === 'attributes') return [name, followIds(value as string[], leads)]
      return [name, isReference(name) && typeof value === 'string' ? (leads.get(value) ?? value) : value]
    }),
  )

const isReference = (name: string) => name.endsWith('_id')

const idsOf = ([name, value]: [string, unknown]): string[] => {
  if (name === 'oncard') return (value as Entry[]).map(({ id }) => id)
  if (name === 'attributes') return value as string[]
  return isReference(name) && typeof value === 'string' ? [value] : []
}
