import initdb from '../../node_modules/@electric-sql/pglite/dist/initdb.wasm' with { type: 'file' }
import trigrams from '../../node_modules/@electric-sql/pglite/dist/pg_trgm.tar.gz' with { type: 'file' }
import files from '../../node_modules/@electric-sql/pglite/dist/pglite.data' with { type: 'file' }
import server from '../../node_modules/@electric-sql/pglite/dist/pglite.wasm' with { type: 'file' }
import unaccent from '../../node_modules/@electric-sql/pglite/dist/unaccent.tar.gz' with { type: 'file' }

/** Reads the parts of PGlite, from node_modules or from inside the executable alike, as PGlite's own options want them. */
export const readServerParts = async () => {
  const [pgliteWasmModule, initdbWasmModule] = await Promise.all([server, initdb].map(compile))
  if (!pgliteWasmModule || !initdbWasmModule) throw new Error('the embedded database has no program')
  return { pgliteWasmModule, initdbWasmModule, fsBundle: Bun.file(files) }
}

/** The extensions' files, each as a tar. */
export const readExtension = {
  pg_trgm: () => unzipped(trigrams),
  unaccent: () => unzipped(unaccent),
}

const unzipped = async (path: string) => new Blob([Bun.gunzipSync(await Bun.file(path).bytes())])

const compile = async (path: string) => WebAssembly.compile(await Bun.file(path).arrayBuffer())
