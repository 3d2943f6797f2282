import type { Context } from '../../../context.ts'
import { signedUrls } from '../../../files/signed-url.ts'
import type { Call, Reply } from '../../../http/route.ts'
import { sendSigned } from '../../../http/signed-file.ts'
import type { Place } from '../../../jsonapi/cursor.ts'
import { readListQuery } from '../../../jsonapi/list-query.ts'
import { around, isBackward } from '../../list/page.ts'
import { cursorPage, listCursors, readPlaces } from '../../show/pages.ts'
import { cursorFrom } from '../feed/place.ts'
import { renderFile, shape, type } from './document.ts'
import { findFile, type ListedFile, newestFiles } from './files.ts'
import { bulkStore, contentType, fileName } from './store.ts'

/** GET: the newest bulk files, one per resource, in order of name. */
export const listBulkFiles = async (context: Context, call: Call): Promise<Reply> => {
  const query = readListQuery(call.url.searchParams, shape)
  const cursors = listCursors(context, call, query, 'resource')
  const { after, before } = readPlaces(cursors, query)
  const files = await newestFiles(context.db)
  const page = cut(files, query.size, after, before)
  const urlOf = signedUrls(context, 'bulk', call.now)
  const changesCursor = await cursorFrom(context, files[0]?.feed_no ?? 0)
  const texts = page.files.map((file) => {
    const { url: downloadUrl } = urlOf(file.id, fileName(file.resource))
    return JSON.stringify(renderFile(file, { changesCursor, downloadUrl }, query.fields.get(type)))
  })
  return cursorPage(context, call, cursors, texts, {
    ...page,
    places: page.files.map(({ resource }) => [resource]),
    total: files.length,
    isGuess: false,
  })
}

/** The page of the list after one place, before another, or between both. An empty place is the end of the list. */
const cut = (all: ListedFile[], size: number, after: Place | undefined, before: Place | undefined) => {
  const isAfter = ({ resource }: ListedFile) => !after || (after.length > 0 && resource > String(after[0]))
  const isBefore = ({ resource }: ListedFile) => !before || before.length === 0 || resource < String(before[0])
  const between = all.filter((file) => isAfter(file) && isBefore(file))
  const files = isBackward({ after, before }) ? between.slice(-size) : between.slice(0, size)
  return { files, ...around({ after, before }, files.length < between.length) }
}

const address = { kind: 'bulk', advice: 'Read the list of bulk files again for a new one.' } as const

/** A bulk file, for anyone with its signed URL. Its ETag is its SHA-256. 404 if the file isn't kept anymore. */
export const downloadBulkFile = (context: Context, call: Call): Promise<Reply> =>
  sendSigned(context, call, address, async ({ id, seconds }) => {
    const listed = await findFile(context.db, id)
    const file = listed && (await bulkStore(context.config).serve(id, fileName(listed.resource), seconds))
    return file && { file, mediaType: contentType, etag: listed.sha256 }
  })
