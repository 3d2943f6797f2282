import { chmod, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { newestFiles } from '../catalog/sync/bulk/files.ts'
import { makeBulkFiles } from '../catalog/sync/bulk/make.ts'
import { fileName } from '../catalog/sync/bulk/store.ts'
import { type BulkFile, type WriteOptions, writeGeneration } from '../catalog/sync/bulk/write.ts'
import { exportCatalog } from '../catalog/sync/export/export.ts'
import { cursorFrom } from '../catalog/sync/feed/place.ts'
import type { Context } from '../context.ts'
import { openSink } from '../files/folder-store.ts'
import { counted } from '../lib/counted.ts'
import { fileFault, fileReason } from '../lib/file-fault.ts'
import { answer, jsonFlag, required } from './answers.ts'
import { type Command, type ExitCode, Failed, type Io, WrongUsage } from './command.ts'
import { on, readFlags, text } from './flags.ts'
import { showProgress } from './progress.ts'

/** The command `export`: prints the whole catalog as lines that `import` reads. */
export const exportCommand: Command = {
  name: 'export',
  summary: 'write the catalog to standard output, as JSON Lines for import',
  help: `Usage: cardstock export [--json]
       cardstock export --bulk [--out DIR] [--json]

Writes every record of the catalog to standard output, one JSON object per line, with import's columns plus ids and deleted
state. Import it into an empty database and you have the same catalog. It leaves out image files and accounts; cardstock
backup includes them. The number of lines goes to standard error.

With --bulk it makes the bulk files that GET /v2/bulk lists: published data, one gzip file per type with a JSON:API object on
each line. It returns once they are listed or, with --out, once they are in the folder.

  --bulk      make the bulk files now
  --out DIR   write them into a folder instead of listing them
  --json      print a summary as one JSON object; without --bulk, to standard error
`,
  run: async (context, args, io) => {
    const { flags } = readFlags(args, { ...jsonFlag, ...bulkFlags })
    if (flags.bulk) return exportBulk(context, flags, io)
    if (flags.out !== undefined) throw new WrongUsage('--out works only with --bulk')
    const { db } = context
    const lines: Record<string, number> = {}
    const progress = showProgress(io.stderr)
    for await (const page of exportCatalog(db)) {
      if (io.signal.aborted) return 0
      for (const { type } of page) lines[String(type)] = (lines[String(type)] ?? 0) + 1
      if (page.length > 0) await io.stdout.write(page.map((line) => `${JSON.stringify(line)}\n`).join(''))
      await progress.tell(() => describe(lines))
    }
    await progress.end()
    await io.stderr.write(flags.json ? `${JSON.stringify({ lines })}\n` : `Wrote ${describe(lines)}.\n`)
    return 0
  },
}

const describe = (lines: Record<string, number>) =>
  Object.entries(lines)
    .map(([type, count]) => `${count.toLocaleString('en')} ${type.replace('_', ' ')}`)
    .join(', ') || 'no records'

const bulkFlags = { bulk: on, out: text } as const

type Flags = { out?: string; json?: boolean }

/** `export --bulk`: makes the service's bulk files, or writes the same files into a folder, and prints what is in them. */
const exportBulk = async (context: Context, { out, json }: Flags, io: Io): Promise<ExitCode> => {
  const folder = out === undefined ? undefined : resolve(io.cwd, required(out, 'out'))
  const shown = showProgress(io.stderr)
  let lines = 0
  const progress = (some: number) => {
    lines += some
    return shown.tell(() => counted(lines, 'line'))
  }
  const options = { signal: io.signal, progress }
  const { files, feedNo } = folder
    ? await writeInto(folder, io.umask, context, options)
    : await makeBulkFiles(context, options).then(() => listed(context))
  await shown.end()
  const summary = files.map(({ resource, count, bytes, sha256 }) => ({
    ...{ resource, count, bytes, sha256 },
    ...(folder ? { file: join(folder, fileName(resource)) } : {}),
  }))
  const cursor = await cursorFrom(context, feedNo)
  return answer(io, json, { changes_cursor: cursor, files: summary }, [
    ...files.map(({ resource, count, bytes }) => `${fileName(resource)}: ${describeFile(count, bytes)}`),
    `For the changes since then, read the feed with page[after]=${cursor}.`,
  ])
}

const describeFile = (count: number, bytes: number) => `${counted(count, 'line')} in ${counted(bytes, 'byte')}`

const listed = async ({ db }: Context) => {
  const files = await newestFiles(db)
  return { files, feedNo: files[0]?.feed_no ?? 0 }
}

/** Writes all files next to the existing ones, and moves them into place once all are complete. */
const writeInto = async (
  folder: string,
  umask: number,
  { db, config }: Context,
  options: Omit<WriteOptions, 'baseUrl'>,
) => {
  await makeFolder(folder, umask).catch((error) => {
    throw new Failed(`The folder ${folder} cannot be used: ${fileReason(error)}`)
  })
  const begun: string[] = []
  const open = (resource: string) => {
    const part = join(folder, `${fileName(resource)}.part`)
    begun.push(part)
    return openSink(part)
  }
  try {
    const generation = await writeGeneration(db, open, { ...options, baseUrl: config.baseUrl })
    for (const { resource } of generation.files) await putInPlace(folder, resource, umask)
    return generation
  } catch (error) {
    await Promise.allSettled(begun.map((part) => rm(part, { force: true })))
    const reason = fileFault(error)
    throw reason ? new Failed(`A file in ${folder} cannot be written: ${reason}`) : error
  }
}

/** Like mkdir -p, with the caller's umask. */
const makeFolder = async (folder: string, umask: number) => {
  const first = await mkdir(folder, { recursive: true })
  for (let made = folder; first && made.length >= first.length; made = dirname(made)) await chmod(made, 0o777 & ~umask)
}

const putInPlace = async (folder: string, resource: BulkFile['resource'], umask: number) => {
  const path = join(folder, fileName(resource))
  await chmod(`${path}.part`, 0o666 & ~umask)
  await rename(`${path}.part`, path)
}
