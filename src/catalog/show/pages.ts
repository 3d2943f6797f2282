import type { Context } from '../../context.ts'
import type { Call, Reply } from '../../http/route.ts'
import { type Cursors, cursorsOf, type Place } from '../../jsonapi/cursor.ts'
import { cursorLinks, cursorPageType, invalidCursor } from '../../jsonapi/cursor-profile.ts'
import type { ListQuery } from '../../jsonapi/list-query.ts'
import type { Identifier } from '../model/resource.ts'
import { resourceInV2 } from '../model/v2.ts'
import { readerOf, type ShownQuery } from './answers.ts'
import { renderRecords, type Shown } from './includes.ts'
import { parseRow } from './render.ts'
import { loadRows } from './rows.ts'

/** A page's place in its list: its items' places, the total or an estimate, and whether there is more on either side. */
type PageOf = {
  places: Place[]
  total: number
  isGuess: boolean
  hasBefore: boolean
  hasAfter: boolean
  /** Whether a page between two cursors was cut. */
  isCut?: boolean
  /** Other meta of each item and of the page, besides the cursor and the total. */
  itemMeta?: object[]
  meta?: object
}

/** The cursors of a list. They are bound to its path, filters and sort, but not to size, fields, include or caller (decisions.md §11). */
export const listCursors = ({ secret }: Context, { url }: Call, { conditions }: ListQuery, sort: unknown): Cursors => {
  const filters = conditions
    .map(({ name, operator, values }) => JSON.stringify([name, operator, values.toSorted()]))
    .toSorted()
  return cursorsOf(secret, JSON.stringify([url.pathname, filters, sort]))
}

/** Reads the cursors of a request. Throws 400 for a cursor that isn't from this list. */
export const readPlaces = (cursors: Cursors, { after, before }: ListQuery) => {
  const read = (parameter: 'page[after]' | 'page[before]', cursor: string | undefined) => {
    if (cursor === undefined) return undefined
    const place = cursors.read(cursor)
    if (!place) throw invalidCursor(parameter)
    return place
  }
  return { after: read('page[after]', after), before: read('page[before]', before) }
}

/**
 * The document of a page of the cursor pagination profile, from the texts of its items. Each item gets the cursor of its place. `related`
 * is the path of the records, for a page of identifiers.
 */
export const cursorPage = (
  { config }: Context,
  { url }: Call,
  cursors: Cursors,
  texts: string[],
  page: PageOf,
  included?: string[],
  related?: string,
): Reply => {
  const address = `${config.baseUrl}${url.pathname}`
  const written = page.places.map(cursors.write)
  const links = cursorLinks(address, url.searchParams, {
    first: written[0],
    last: written.at(-1),
    hasBefore: page.hasBefore,
    hasAfter: page.hasAfter,
    end: cursors.write([]),
  })
  const total = page.isGuess ? { estimatedTotal: { bestGuess: page.total } } : { total: page.total }
  const metas = page.itemMeta?.map((meta) => `${JSON.stringify(meta).slice(1, -1)},`) ?? []
  const items = texts.map(
    (text, index) => `${text.slice(0, -1)},"meta":{${metas[index] ?? ''}"page":{"cursor":"${written[index]}"}}}`,
  )
  const meta = { page: { ...total, ...(page.isCut ? { rangeTruncated: true } : {}) }, ...page.meta }
  const self = { self: `${address}${url.search}`, ...(related ? { related: `${config.baseUrl}${related}` } : {}) }
  const head = `{"jsonapi":{"version":"1.1"},"links":${JSON.stringify({ ...self, ...links })}`
  const rest = included ? `,"included":[${included.join(',')}]` : ''
  return {
    status: 200,
    mediaType: cursorPageType,
    body: `${head},"data":[${items.join(',')}]${rest},"meta":${JSON.stringify(meta)}}`,
  }
}

/** The texts of records as this request shows them, and of the records it includes. */
export const showRecords = async (context: Context, call: Call, records: Shown[], query: ShownQuery, level: number) => {
  const reader = readerOf(context, call, query, level, '/v2')
  const { primary, included } = await renderRecords(context.db, records, query.include, reader)
  return { texts: primary, included: query.includeGiven ? included : undefined, cacheable: reader.rendering.cacheable }
}

/** The visible records among some identifiers, in the same order. */
export const recordsOf = async ({ db }: Context, some: Identifier[], level: number): Promise<Shown[]> => {
  const types = [...new Set(some.map(({ type }) => type))]
  const wanted = types.map((type) => ({
    resource: resourceInV2(type),
    ids: some.filter((one) => one.type === type).map(({ id }) => id),
  }))
  if (wanted.length === 0) return []
  const found = await loadRows(db, wanted, level)
  return some.flatMap(({ type, id }) => {
    const text = found.get(type)?.get(id)
    return text ? [{ resource: resourceInV2(type), row: parseRow(text) }] : []
  })
}
