import type { Context } from '../../../context.ts'
import type { Call, Reply } from '../../../http/route.ts'
import { sendSigned } from '../../../http/signed-file.ts'
import { findFile } from './files.ts'
import { bulkStore, contentType, fileName } from './store.ts'

const address = { kind: 'bulk', advice: 'read the list of bulk files again.' } as const

/** A bulk file, for whoever has its signed address: 404 once it is no longer kept. Its ETag is its SHA-256. */
export const downloadBulkFile = (context: Context, call: Call): Promise<Reply> =>
  sendSigned(context, call, address, async ({ id, seconds }) => {
    const listed = await findFile(context.db, id)
    const file = listed && (await bulkStore(context.config).serve(id, fileName(listed.resource), seconds))
    return file && { file, mediaType: contentType, etag: listed.sha256 }
  })
