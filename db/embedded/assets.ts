import initdb from '../../node_modules/@electric-sql/pglite/dist/initdb.wasm' with { type: 'file' }
import trigrams from '../../node_modules/@electric-sql/pglite/dist/pg_trgm.tar.gz' with { type: 'file' }
import files from '../../node_modules/@electric-sql/pglite/dist/pglite.data' with { type: 'file' }
import server from '../../node_modules/@electric-sql/pglite/dist/pglite.wasm' with { type: 'file' }
import unaccent from '../../node_modules/@electric-sql/pglite/dist/unaccent.tar.gz' with { type: 'file' }

/** PGlite's programs, in the form of its options. */
export type Programs = { pgliteWasmModule: WebAssembly.Module; initdbWasmModule: WebAssembly.Module }

/**
 * Compiles PGlite's programs, whether from node_modules or from inside the executable, once per process. All databases that it
 * starts share them, so what the engine optimizes for one is optimized for the next.
 */
export const compilePrograms = (): Promise<Programs> => {
  compiled ??= Promise.all([compile(server), compile(initdb)]).then(([pgliteWasmModule, initdbWasmModule]) => ({
    pgliteWasmModule,
    initdbWasmModule,
  }))
  return compiled
}

let compiled: Promise<Programs> | undefined

/** PGlite's files. */
export const fsBundle = (): Blob => Bun.file(files)

/** The extensions' files, each as a tar. */
export const readExtension = {
  pg_trgm: () => unzipped(trigrams),
  unaccent: () => unzipped(unaccent),
}

const unzipped = async (path: string) => new Blob([Bun.gunzipSync(await Bun.file(path).bytes())])

const compile = async (path: string) => WebAssembly.compile(await Bun.file(path).arrayBuffer())
