import { fdatasyncSync } from 'node:fs'
import { type Extension, PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { plannerSettings } from '../postgres.ts'
import { fsBundle, type Programs, readExtension } from './assets.ts'
import { databaseFiles, type HeldDescriptors } from './open-files.ts'
import { syncDirectory } from './sync.ts'

type Stream = { nfd?: number | null; node: object }
type Changes = { mode?: number }
type Operations<File> = { setattr: (file: File, changes: Changes) => void }
type Create = (parent: object, name: string, mode: number, device: number) => object
type Module = {
  FS: { lookupNode: (parent: object, name: string) => object; destroyNode: (node: object) => void }
  NODEFS: {
    node_ops: Operations<object> & { mknod: Create }
    stream_ops: Operations<Stream> & {
      open: (stream: Stream) => void
      close: (stream: Stream) => void
      fsync?: (stream: Stream) => number
    }
    realPath: (node: object) => string
  }
}

/**
 * Starts PGlite on a directory with a database, or creates one there. A durable one has everything that it has committed on
 * disk. One that isn't, for tests, loses data in a power cut. `held` has a 1 at each descriptor that it holds. `broken` gets the
 * reason when it can't serve any more, for example because the disk is full.
 */
export const startServer = async (
  programs: Programs,
  directory: string,
  durable: boolean,
  held: HeldDescriptors,
  broken: (reason: string) => void,
): Promise<PGlite> => {
  let lastWords: string | undefined
  const reason = (error: unknown) => lastWords ?? (error as Error).message
  try {
    const server = await PGlite.create({
      ...programs,
      fsBundle: fsBundle(),
      fs: new OwnSyncedFiles(directory, held),
      extensions: { pg_trgm: extension('pg_trgm'), unaccent: extension('unaccent') },
      initDbStartParams: ['--wal-segsize=4', '--data-checksums'],
      startParams: [...startParams, '-c', `max_files_per_process=${databaseFiles()}`, ...(durable ? [] : ['-F'])],
      onStderr: (line) => {
        lastWords = /(?:FATAL|PANIC): +(.*)/.exec(line)?.[1] ?? lastWords
        return false
      },
    })
    reportBreakdown(server.Module, (error) => broken(reason(error)))
    return server
  } catch (error) {
    throw new Error(reason(error))
  }
}

// PGlite carries on after anything that a statement throws, even forever after the program inside has ended. A status of 100 is
// a statement's ordinary error.
const reportBreakdown = (module: Running, broken: (error: unknown) => void) => {
  const run = module._PostgresMainLoopOnce
  module._PostgresMainLoopOnce = () => {
    try {
      run()
    } catch (error) {
      if ((error as { status?: number }).status !== 100) broken(error)
      throw error
    }
  }
}

type Running = { _PostgresMainLoopOnce: () => void }

/**
 * Adds the operation that PGlite's file system lacks: without it, the syncs that PostgreSQL asks for do nothing. It also makes
 * files accessible only to their owner, because PGlite sets modes itself, whatever the process's umask.
 */
class OwnSyncedFiles extends NodeFS {
  readonly #held: HeldDescriptors

  constructor(directory: string, held: HeldDescriptors) {
    super(directory)
    this.#held = held
  }

  override async init(...[pg, given]: Parameters<NodeFS['init']>) {
    const { emscriptenOpts } = await super.init(pg, given)
    const installSync = (module: Module) => {
      module.NODEFS.stream_ops.fsync = (stream) => {
        if (typeof stream.nfd !== 'number') syncDirectory(module.NODEFS.realPath(stream.node))
        else fdatasyncSync(stream.nfd)
        return 0
      }
    }
    const installModes = ({ NODEFS }: Module) => {
      closeToOthers(NODEFS.node_ops)
      closeToOthers(NODEFS.stream_ops)
    }
    const installCreate = ({ FS, NODEFS }: Module) => forgetFailed(NODEFS.node_ops, FS)
    const noteDescriptors = ({ NODEFS }: Module) => note(NODEFS.stream_ops, this.#held)
    const preRun = [
      ...(emscriptenOpts.preRun ?? []),
      installSync,
      installModes,
      installCreate,
      noteDescriptors,
    ] as never[]
    return { emscriptenOpts: { ...emscriptenOpts, preRun } }
  }
}

const note = (operations: Module['NODEFS']['stream_ops'], held: HeldDescriptors) => {
  const { open, close } = operations
  operations.open = (stream) => {
    open(stream)
    if (typeof stream.nfd === 'number') held[stream.nfd] = 1
  }
  operations.close = (stream) => {
    const { nfd } = stream
    // First: once it is closed, another thread may get this number.
    if (typeof nfd === 'number') held[nfd] = 0
    close(stream)
  }
}

/** Forgets a file that couldn't be created. PGlite would take it for there, and never create it again. */
const forgetFailed = (operations: { mknod: Create }, files: Module['FS']) => {
  const { mknod } = operations
  operations.mknod = (parent, name, mode, device) => {
    try {
      return mknod(parent, name, mode, device)
    } catch (error) {
      files.destroyNode(files.lookupNode(parent, name))
      throw error
    }
  }
}

const closeToOthers = <File>(operations: Operations<File>) => {
  const { setattr } = operations
  operations.setattr = (file, changes) =>
    setattr(file, changes.mode === undefined ? changes : { ...changes, mode: changes.mode & ~0o077 })
}

// PGlite's own way to load an extension's files doesn't work inside an executable, so they are passed to it.
const extension = (name: keyof typeof readExtension): Extension => ({
  name,
  setup: async (_pg, options) => {
    const bundle = readExtension[name]()
    const handOver = (module: { pg_extensions: Record<string, Promise<Blob>> }) => {
      module.pg_extensions[name] = bundle
    }
    return { emscriptenOpts: { ...options, preRun: [...(options.preRun ?? []), handOver] } }
  },
})

// PGlite's defaults without -F, which turns off every sync. PGlite's fdatasync does nothing. Its fsync is ours.
const startParams = [
  '--single',
  '-O',
  '-j',
  ...Object.entries({
    wal_sync_method: 'fsync',
    search_path: 'public',
    timezone: 'UTC',
    shared_buffers: '16MB',
    exit_on_error: 'false',
    log_checkpoints: 'false',
    max_worker_processes: '0',
    max_parallel_workers: '0',
    max_parallel_workers_per_gather: '0',
    max_parallel_maintenance_workers: '0',
    io_method: 'sync',
    // Everyone waits while a table is analyzed. A quarter of the usual sample takes a fifth of the time.
    default_statistics_target: '25',
    ...plannerSettings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
]
