import type { Context } from '../context.ts'
import { deprecationHeaders } from '../http/deprecations.ts'
import type { Call, Reply } from '../http/route.ts'
import type { ReadQuery } from '../jsonapi/query.ts'
import { document, pageLinks, pageMeta } from '../jsonapi/serialize.ts'
import { imageUrls } from './images/signed-url.ts'
import { readIncluded } from './read/includes.ts'
import { renderRow } from './read/render.ts'
import type { Page, Rendering, Resource, Row } from './resource.ts'
import { resourceOf } from './resources/index.ts'

/** What a representation of this request is rendered with; the signer of image addresses is made where an image comes. */
export const renderingOf = (context: Context, now: Date): Rendering => {
  let signer: Rendering['imageUrl'] | undefined
  return {
    baseUrl: context.config.baseUrl,
    imageUrl: (image, name) => {
      signer ??= imageUrls(context, now)
      return signer(image, name)
    },
  }
}

/** The document of one record. */
export const singleAnswer = async (
  context: Context,
  call: Call,
  resource: Resource,
  row: Row,
  query: ReadQuery,
  level: number,
) => {
  const rendering = renderingOf(context, call.now)
  const { related, rows } = await readIncluded(context.db, resource, [row], query.include, level, resourceOf)
  const shown = { rendering, fields: query.fields }
  return document(`${rendering.baseUrl}${call.url.pathname}${call.url.search}`, {
    data: renderRow(resource, row, { ...shown, related: related.get(row.id) }),
    included: query.includeGiven ? rows.map((one) => renderRow(one.resource, one.row, shown)) : undefined,
  })
}

/** The document of a page, with links and meta, and what the query asked to include. */
export const pageAnswer = async (
  context: Context,
  call: Call,
  resource: Resource,
  page: Page,
  query: ReadQuery,
  level: number,
): Promise<Reply> => {
  const rendering = renderingOf(context, call.now)
  const { related, rows } = await readIncluded(context.db, resource, page.rows, query.include, level, resourceOf)
  const shown = { rendering, fields: query.fields }
  const meta = pageMeta(query.page, query.perPage, page.rows.length, page.total)
  const address = `${rendering.baseUrl}${call.url.pathname}`
  return {
    status: 200,
    headers: query.deprecated ? deprecationHeaders : {},
    body: document(`${address}${call.url.search}`, {
      data: page.rows.map((row) => renderRow(resource, row, { ...shown, related: related.get(row.id) })),
      included: query.includeGiven ? rows.map((one) => renderRow(one.resource, one.row, shown)) : undefined,
      links: pageLinks(address, call.url.searchParams, query.page, meta.last_page),
      meta: { ...meta, ...page.meta },
    }),
  }
}
