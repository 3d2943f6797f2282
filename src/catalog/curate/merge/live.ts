import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { type Fault, noSuch, validationFailed } from '../../../jsonapi/errors.ts'
import { resourceOf } from '../../model/index.ts'
import type { MergedType, MergeOrder } from './record.ts'

/** The audiences of the live records among these ids. */
export const audiencesOf = async (tx: Transaction, type: MergedType, ids: string[]): Promise<Map<string, number>> => {
  const from = type === 'cards' ? 'cards t join sets s on s.id = t.set_id' : `${type} t`
  const audience = type === 'cards' ? 's.audience' : 't.audience'
  const rows = await tx.sql.unsafe<{ id: string; audience: number }[]>(
    `select t.id, ${audience} as audience from ${from}
     where t.id = any($1::text::uuid[]) and t.deleted_at is null and ${audience} >= 1`,
    [arrayOf(ids)],
    { prepare: true },
  )
  return new Map(rows.map((row) => [row.id, row.audience]))
}

/** Throws a 422 if a merge names a record that isn't live or has another type, or a record and itself. */
export const requireLive = async (tx: Transaction, { objectType, fromIds, intoId }: MergeOrder) => {
  const live = await audiencesOf(tx, objectType, [...fromIds, intoId])
  const { noun } = resourceOf(objectType)
  const faults = fromIds.flatMap((id, index): Fault[] => {
    const pointer = `/from_ids/${index}`
    if (id === intoId) return [{ pointer, detail: 'A record cannot be merged with itself.' }]
    return live.has(id) ? [] : [noSuch(noun, { pointer })]
  })
  if (!live.has(intoId)) faults.push(noSuch(noun, { pointer: '/into_id' }))
  if (faults.length > 0) throw validationFailed(faults)
}
