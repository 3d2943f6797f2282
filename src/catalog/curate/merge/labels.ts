import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { idsOf } from '../../../../db/rows.ts'
import { notFound } from '../../../jsonapi/errors.ts'
import { claimsOf } from '../../write/locks/claims.ts'
import type { SetPlan } from '../../write/record.ts'
import { writeSets } from '../../write/set/write.ts'
import { closeEntities, refuseFailed } from './entities.ts'
import type { Merger } from './record.ts'

type Column = 'brand_id' | 'manufacturer_id' | 'genre_id' | 'year_id'

/** Brands, manufacturers, genres or years: the live sets of one become those of the other. */
export const labelMerger = (column: Column): Merger => ({
  claims: async (tx, { type, from, into }) => {
    // Sets store their year's name, so writing the year also locks its sets.
    const owners = type === 'years' ? [...from, into] : from
    const sets = await findSets(tx, column, owners)
    const records = [...from, into].map((id) => ({ type, id }))
    return claimsOf(tx, [...sets.map((id) => ({ type: 'sets', id })), ...records], [])
  },
  work: async (tx, merging, writer) => {
    const plans = (await findSets(tx, column, merging.from)).map(
      (id): SetPlan => ({ id, change: (now) => (now ? { ...now, [column]: merging.into } : notFound()) }),
    )
    if (plans.length > 0) refuseFailed(await writeSets(tx, plans, writer))
    await closeEntities(tx, merging, writer)
    return []
  },
})

const findSets = (tx: Transaction, column: Column, ids: string[]) =>
  idsOf(tx.sql<{ id: string }[]>`
    select id from sets where ${tx.sql(column)} = any(${arrayOf(ids)}::text::uuid[]) and audience >= 1 order by no`)
