import type { PageMeta } from '../catalog/content.ts'

type Place = { page: number; perPage: number; total: number; count: number }

/** The place of a page that has so many of a list, as the API says it. */
export const metaOf = ({ page, perPage, total, count }: Place): PageMeta => {
  const before = (page - 1) * perPage
  const [from, to] = count > 0 ? [before + 1, before + count] : [null, null]
  return { current_page: page, last_page: Math.max(1, Math.ceil(total / perPage)), from, to, total }
}

/** A page of what is here already, and its place in it; a page that there is not is the nearest one. */
export const pageOf = <T>(all: T[], wanted: string, perPage: number): { rows: T[]; meta: PageMeta } => {
  const last = Math.max(1, Math.ceil(all.length / perPage))
  const page = Math.min(last, Math.max(1, Math.trunc(Number(wanted)) || 1))
  const rows = all.slice((page - 1) * perPage, page * perPage)
  return { rows, meta: metaOf({ page, perPage, total: all.length, count: rows.length }) }
}
