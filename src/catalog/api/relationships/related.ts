import { levelOf } from '../../../access/caller.ts'
import type { Context } from '../../../context.ts'
import { pathId } from '../../../http/path-id.ts'
import type { Call, Reply } from '../../../http/route.ts'
import type { Place } from '../../../jsonapi/cursor.ts'
import { notFound } from '../../../jsonapi/errors.ts'
import { type ListQuery, type ListShape, pagesWith, readListQuery } from '../../../jsonapi/list-query.ts'
import { documentText } from '../../../jsonapi/serialize.ts'
import type { Identifier, Related, Resource, Row } from '../../model/resource.ts'
import { resourceInV2 } from '../../model/v2.ts'
import { selfOf, showOne } from '../../show/answers.ts'
import { cursorPage, listCursors, readPlaces, recordsOf, showRecords } from '../../show/pages.ts'
import { identifierText } from '../../show/render.ts'
import { cached, type Made } from '../../show/response-cache.ts'
import { loadRow } from '../../show/rows.ts'
import { listPage } from '../read-v2.ts'

/** Only pages: what a list of identifiers accepts in the query. */
export const pagesOnly = pagesWith({})

/** The record in the path, with its row's data for a relationship. 404 if the caller can't see it. */
export const ownerOf = async ({ db }: Context, call: Call, resource: Resource) => {
  const text = await loadRow(db, resource, pathId(call), levelOf(call.caller))
  if (!text) throw notFound()
  const row: Row = JSON.parse(text)
  return { row, related: resource.relationships(row) as Record<string, Related> }
}

/** GET of the record that a to-one relationship leads to. Null if there is none. */
export const relatedOne = (resource: Resource, name: string, shape: ListShape) =>
  cached(async (context, call) => {
    const query = readListQuery(call.url.searchParams, shape)
    const level = levelOf(call.caller)
    const { related } = await ownerOf(context, call, resource)
    const [one] = await recordsOf(context, [related[name]?.data ?? []].flat(), level)
    if (one) return showOne(context, call, one, query, level)
    return { reply: { status: 200, body: documentText(selfOf(context, call), { data: 'null' }) }, cacheable: true }
  })

/** GET of a list that is stored in the record itself, in its order: its records, or with `pagesOnly` their identifiers. */
export const relatedMany = (resource: Resource, name: string, shape: ListShape) =>
  cached(async (context, call): Promise<Made> => {
    const query = readListQuery(call.url.searchParams, shape)
    const level = levelOf(call.caller)
    const { row, related } = await ownerOf(context, call, resource)
    const all = [related[name]?.data ?? []].flat()
    const cursors = listCursors(context, call, query, name)
    const { from, to, isCut } = sliceOf(all, query, readPlaces(cursors, query))
    const some = all.slice(from, to)
    const page = {
      places: some.map((one, index): Place => [from + index, one.type, one.id]),
      ...{ total: all.length, isGuess: false, hasBefore: from > 0, hasAfter: to < all.length, isCut },
    }
    if (shape === pagesOnly)
      return {
        reply: cursorPage(
          context,
          call,
          cursors,
          some.map(identifierText),
          page,
          undefined,
          relatedLink(resource, row, name),
        ),
        cacheable: true,
      }
    const records = await recordsOf(context, some, level)
    const { texts, included, cacheable } = await showRecords(context, call, records, query, level)
    return { reply: cursorPage(context, call, cursors, texts, page, included), cacheable }
  })

/** GET of a relationship that is its own list, such as a brand's sets. */
export const relatedList = (resource: Resource, name: string, shape?: ListShape) => {
  const { types = [], listedBy = '', listedWith = {} } = resource.includes[name] ?? {}
  const others = Object.entries(listedWith).map(([other, value]) => ({ name: other, values: [value] }))
  return listPage(resourceInV2(types[0] as string), {
    fixed: async (context, call) => {
      const { row } = await ownerOf(context, call, resource)
      return [{ name: listedBy, values: [row.id] }, ...others].map((one) => ({ ...one, operator: 'eq' }))
    },
    shape,
    ...(shape === pagesOnly ? { show: showIdentifiers } : {}),
  })
}

/** GET of a to-one relationship itself. */
export const linkageOne = (resource: Resource, name: string) =>
  cached(async (context, call) => {
    readListQuery(call.url.searchParams, { ...pagesOnly, paginated: false })
    return { reply: await linkageReply(context, call, resource, name), cacheable: true }
  })

/** The document of a relationship as it is now. */
export const linkageReply = async (context: Context, call: Call, resource: Resource, name: string): Promise<Reply> => {
  const { row, related } = await ownerOf(context, call, resource)
  const data = JSON.stringify(related[name]?.data ?? null)
  const links = { related: `${context.config.baseUrl}${relatedLink(resource, row, name)}` }
  return { status: 200, body: documentText(selfOf(context, call), { data, links }) }
}

const relatedLink = ({ path }: Resource, { id }: Row, name: string) => `/v2/${path}/${id}/${name}`

const showIdentifiers: typeof showRecords = async (_context, _call, records) => ({
  texts: records.map(({ resource, row }) => identifierText({ type: resource.type, id: row.id })),
  included: undefined,
  cacheable: true,
})

/** The range of a page in a list in memory. A cursor's position is found by its record or, if that is gone, by its number. */
const sliceOf = (all: Identifier[], { size }: ListQuery, places: { after?: Place; before?: Place }) => {
  const indexOf = ([index, type, id]: Place) => {
    const at = Number(index ?? all.length)
    const stands = (one: Identifier | undefined) => one?.type === type && one?.id === id
    const found = stands(all[at]) ? at : all.findIndex(stands)
    return found >= 0
      ? { before: found, after: found + 1 }
      : { before: Math.min(at, all.length), after: Math.min(at, all.length) }
  }
  const start = places.after ? indexOf(places.after).after : 0
  const end = places.before ? Math.max(indexOf(places.before).before, start) : all.length
  if (places.before && !places.after) return { from: Math.max(end - size, 0), to: end }
  return { from: start, to: Math.min(start + size, end), isCut: places.before !== undefined && end - start > size }
}
