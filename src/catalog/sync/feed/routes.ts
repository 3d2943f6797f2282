import { Type } from '@sinclair/typebox'
import type { Database } from '../../../../db/client.ts'
import { levelOf } from '../../../access/caller.ts'
import type { Context } from '../../../context.ts'
import { fieldsParameter } from '../../../http/parameters.ts'
import type { Call, Reply, Route } from '../../../http/route.ts'
import type { Cursors } from '../../../jsonapi/cursor.ts'
import { cursorPageType, invalidCursor } from '../../../jsonapi/cursor-profile.ts'
import { cursorExpired } from '../../../jsonapi/errors.ts'
import { oneOf } from '../../../jsonapi/fields.ts'
import { recordsOf } from '../../api/related.ts'
import { renderingOf } from '../../show/answers.ts'
import { renderCopy } from '../../show/render.ts'
import { feedCursors, writePlace } from './cursors.ts'
import { example, feedPage, path, renderEntry } from './document.ts'
import { countNews, isWaitingOver, waitForNews } from './news.ts'
import { catchUp } from './number.ts'
import { type FeedQuery, feedFields, feedSizes, feedTypes, longestWait, readFeedQuery } from './query.ts'
import { type Ends, type Entry, type FeedPlace, isOfFeed, readEnds, readEntries } from './read.ts'

const read = async (context: Context, call: Call): Promise<Reply> => {
  const query = readFeedQuery(call.url.searchParams)
  const cursors = feedCursors(context)
  const { entries, next } = await readOrWait(context, call, query, placeReader(context, query, cursors))
  const address = `${context.config.baseUrl}${path}`
  const at = (cursor?: string) => {
    const parameters = new URLSearchParams(call.url.searchParams)
    parameters.delete('page[after]')
    if (cursor) parameters.set('page[after]', cursor)
    return `${address}${parameters.size > 0 ? `?${parameters}` : ''}`
  }
  const write = (place: FeedPlace) => writePlace(cursors, place)
  return {
    status: 200,
    mediaType: cursorPageType,
    body: {
      jsonapi: { version: '1.1' },
      links: { self: `${address}${call.url.search}`, first: at(), prev: null, next: at(write(next)) },
      data: entries.map((entry) => renderEntry(entry, write(entry.next), query.fields.get('changes'))),
      ...(query.includesResource ? { included: await resourcesOf(context, call, query, entries) } : {}),
      meta: { page: { cursor: write(next) } },
    },
  }
}

/** Where a request begins to read, once the ends of the feed are known. */
const placeReader =
  ({ config, db }: Context, { after }: FeedQuery, cursors: Cursors) =>
  async (ends: Ends): Promise<FeedPlace> => {
    const { oldest, last } = ends
    if (after === undefined) return { no: oldest, taken: 0 }
    if (after === 'now') return { no: last + 1, taken: 0, mark: ends.mark }
    const [no, taken, mark] = cursors.read(after) ?? []
    if (typeof no !== 'number' || typeof taken !== 'number') throw invalidCursor('page[after]')
    const place = { no, taken, mark: typeof mark === 'string' ? mark : undefined }
    if (no < oldest || no > last + 1 || !(await isOfFeed(db, place, ends)))
      throw cursorExpired(`${config.baseUrl}/v2/bulk`)
    return place
  }

/** Reads from the cursor on; where nothing is there yet, waits for it as long as the request says. */
const readOrWait = async (
  { db }: Context,
  call: Call,
  query: FeedQuery,
  placeIn: (ends: Ends) => Promise<FeedPlace>,
) => {
  const until = performance.now() + query.waitSeconds * 1000
  const wanted = { level: levelOf(call.caller), size: query.size, types: query.types }
  let told = countNews(db)
  let ends = await readEnds(db)
  if (ends.isBehind) ends = await readCaughtUp(db)
  let place = await placeIn(ends)
  for (;;) {
    const { entries, next } = await readEntries(db, place, ends, wanted)
    // What was swept while it was read is missing from the page: nobody may be led past it.
    const kept = place.no <= ends.last ? await readEnds(db) : ends
    if (kept.oldest > place.no) {
      ends = kept
      place = await placeIn(ends)
      continue
    }
    const left = until - performance.now()
    const mayWait = left > 0 && !isWaitingOver(db) && !call.request.signal.aborted
    if (entries.length > 0 || !mayWait) return { entries, next }
    place = next
    if (place.no > ends.last) await waitForNews(db, told, left)
    told = countNews(db)
    ends = await readEnds(db)
  }
}

/** The ends of the feed once it has what committed before it was asked. */
const readCaughtUp = async (db: Database): Promise<Ends> => {
  await catchUp(db)
  return readEnds(db)
}

/** The resource objects of what was created or changed, as they are now, each once. */
const resourcesOf = async (context: Context, { caller, now }: Call, { fields }: FeedQuery, entries: Entry[]) => {
  const upserts = new Map(entries.flatMap((one) => (one.action === 'upsert' ? [[`${one.type} ${one.id}`, one]] : [])))
  const rendering = renderingOf(context, now)
  const records = await recordsOf(context, [...upserts.values()], levelOf(caller))
  return records.map(({ resource, row }) => renderCopy(resource, row, rendering, fields))
}

/** What happened to the catalog, in an order without gaps. */
export const feedRoutes: Route[] = [
  {
    method: 'GET',
    path,
    operationId: 'listChanges',
    tag: 'Changes',
    access: 'catalog',
    scope: 'read',
    summary: 'Follow what happens to the catalog',
    description:
      'What was created, changed or deleted, as the caller may see it: what is unpublished is a `delete` to a reader of published data, and what is published an `upsert`. Ask on at `links.next`, which is always there; with `wait` an empty page comes only after so many seconds. No change ever appears behind a cursor that was given. Changes are kept for 90 days; an older cursor is a 410 with a link to the bulk files. A page may be shorter than `page[size]`, or empty, before the end of the feed.',
    query: {
      'page[after]': {
        schema: Type.String(),
        description: 'A cursor, or `now` for the end of the feed; left out: the oldest change that is kept.',
        example: 'now',
      },
      'page[size]': {
        schema: Type.Integer({ minimum: 1, maximum: feedSizes.most, default: feedSizes.default }),
        description: 'How many changes a page holds at most.',
        example: feedSizes.default,
      },
      'filter[type]': {
        schema: Type.Array(oneOf(feedTypes)),
        description: 'Only changes of these types, separated by commas.',
        example: ['cards', 'sets'],
      },
      wait: {
        schema: Type.Integer({ minimum: 0, maximum: longestWait, default: 0 }),
        description: 'How many seconds to wait for a change where there is none.',
        example: 20,
      },
      include: {
        schema: Type.Array(oneOf(['resource'])),
        description: 'Brings along what was created or changed, as it is now.',
        example: ['resource'],
      },
      ...Object.assign(
        {},
        ...Object.entries(feedFields).map(([type, fields]) => fieldsParameter(type, fields, fields.slice(0, 2))),
      ),
    },
    answers: {
      200: { description: 'A page of the feed.', schema: feedPage, mediaType: cursorPageType, example },
    },
    refusals: [400, 410],
    waitsForNews: (url) => Number(url.searchParams.get('wait')) > 0,
    handle: read,
  },
]
