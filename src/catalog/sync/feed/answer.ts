import type { Database } from '../../../../db/client.ts'
import { levelOf } from '../../../access/caller.ts'
import type { Context } from '../../../context.ts'
import type { Call, Reply } from '../../../http/route.ts'
import type { Cursors } from '../../../jsonapi/cursor.ts'
import { cursorPageType, invalidCursor } from '../../../jsonapi/cursor-profile.ts'
import { cursorExpired } from '../../../jsonapi/errors.ts'
import { copied } from '../../model/v2.ts'
import { renderingOf } from '../../show/answers.ts'
import { findMerged } from '../../show/merged.ts'
import { recordsOf } from '../../show/pages.ts'
import { renderCopy } from '../../show/render.ts'
import { renderEntry } from './document.ts'
import { countNews, isWaitingOver, waitForNews } from './news.ts'
import { catchUp } from './number.ts'
import { type Ends, type FeedPlace, feedCursors, isOfFeed, path, readEnds, writePlace } from './place.ts'
import { type FeedQuery, readFeedQuery } from './query.ts'
import { type Entry, readEntries } from './read.ts'

/** GET: the changes of the catalog, in an order without gaps. */
export const readChanges = async (context: Context, call: Call): Promise<Reply> => {
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
  const gone = entries.filter(({ action }) => action === 'delete').map(({ id }) => id)
  const merged = await findMerged(context.db, gone, levelOf(call.caller))
  return {
    status: 200,
    mediaType: cursorPageType,
    body: {
      jsonapi: { version: '1.1' },
      links: { self: `${address}${call.url.search}`, first: at(), prev: null, next: at(write(next)) },
      data: entries.map((entry) =>
        renderEntry(
          entry,
          write(entry.next),
          query.fields.get('changes'),
          entry.action === 'delete' ? merged.get(entry.id) : undefined,
        ),
      ),
      ...(query.includesResource ? { included: await resourcesOf(context, call, query, entries) } : {}),
      meta: { page: { cursor: write(next) } },
    },
  }
}

/** Finds the place where a request starts to read, given the ends of the feed. Throws 400 for a bad cursor, 410 for an expired one. */
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

/** Reads from the cursor on. If there is nothing new, waits as long as the request allows. */
const readOrWait = async (
  { db }: Context,
  call: Call,
  query: FeedQuery,
  placeIn: (ends: Ends) => Promise<FeedPlace>,
) => {
  const until = performance.now() + query.waitSeconds * 1000
  const wanted = { level: levelOf(call.caller), size: query.size, types: query.types }
  let seen = countNews(db)
  let ends = await readEnds(db)
  if (ends.isBehind) ends = await readCaughtUp(db)
  let place = await placeIn(ends)
  for (;;) {
    const { entries, next } = await readEntries(db, place, ends, wanted)
    // A change that was swept during the read is missing from the page, and the reader must not skip it.
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
    if (place.no > ends.last) await waitForNews(db, seen, left)
    seen = countNews(db)
    ends = await readEnds(db)
  }
}

/** The ends of the feed after numbering what has committed so far. */
const readCaughtUp = async (db: Database): Promise<Ends> => {
  await catchUp(db)
  return readEnds(db)
}

/** The current resource objects of what was created or changed, each once. */
const resourcesOf = async (context: Context, { caller, now }: Call, { fields }: FeedQuery, entries: Entry[]) => {
  const upserts = new Map(entries.flatMap((one) => (one.action === 'upsert' ? [[`${one.type} ${one.id}`, one]] : [])))
  const rendering = renderingOf(context, now)
  const records = await recordsOf(context, [...upserts.values()], levelOf(caller))
  return records.map(({ resource, row }) => renderCopy(copied(resource), row, rendering, fields))
}
