import type { Transaction } from '../../../../db/client.ts'
import { askSets } from '../locks/order.ts'

/** A set as a writer wants it to be: everything that is stored of it and not derived. */
export type SetState = {
  name: string
  description: string | null
  status: 'draft' | 'published'
  kind: 'base' | 'parallel' | 'insert' | 'autograph' | 'variation'
  releaseDate: string | null
  genreId: string | null
  yearId: string | null
  brandId: string | null
  manufacturerId: string | null
  parentId: string | null
  deleted: boolean
}

/** A set as it is stored. */
export type SetRecord = SetState & { id: string; no: number; liveCards: number; audience: number; revision: string }

/** Who sees a set: nobody a deleted one, everyone a published one, else readers of drafts. */
export const audienceOfSet = (set: Pick<SetState, 'deleted' | 'status'> | undefined) =>
  !set || set.deleted ? 0 : set.status === 'published' ? 2 : 1

/** Locks sets in the order of `no` and reads them, deleted ones too, by id. */
export const lockSetRecords = async (tx: Transaction, ids: string[]): Promise<Map<string, SetRecord>> => {
  askSets(tx, ids)
  const rows = await tx.sql<SetRecord[]>`
    select id, no, name, description, status, kind, release_date::text as "releaseDate", genre_id as "genreId",
      year_id as "yearId", brand_id as "brandId", manufacturer_id as "manufacturerId", parent_id as "parentId",
      deleted_at is not null as deleted, live_cards as "liveCards", audience,
      version || '.' || (extract(epoch from created_at) * 1000)::bigint as revision
    from sets where id = any(${ids}::uuid[]) order by no for no key update`
  return new Map(rows.map((row) => [row.id, row]))
}

const members = [
  'name',
  'description',
  'status',
  'kind',
  'releaseDate',
  'genreId',
  'yearId',
  'brandId',
  'manufacturerId',
  'parentId',
  'deleted',
] as const

/** Whether two states are the same set content, so that writing the second would change nothing. */
export const sameSet = (a: SetState, b: SetState) => members.every((member) => a[member] === b[member])
