import type { Transaction } from '../../../../db/client.ts'
import { resourcesInV2 } from '../../model/v2.ts'

/** The database holds a catalog of its own, which a mirror would replace. */
export class HoldsCatalog extends Error {
  constructor(noun: string) {
    super(`This database holds another catalog (it has a ${noun}): name an empty one.`)
  }
}

/** Throws HoldsCatalog where there is a record of any type, a deleted one or a draft too. */
export const requireMirrorable = async ({ sql }: Transaction) => {
  for (const { table, noun } of resourcesInV2) {
    const [name = ''] = table.split(' ')
    const rows = await sql`select 1 from ${sql(name)} limit 1`
    if (rows.length > 0) throw new HoldsCatalog(noun)
  }
}
