import type { Context } from '../../../context.ts'
import { signedUrls } from '../../../files/signed-url.ts'
import type { Call, Reply } from '../../../http/route.ts'
import { sendSigned } from '../../../http/signed-file.ts'
import type { Place } from '../../../jsonapi/cursor.ts'
import { ApiError } from '../../../jsonapi/errors.ts'
import { readListQuery } from '../../../jsonapi/list-query.ts'
import { around, isBackward } from '../../list/page.ts'
import { cursorPage, listCursors, readPlaces } from '../../show/pages.ts'
import { cursorFrom } from '../feed/place.ts'
import { path, renderFile, shape, type } from './document.ts'
import { findFile, type ListedFile, newestFiles } from './files.ts'
import { bulkStore, contentType, fileName } from './store.ts'

/** GET: the newest bulk files, one per resource, in order of name. Withdrawn ones aren't listed, but named in `meta`. */
export const listBulkFiles = async (context: Context, call: Call): Promise<Reply> => {
  const query = readListQuery(call.url.searchParams, shape)
  const cursors = listCursors(context, call, query, 'resource')
  const { after, before } = readPlaces(cursors, query)
  const newest = await newestFiles(context.db)
  const files = newest.filter((file) => !file.is_withdrawn)
  const withdrawn = newest.filter((file) => file.is_withdrawn).map(({ resource }) => resource)
  const page = cut(files, query.size, after, before)
  const urlOf = signedUrls(context, 'bulk', call.now)
  const changesCursor = await cursorFrom(context, newest[0]?.feed_no ?? 0)
  const texts = page.files.map((file) => {
    const { url: downloadUrl } = urlOf(file.id, fileName(file.resource))
    return JSON.stringify(renderFile(file, { changesCursor, downloadUrl }, query.fields.get(type)))
  })
  return cursorPage(context, call, cursors, texts, {
    ...page,
    places: page.files.map(({ resource }) => [resource]),
    total: files.length,
    isGuess: false,
    meta: withdrawn.length > 0 ? { withdrawn } : {},
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

/** 410: a bulk file with records that aren't published anymore. `about` links to the list of files. */
const fileWithdrawn = (about: string) => {
  const detail = 'Records in this file were unpublished or deleted. A new file is made within five minutes.'
  return new ApiError(410, [
    { status: '410', code: 'FILE_WITHDRAWN', title: 'File withdrawn', detail, links: { about } },
  ])
}

/**
 * A bulk file, for anyone with its signed URL. Its ETag is its SHA-256. 410 if records of it were unpublished or deleted, 404 if it
 * isn't kept anymore.
 */
export const downloadBulkFile = (context: Context, call: Call): Promise<Reply> =>
  sendSigned(context, call, address, async ({ id, seconds }) => {
    const listed = await findFile(context.db, id)
    if (listed?.is_withdrawn) throw fileWithdrawn(`${context.config.baseUrl}${path}`)
    const file = listed && (await bulkStore(context.config).serve(id, fileName(listed.resource), seconds))
    return file && { file, mediaType: contentType, etag: listed.sha256 }
  })
