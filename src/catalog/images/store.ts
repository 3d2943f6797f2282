import type { Config } from '../../config.ts'
import { folderStore } from './folder-store.ts'
import { s3Store } from './s3-store.ts'
import type { FileName, ImageFile } from './variants.ts'

/** Where the files of images are kept. A file never changes once it is there. */
export type ImageStore = {
  /** Keeps all files of an image; when it answers they survive a power cut. */
  save: (id: string, files: ImageFile[]) => Promise<void>
  /** A file's bytes, or an address that serves them for so many seconds; undefined where there is no such file. */
  serve: (id: string, name: FileName, seconds: number) => Promise<Blob | URL | undefined>
  /** Removes the files of an image; there need not be any. */
  remove: (id: string) => Promise<void>
  /** Fails where the store cannot be written to: for `cardstock doctor`. */
  probe: () => Promise<void>
}

/** The store that the settings name: an S3 bucket, else a folder in DATA_DIR. Opens nothing itself. */
export const imageStore = (config: Pick<Config, 'dataDir' | 's3'>): ImageStore =>
  config.s3 ? s3Store(config.s3) : folderStore(`${config.dataDir}/images`)
