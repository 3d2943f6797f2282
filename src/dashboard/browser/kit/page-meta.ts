import type { PageMeta } from '../catalog/content.ts'

/** The place of a page with `count` rows in a list of `total`. */
export const metaOf = (page: number, perPage: number, count: number, total: number): PageMeta => {
  const before = (page - 1) * perPage
  const [from, to] = count > 0 ? [before + 1, before + count] : [null, null]
  return { current_page: page, last_page: Math.max(1, Math.ceil(total / perPage)), from, to, total }
}
