import type { Config } from '../../../config.ts'
import { openStore } from '../../../files/open-store.ts'
import type { Store } from '../../../files/store.ts'

/** The name under which the file of a resource is kept and downloaded. */
export const fileName = (resource: string) => `${resource}.ndjson.gz`

/** The media type of every bulk file. */
export const contentType = 'application/gzip'

/** Where bulk files are kept, by their ids. A file that no list names is half written, or old. */
export const bulkStore = (config: Pick<Config, 'dataDir' | 's3'>): Store => openStore(config, { folder: 'bulk' })
