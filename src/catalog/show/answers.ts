import { levelOf } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import { signedUrls } from '../../files/signed-url.ts'
import { entityTag } from '../../http/conditional.ts'
import { deprecationHeaders } from '../../http/deprecations.ts'
import { pathId } from '../../http/path-id.ts'
import type { Call, Reply } from '../../http/route.ts'
import { notFound } from '../../jsonapi/errors.ts'
import type { ReadQuery } from '../../jsonapi/query.ts'
import { documentText, pageLinks, pageMeta } from '../../jsonapi/serialize.ts'
import { mapInSlices } from '../../lib/yield-to-event-loop.ts'
import { sizes } from '../../limits.ts'
import { resourceOf } from '../model/index.ts'
import { apiOf, type Rendering, type Resource, type Row } from '../model/resource.ts'
import { resourceInV2 } from '../model/v2.ts'
import { type Reader, renderRecords, type Shown } from './includes.ts'
import { parseRow, renderText } from './render.ts'
import type { Made } from './response-cache.ts'
import { findWritten, loadRow, type Page } from './rows.ts'

/** The parts of a query that say how records are shown. */
export type ShownQuery = Pick<ReadQuery, 'include' | 'includeGiven' | 'fields'>

/** What rendering needs for this request. The signer of image URLs is created with the first image. */
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

/** How a request reads at a level, in a resource's API version. Only /v2 limits how many records an answer includes. */
export const readerOf = (
  context: Context,
  { now }: Call,
  { fields }: ShownQuery,
  level: number,
  api: Resource['api'],
): Reader => ({
  level,
  rendering: renderingOf(context, now),
  fields,
  resourceOf: api ? resourceInV2 : resourceOf,
  most: api ? sizes.includedRecords.most : Number.POSITIVE_INFINITY,
})

/** The address of a request, for the document's `self` link. */
export const selfOf = ({ config }: Context, { url }: Call): string => `${config.baseUrl}${url.pathname}${url.search}`

/** The document of a record and its ETag. `self` is the address to read it from. */
const singleAnswer = async ({ db }: Context, self: string, shown: Shown, query: ShownQuery, reader: Reader) => {
  const { resource, row } = shown
  const isAlone = query.include.length === 0
  const { primary, included } = isAlone
    ? { primary: [renderText(resource, row, reader.rendering, reader.fields)], included: [] }
    : await renderRecords(db, [shown], query.include, reader)
  const data = primary[0] as string
  const shownIncluded = query.includeGiven ? included : undefined
  return {
    body: documentText(self, { data, included: shownIncluded }),
    headers: { ETag: entityTag(apiOf(resource), revisionOf(row), data + (shownIncluded ?? '')) },
  }
}

/** The answer that shows a record at the address of the request. */
export const showOne = async (
  context: Context,
  call: Call,
  shown: Shown,
  query: ShownQuery,
  level: number,
): Promise<Made> => {
  const reader = readerOf(context, call, query, level, shown.resource.api)
  const answer = await singleAnswer(context, selfOf(context, call), shown, query, reader)
  return { reply: { status: 200, ...answer }, cacheable: reader.rendering.cacheable }
}

/** The answer to a read of the record in the path. Throws 404. */
export const retrieved = async (context: Context, call: Call, resource: Resource, query: ShownQuery): Promise<Made> => {
  const level = levelOf(call.caller)
  const text = await loadRow(context.db, resource, pathId(call), level)
  if (!text) throw notFound()
  return showOne(context, call, { resource, row: parseRow(text) }, query, level)
}

/** The answer to a creation: the record's document, even if the caller can't read it, and its address. `search` is the query string. */
export const createdAnswer = async (
  context: Context,
  call: Call,
  resource: Resource,
  id: string,
  { query, search }: { query: ReadQuery; search: string },
): Promise<Reply> => {
  const level = levelOf(call.caller)
  const text = await findWritten(context.db, resource, id, level)
  if (!text) throw notFound()
  const location = `${context.config.baseUrl}${apiOf(resource)}/${resource.path}/${id}`
  const reader = readerOf(context, call, query, level, resource.api)
  const { body, headers } = await singleAnswer(
    context,
    location + search,
    { resource, row: parseRow(text) },
    query,
    reader,
  )
  return { status: 201, headers: { ...headers, Location: location }, body }
}

/** A row's revision: its version and creation time, which tells it from an erased row with the same id. */
export const revisionOf = ({ version, created_at }: Row): string => `${version}.${Date.parse(created_at)}`

/** The document of a numbered page, with links, meta and included records. */
export const pageAnswer = async (
  context: Context,
  call: Call,
  resource: Resource,
  page: Page,
  query: ReadQuery,
): Promise<Made> => {
  const { db, config } = context
  const reader = readerOf(context, call, query, levelOf(call.caller), resource.api)
  const records = await mapInSlices(page.rows, (text) => ({ resource, row: parseRow(text) }))
  const { primary, included } = await renderRecords(db, records, query.include, reader)
  const meta = pageMeta(query.page, query.perPage, primary.length, page.total)
  const address = `${config.baseUrl}${call.url.pathname}`
  const body = documentText(`${address}${call.url.search}`, {
    data: `[${primary.join(',')}]`,
    included: query.includeGiven ? included : undefined,
    links: pageLinks(address, call.url.searchParams, query.page, meta.last_page),
    meta: { ...meta, ...page.meta },
  })
  const headers = query.deprecated ? deprecationHeaders : {}
  return { reply: { status: 200, headers, body }, cacheable: reader.rendering.cacheable }
}
