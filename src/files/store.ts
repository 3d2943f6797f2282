/** A file to keep: its name below its id, and its bytes. */
export type KeptFile = { name: string; contentType: string; bytes: Uint8Array }

/** Takes the bytes of one file, piece by piece. */
export type Sink = {
  write: (bytes: Uint8Array) => Promise<void>
  /** Resolves once the file survives a power cut. */
  end: () => Promise<void>
  /** Abandons the file halfway, instead of `end`. */
  drop: () => Promise<void>
}

/** Files that never change once they exist, some under each id. */
export type Store = {
  /** Keeps all files of an id, or none; resolves once they survive a power cut. */
  save: (id: string, files: KeptFile[]) => Promise<void>
  /** Opens one file of an id for writing, of any length. */
  create: (id: string, name: string, contentType: string) => Promise<Sink>
  /** A file's bytes, or an address that serves them for some seconds; undefined if there is no such file. */
  serve: (id: string, name: string, seconds: number) => Promise<Blob | URL | undefined>
  /** Removes all files of an id, half-written ones too; there need not be any. */
  remove: (id: string) => Promise<void>
  /** The ids in a folder that is not spread, half-written ones too. */
  list: () => Promise<string[]>
  /** Fails if the store cannot be written to: for `cardstock doctor`. */
  probe: () => Promise<void>
}

/**
 * Where a kind of file is stored: its folder of DATA_DIR, or its prefix in the bucket. `spread` puts the ids of a folder into
 * 256 folders by their last two digits. `names` are all that an id can have; without them a bucket is listed.
 */
export type Place = { folder: string; spread?: boolean; names?: readonly string[] }
