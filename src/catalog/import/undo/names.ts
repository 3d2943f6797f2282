import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { attachments, tableOf, typesByDocument } from '../../model/attached.ts'

/** Reads what records of a type are called. */
export const readNames = async (tx: Transaction, type: string, ids: string[]): Promise<Map<string, string>> => {
  const attached = typesByDocument.find((one) => one === type)
  const table = attached ? tableOf(attached) : type === 'playerteams' ? 'player_teams' : type
  const name = attached ? attachments[attached].label : type === 'attributes' ? 'attribute' : 'name'
  const rows = await tx.sql.unsafe<{ id: string; name: string }[]>(
    `select t.id, ${name} as name from ${table} t where t.id = any($1::text::uuid[])`,
    [arrayOf(ids)],
  )
  return new Map(rows.map((row) => [row.id, row.name]))
}
