import type { Config } from '../config.ts'
import { folderStore } from './folder-store.ts'
import { s3Store } from './s3-store.ts'
import type { Place, Store } from './store.ts'

/** The store that the settings name: an S3 bucket, else a folder in DATA_DIR. Opens nothing itself. */
export const openStore = ({ s3, dataDir }: Pick<Config, 'dataDir' | 's3'>, place: Place): Store =>
  s3 ? s3Store(s3, place) : folderStore(`${dataDir}/${place.folder}`, place.spread)
