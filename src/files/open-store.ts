import type { Config } from '../config.ts'
import { folderStore } from './folder-store.ts'
import { s3Store } from './s3-store.ts'
import type { Place, Store } from './store.ts'

/** The store in the settings: an S3 bucket, or else a folder in DATA_DIR. Connects to nothing yet. */
export const openStore = ({ s3, dataDir }: Pick<Config, 'dataDir' | 's3'>, place: Place): Store =>
  s3 ? s3Store(s3, place) : folderStore(`${dataDir}/${place.folder}`, place.spread)
