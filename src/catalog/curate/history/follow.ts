import type { Transaction } from '../../../../db/client.ts'
import type { Fields } from '../../write/history/fields.ts'
import { findLeads, followEntries, followIds } from '../../write/history/merged.ts'
import type { Entry } from '../../write/record.ts'

/** A revision's fields with references to merged records replaced by their targets. */
export const followMerged = async (tx: Transaction, fields: Fields): Promise<Fields> => {
  const leads = await findLeads(tx, Object.entries(fields).flatMap(idsOf))
  if (leads.size === 0) return fields
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (name === 'oncard') return [name, followEntries(value as Entry[], leads)]
      if (name === 'attributes') return [name, followIds(value as string[], leads)]
      return [name, isReference(name) && typeof value === 'string' ? (leads.get(value) ?? value) : value]
    }),
  )
}

const isReference = (name: string) => name.endsWith('_id')

const idsOf = ([name, value]: [string, unknown]): string[] => {
  if (name === 'oncard') return (value as Entry[]).map(({ id }) => id)
  if (name === 'attributes') return value as string[]
  return isReference(name) && typeof value === 'string' ? [value] : []
}
