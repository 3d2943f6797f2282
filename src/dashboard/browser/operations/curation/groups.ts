import type { PageMeta } from '../../catalog/content.ts'
import { get } from '../../kit/api.ts'
import type { RecordType } from '../../kit/records.tsx'
import { queryOf } from '../address.ts'

/** A record in a group. */
export type Grouped = { id: string; name: string; cards_count: number; genres: string[]; years: string[] }

/** Records that may be the same. For collisions, one player who may be several people. */
export type Group = { id: string; attributes: { object_type: RecordType; reason: string; records: Grouped[] } }

/** Which groups are in the queue. */
export type Asked = { type: string; kind: string }

const size = 20

/** The next groups not yet seen, and how many there are in total. Skipped groups are still listed before them. */
export const readNext = async ({ type, kind }: Asked, seen: ReadonlySet<string>, skipped: number) => {
  for (let page = Math.floor(skipped / size) + 1; ; page++) {
    const query = queryOf({ 'filter[object_type]': type, 'filter[kind]': kind, page: `${page}`, per_page: `${size}` })
    const { data, meta } = await get<{ data: Group[]; meta: PageMeta }>(`/internal/duplicates?${query}`)
    const groups = data.filter(({ id }) => !seen.has(id))
    if (groups.length > 0 || page >= meta.last_page) return { groups, total: meta.total }
  }
}

/**
 * The best record of a group to keep: one whose name isn't garbled, isn't all upper or lower case, and has its accents. Among
 * these, the one with the most cards.
 */
export const bestOf = (records: Grouped[]): Grouped | undefined => {
  const [best] = records.toSorted(
    (one, other) => careOf(other.name) - careOf(one.name) || other.cards_count - one.cards_count,
  )
  return best
}

/** How carefully a name is written. */
const careOf = (name: string) => {
  if (/[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u0192\u02c6\u02dc\u2013-\u2122]/.test(name)) return 0
  if (name === name.toUpperCase() || name === name.toLowerCase()) return 1
  return /\p{M}/u.test(name.normalize('NFD')) ? 3 : 2
}
