import type { PageMeta } from '../../catalog/content.ts'
import { get } from '../../kit/api.ts'
import { queryOf } from '../address.ts'
import type { MergedType } from './records.ts'

/** One record of a group. */
export type Grouped = { id: string; name: string; cards_count: number; genres: string[]; years: string[] }

/** Records that may be one; of collisions, one player who may be several people. */
export type Group = { id: string; attributes: { object_type: MergedType; reason: string; records: Grouped[] } }

/** Which groups the queue has. */
export type Asked = { type: string; kind: string }

const size = 20

/** The next groups that were not seen yet, and how many there are in all. Those that were skipped still stand before them. */
export const readNext = async ({ type, kind }: Asked, seen: ReadonlySet<string>, skipped: number) => {
  for (let page = Math.floor(skipped / size) + 1; ; page++) {
    const query = queryOf({ 'filter[object_type]': type, 'filter[kind]': kind, page: `${page}`, per_page: `${size}` })
    const { data, meta } = await get<{ data: Group[]; meta: PageMeta }>(`/internal/duplicates?${query}`)
    const groups = data.filter(({ id }) => !seen.has(id))
    if (groups.length > 0 || page >= meta.last_page) return { groups, total: meta.total }
  }
}
