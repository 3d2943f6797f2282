import type { Config } from '../../../config.ts'
import { folderStore } from './folder-store.ts'
import { s3Store } from './s3-store.ts'

/** Where the bytes of one file go, one piece after the other. */
export type Sink = {
  write: (bytes: Uint8Array) => Promise<void>
  /** Answers when the file survives a power cut. */
  end: () => Promise<void>
  /** Gives the file up in the middle, in the place of `end`. */
  drop: () => Promise<void>
}

/** Where bulk files are kept: beside the images. A file never changes once it is there. */
export type BulkStore = {
  create: (id: string, resource: string) => Promise<Sink>
  /** A file's bytes, or an address that serves them for so many seconds; undefined where there is no such file. */
  serve: (id: string, resource: string, seconds: number) => Promise<Blob | URL | undefined>
  /** Removes a file, half written or whole; there need not be one. */
  remove: (id: string) => Promise<void>
  /** The ids of all files that are there, half written ones too. */
  list: () => Promise<string[]>
}

/** The store that the settings name: an S3 bucket, else a folder in DATA_DIR. Opens nothing itself. */
export const bulkStore = (config: Pick<Config, 'dataDir' | 's3'>): BulkStore =>
  config.s3 ? s3Store(config.s3) : folderStore(`${config.dataDir}/bulk`)
