import type { Config } from '../../config.ts'
import { openStore } from '../../files/open-store.ts'
import type { Store } from '../../files/store.ts'
import { fileNames } from './variants.ts'

/** Where image files are kept, by the image's id. */
export const imageStore = (config: Pick<Config, 'dataDir' | 's3'>): Store =>
  openStore(config, { folder: 'images', spread: true, names: fileNames })
