import { pageName } from './page-query.ts'
import type { Identifier } from './relationships.ts'

/** A relationship in a document. If `data` is undefined, the member is left out. */
export type Relationship = {
  data?: Identifier | Identifier[] | null
  links?: Record<string, string | undefined>
  meta?: Record<string, unknown>
}

export type ResourceObject = {
  type: string
  id: string
  attributes?: Record<string, unknown>
  relationships?: Record<string, Relationship>
  links?: Record<string, string | null>
  meta?: Record<string, unknown>
}

/** Keeps the requested fields, or all of them if none were requested. */
export const sparse = <T>(members: Record<string, T>, fields: Set<string> | undefined): Record<string, T> =>
  fields ? Object.fromEntries(Object.entries(members).filter(([name]) => fields.has(name))) : members

/** A JSON:API document with its version and its own URL. */
export const document = (
  self: string,
  content: {
    data: unknown
    included?: ResourceObject[]
    links?: Record<string, string | undefined>
    meta?: Record<string, unknown>
  },
) => ({
  jsonapi: { version: '1.1' },
  links: { self, ...content.links },
  data: content.data,
  ...(content.included ? { included: content.included } : {}),
  ...(content.meta ? { meta: content.meta } : {}),
})

/** Like `document`, for resource objects that are already texts. `data` is one of them, or a list of them. */
export const documentText = (
  self: string,
  content: { data: string; included?: string[]; links?: Record<string, string>; meta?: Record<string, unknown> },
): string => {
  const included = content.included ? `,"included":[${content.included.join(',')}]` : ''
  const meta = content.meta ? `,"meta":${JSON.stringify(content.meta)}` : ''
  const links = JSON.stringify({ self, ...content.links })
  return `{"jsonapi":{"version":"1.1"},"links":${links},"data":${content.data}${included}${meta}}`
}

/** The links of a page (interface.md): first, last, and if they exist, prev and next. Other parameters stay. */
export const pageLinks = (address: string, search: URLSearchParams, page: number, lastPage: number) => {
  const at = (number: number) => {
    const parameters = new URLSearchParams(search)
    parameters.set(pageName(search), String(number))
    return `${address}?${parameters}`
  }
  return {
    first: at(1),
    last: at(lastPage),
    ...(page > 1 ? { prev: at(Math.min(page - 1, lastPage)) } : {}),
    ...(page < lastPage ? { next: at(page + 1) } : {}),
  }
}

/**
 * The numbers of a page (interface.md), and again as clients of a hosted service read them (decisions.md §21). An empty list has
 * `last_page` 1, and an empty page has no `from` and `to`.
 */
export const pageMeta = (page: number, perPage: number, rows: number, total: number) => {
  const lastPage = Math.max(1, Math.ceil(total / perPage))
  return {
    current_page: page,
    from: rows > 0 ? (page - 1) * perPage + 1 : null,
    to: rows > 0 ? (page - 1) * perPage + rows : null,
    per_page: perPage,
    total,
    last_page: lastPage,
    pagination: { total, count: rows, per_page: perPage, current_page: page, total_pages: lastPage },
  }
}
