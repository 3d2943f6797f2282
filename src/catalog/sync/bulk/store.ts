import type { Config } from '../../../config.ts'
import { openStore } from '../../../files/open-store.ts'
import type { Store } from '../../../files/store.ts'

/** The name of a resource's file, for storage and downloads. */
export const fileName = (resource: string) => `${resource}.ndjson.gz`

/** The media type of every bulk file. */
export const contentType = 'application/gzip'

/** Where bulk files are kept, by id. A file that isn't listed is half written or old. */
export const bulkStore = (config: Pick<Config, 'dataDir' | 's3'>): Store => openStore(config, { folder: 'bulk' })
