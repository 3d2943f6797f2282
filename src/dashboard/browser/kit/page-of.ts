import type { PageMeta } from '../catalog/content.ts'

/** A page of rows that are already loaded, and its place among them. For a page that doesn't exist, the nearest one. */
export const pageOf = <T>(all: T[], page: string, perPage: number): { rows: T[]; meta: PageMeta } => {
  const last = Math.max(1, Math.ceil(all.length / perPage))
  const current = Math.min(last, Math.max(1, Math.trunc(Number(page)) || 1))
  const before = (current - 1) * perPage
  const rows = all.slice(before, before + perPage)
  const [from, to] = rows.length > 0 ? [before + 1, before + rows.length] : [null, null]
  return { rows, meta: { current_page: current, last_page: last, from, to, total: all.length } }
}
