import type { Transaction } from '../../../../db/client.ts'
import type { Fields } from '../../write/history/fields.ts'
import { findLeads } from '../../write/history/merged.ts'

type Identifier = { type: string; id: string }

/** Fields of a revision as they mean today: a reference to a record that was merged since is one to its target. */
export const followMerged = async (tx: Transaction, fields: Fields): Promise<Fields> => {
  const leads = await findLeads(tx, Object.entries(fields).flatMap(idsOf))
  if (leads.size === 0) return fields
  const next = (id: string) => leads.get(id) ?? id
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (name === 'oncard') return [name, once((value as Identifier[]).map((one) => ({ ...one, id: next(one.id) })))]
      if (name === 'attributes') return [name, [...new Set((value as string[]).map(next))]]
      return [name, isReference(name) && typeof value === 'string' ? next(value) : value]
    }),
  )
}

const isReference = (name: string) => name.endsWith('_id')

const idsOf = ([name, value]: [string, unknown]): string[] => {
  if (name === 'oncard') return (value as Identifier[]).map(({ id }) => id)
  if (name === 'attributes') return value as string[]
  return isReference(name) && typeof value === 'string' ? [value] : []
}

const once = (entries: Identifier[]) =>
  entries.filter(({ id }, place) => entries.findIndex((other) => other.id === id) === place)
