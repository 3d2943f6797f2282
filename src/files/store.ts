/** A file to keep: its name under its id, and its bytes. */
export type KeptFile = { name: string; contentType: string; bytes: Uint8Array }

/** Accepts the bytes of one file, piece by piece. */
export type Sink = {
  write: (bytes: Uint8Array) => Promise<void>
  /** Resolves once the file survives a power cut. */
  end: () => Promise<void>
  /** Abandons the file halfway, instead of `end`. */
  drop: () => Promise<void>
}

/** Files under ids. They never change once they exist. */
export type Store = {
  /** Keeps all files of an id, or none. Resolves once they survive a power cut. */
  save: (id: string, files: KeptFile[]) => Promise<void>
  /** Opens one file of an id for writing, of any length. */
  create: (id: string, name: string, contentType: string) => Promise<Sink>
  /** A file's bytes, or a URL that serves them for this many seconds. Undefined if there is no such file. */
  serve: (id: string, name: string, seconds: number) => Promise<Blob | URL | undefined>
  /** Removes all files of an id, including half-written ones. There may be none. */
  remove: (id: string) => Promise<void>
  /** The ids in a folder that isn't spread, including half-written ones. */
  list: () => Promise<string[]>
  /** Fails if the store can't be written to. For `cardstock doctor`. */
  probe: () => Promise<void>
}

/**
 * Where a kind of file is stored: its folder in DATA_DIR, or its prefix in the bucket. `spread` divides the ids over 256
 * folders by their last two digits. `names` are all the names that an id can have; without them, a bucket is listed.
 */
export type Place = { folder: string; spread?: boolean; names?: readonly string[] }
