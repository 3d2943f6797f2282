import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { idsOf } from '../../../../db/rows.ts'
import { notFound } from '../../../jsonapi/errors.ts'
import { readEntities } from '../../write/entity/rows.ts'
import { writeEntities } from '../../write/entity/write.ts'
import { claimsOf } from '../../write/locks/claims.ts'
import type { EntityPlan, SetPlan, Writer } from '../../write/record.ts'
import { writeSets } from '../../write/set/write.ts'
import { closeEntities, refuseFailed } from './entities.ts'
import type { Merger, Merging } from './record.ts'

type Column = 'brand_id' | 'manufacturer_id' | 'genre_id' | 'year_id'

/** Brands, manufacturers, genres or years: the live sets of one become those of the other. */
export const labelMerger = (column: Column): Merger => ({
  claims: async (tx, { type, from, into }) => {
    // Sets store their year's name, so writing the year also locks its sets.
    const owners = type === 'years' ? [...from, into] : from
    const sets = await findSets(tx, column, owners)
    const years = type === 'years' ? await findChildren(tx, from) : []
    const records = [...from, into, ...years].map((id) => ({ type, id }))
    return claimsOf(tx, [...sets.map((id) => ({ type: 'sets', id })), ...records], [])
  },
  work: async (tx, merging, writer) => {
    const plans = (await findSets(tx, column, merging.from)).map(
      (id): SetPlan => ({ id, change: (now) => (now ? { ...now, [column]: merging.into } : notFound()) }),
    )
    if (plans.length > 0) refuseFailed(await writeSets(tx, plans, writer))
    if (merging.type === 'years') await adoptYears(tx, merging, writer)
    await closeEntities(tx, merging, writer)
    return []
  },
})

/** The years below those that are merged get the target as their parent. The target itself, if it is one of them, gets the one above. */
const adoptYears = async (tx: Transaction, { from, into }: Merging, writer: Writer) => {
  const children = (await findChildren(tx, from)).filter((id) => !from.includes(id))
  const above = new Map(
    [...(await readEntities(tx, 'years', from))].map(([id, { columns }]) => [id, columns.parent_year]),
  )
  const parentOf = (id: string, own: string | null | undefined) => {
    if (id !== into) return into
    let parent = own ?? null
    for (let steps = 0; parent && from.includes(parent) && steps <= from.length; steps++)
      parent = above.get(parent) ?? null
    return parent && from.includes(parent) ? null : parent
  }
  const plans = children.map(
    (id): EntityPlan => ({
      id,
      change: (now) =>
        now ? { ...now, columns: { ...now.columns, parent_year: parentOf(id, now.columns.parent_year) } } : notFound(),
    }),
  )
  if (plans.length > 0) refuseFailed(await writeEntities(tx, 'years', plans, writer))
}

const findChildren = (tx: Transaction, ids: string[]) =>
  idsOf(tx.sql<{ id: string }[]>`
    select id from years where parent_year = any(${arrayOf(ids)}::text::uuid[]) and audience >= 1 order by id`)

const findSets = (tx: Transaction, column: Column, ids: string[]) =>
  idsOf(tx.sql<{ id: string }[]>`
    select id from sets where ${tx.sql(column)} = any(${arrayOf(ids)}::text::uuid[]) and audience >= 1 order by no`)
