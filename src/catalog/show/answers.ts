import { levelOf } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import { signedUrls } from '../../files/signed-url.ts'
import { entityTag } from '../../http/conditional.ts'
import { deprecationHeaders } from '../../http/deprecations.ts'
import type { Call, Reply } from '../../http/route.ts'
import { notFound } from '../../jsonapi/errors.ts'
import type { ReadQuery } from '../../jsonapi/query.ts'
import { documentText, pageLinks, pageMeta } from '../../jsonapi/serialize.ts'
import { mapInSlices } from '../../lib/turn.ts'
import { resourceOf } from '../model/index.ts'
import { apiOf, type Page, type Rendering, type Resource, type Row } from '../model/resource.ts'
import { type Parent, type Reader, readIncluded } from './includes.ts'
import { parseRow, renderText } from './render.ts'
import { findWritten } from './rows.ts'

/** What a representation of this request is rendered with; the signer of image addresses is made where an image comes. */
export const renderingOf = (context: Context, now: Date): Rendering => {
  let urlOf: ReturnType<typeof signedUrls> | undefined
  const rendering: Rendering = {
    baseUrl: context.config.baseUrl,
    cacheable: true,
    imageUrl: ({ id, audience }, name) => {
      rendering.cacheable = false
      urlOf ??= signedUrls(context, 'images', now)
      return urlOf(id, name, audience)
    },
  }
  return rendering
}

/** How this request reads, at a level. */
export const readerOf = (context: Context, { now }: Call, { fields }: ReadQuery, level: number): Reader => ({
  level,
  rendering: renderingOf(context, now),
  fields,
  resourceOf,
})

type Tagged = Required<Pick<Reply, 'body' | 'headers'>>

/** The address of a request, as the document's link to itself. */
export const selfOf = ({ config }: Context, { url }: Call): string => `${config.baseUrl}${url.pathname}${url.search}`

/** The document of one record, from the text of its row, and its ETag; `self` is where the same can be read again. */
export const singleAnswer = async (
  { db }: Context,
  self: string,
  resource: Resource,
  text: string,
  query: ReadQuery,
  reader: Reader,
): Promise<Tagged> => {
  const row = parseRow(text)
  const included = await readIncluded(db, resource, [parentOf(resource, row)], query.include, reader)
  const data = renderText(resource, row, reader.rendering, reader.fields, included.related.get(row.id))
  return taggedAnswer(self, resource, row, { data, included: query.includeGiven ? included.texts : undefined })
}

/** The answer to what was created, hidden or not: its document, shown as `search` asks, and where it can be read again. */
export const createdAnswer = async (
  context: Context,
  call: Call,
  resource: Resource,
  id: string,
  { query, search }: { query: ReadQuery; search: string },
): Promise<Reply> => {
  const level = levelOf(call.caller)
  const row = await findWritten(context.db, resource, id, level)
  if (!row) throw notFound()
  const location = `${context.config.baseUrl}${apiOf(resource)}/${resource.path}/${id}`
  const reader = readerOf(context, call, query, level)
  const { body, headers } = await singleAnswer(context, location + search, resource, row, query, reader)
  return { status: 201, headers: { ...headers, Location: location }, body }
}

/** A row's revision: its version, and when it was made, which tells it from an erased one of the same id. */
export const revisionOf = ({ version, created_at }: Row): string => `${version}.${Date.parse(created_at)}`

/** The document of one record at its address, tagged by its revision and what is shown. */
export const taggedAnswer = (
  self: string,
  resource: Resource,
  row: Row,
  shown: { data: string; included?: string[] },
): Tagged => ({
  body: documentText(self, shown),
  headers: {
    ETag: entityTag(apiOf(resource), revisionOf(row), shown.data + (shown.included ?? '')),
  },
})

/** The document of a page, with links and meta, and what the query asked to include. */
export const pageAnswer = async (
  { db, config }: Context,
  call: Call,
  resource: Resource,
  page: Page,
  query: ReadQuery,
  reader: Reader,
): Promise<Reply> => {
  const rows = await mapInSlices(page.rows, parseRow)
  const parents = query.include.length > 0 ? rows.map((row) => parentOf(resource, row)) : []
  const included = await readIncluded(db, resource, parents, query.include, reader)
  const texts = await mapInSlices(rows, (row) =>
    renderText(resource, row, reader.rendering, reader.fields, included.related.get(row.id)),
  )
  const meta = pageMeta(query.page, query.perPage, texts.length, page.total)
  const address = `${config.baseUrl}${call.url.pathname}`
  return {
    status: 200,
    headers: query.deprecated ? deprecationHeaders : {},
    body: documentText(`${address}${call.url.search}`, {
      data: `[${texts.join(',')}]`,
      included: query.includeGiven ? included.texts : undefined,
      links: pageLinks(address, call.url.searchParams, query.page, meta.last_page),
      meta: { ...meta, ...page.meta },
    }),
  }
}

const parentOf = (resource: Resource, row: Row): Parent => ({ id: row.id, related: resource.relationships(row) })
