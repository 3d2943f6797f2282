import { fdatasyncSync } from 'node:fs'
import { type Extension, PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { plannerSettings } from '../postgres.ts'
import { fsBundle, type Programs, readExtension } from './assets.ts'
import { databaseFiles } from './open-files.ts'
import { syncDirectory } from './sync.ts'

type Stream = { nfd?: number; node: object }
type Changes = { mode?: number }
type Operations<File> = { setattr: (file: File, changes: Changes) => void }
type Module = {
  NODEFS: {
    node_ops: Operations<object>
    stream_ops: Operations<Stream> & { fsync?: (stream: Stream) => number }
    realPath: (node: object) => string
  }
}

/**
 * Starts PGlite on a directory with a database, or creates one there. A durable one has everything on disk that it has
 * committed; one that is not, for tests, loses it in a power cut. `broken` gets the reason when it can serve no more:
 * on a full disk, for one.
 */
export const startServer = async (
  programs: Programs,
  directory: string,
  durable: boolean,
  broken: (reason: string) => void,
): Promise<PGlite> => {
  let lastWords: string | undefined
  const reason = (error: unknown) => lastWords ?? (error as Error).message
  try {
    const server = await PGlite.create({
      ...programs,
      fsBundle: fsBundle(),
      fs: new OwnSyncedFiles(directory),
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

// PGlite goes on after whatever a statement throws, for ever if the program inside has ended. A status of 100 is an
// ordinary error of a statement.
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
 * Gives PGlite's file system the operation it lacks: without it, every sync that PostgreSQL asks for does nothing. And no file is
 * anybody's but the owner's: PGlite sets modes itself, whatever the umask of the process is.
 */
class OwnSyncedFiles extends NodeFS {
  override async init(...[pg, given]: Parameters<NodeFS['init']>) {
    const { emscriptenOpts } = await super.init(pg, given)
    const installSync = (module: Module) => {
      module.NODEFS.stream_ops.fsync = (stream) => {
        if (stream.nfd === undefined) syncDirectory(module.NODEFS.realPath(stream.node))
        else fdatasyncSync(stream.nfd)
        return 0
      }
    }
    const installModes = ({ NODEFS }: Module) => {
      closeToOthers(NODEFS.node_ops)
      closeToOthers(NODEFS.stream_ops)
    }
    const preRun = [...(emscriptenOpts.preRun ?? []), installSync as never, installModes as never]
    return { emscriptenOpts: { ...emscriptenOpts, preRun } }
  }
}

const closeToOthers = <File>(operations: Operations<File>) => {
  const { setattr } = operations
  operations.setattr = (file, changes) =>
    setattr(file, changes.mode === undefined ? changes : { ...changes, mode: changes.mode & ~0o077 })
}

// PGlite's own way to an extension's files does not reach into an executable, so they are handed to it.
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

// PGlite's defaults without -F, which turns every sync off. PGlite's fdatasync does nothing; its fsync is ours.
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
    // Everyone waits while a table is analyzed: a quarter of the usual sample takes a fifth of the time.
    default_statistics_target: '25',
    ...plannerSettings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
]
