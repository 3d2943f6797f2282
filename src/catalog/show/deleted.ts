import type { Caller } from '../../access/caller.ts'
import type { Resource, SortColumn } from '../model/resource.ts'
import { plainAttributes, renderTime } from './render.ts'

/** Whether a caller may read deleted records. To others they aren't there (decisions.md §21). */
export const readsDeleted = ({ scopes }: Caller): boolean => scopes.has('read:all-status')

/**
 * A resource whose rows are the deleted ones instead of the live ones. They say `deleted_at`, and the latest deletion comes first.
 * Merged records are not among them: their ids lead to what they became.
 */
export const deletedOf = (resource: Resource): Resource => made.getOrInsertComputed(resource, make)

const made = new WeakMap<Resource, Resource>()

const make = (resource: Resource): Resource => {
  const deletedAt: Record<string, SortColumn[]> = { deleted_at: [{ sql: 't.deleted_at', type: 'timestamptz' }] }
  const attributesOf = resource.attributes ?? plainAttributes(resource)
  return {
    ...resource,
    columns: (level) => `${resource.columns(level)}, t.deleted_at`,
    visible: () => 't.deleted_at is not null and not exists (select from redirects r where r.id = t.id)',
    attributes: (row, rendering) => ({
      ...attributesOf(row, rendering),
      deleted_at: renderTime(String(row.deleted_at)),
    }),
    sorts: { ...deletedAt, ...resource.sorts },
    sortsInV1: { ...deletedAt, ...(resource.sortsInV1 ?? resource.sorts) },
  }
}
