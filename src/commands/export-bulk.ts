import { chmod, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { newestFiles } from '../catalog/sync/bulk/files.ts'
import { makeBulkFiles } from '../catalog/sync/bulk/make.ts'
import { fileName } from '../catalog/sync/bulk/store.ts'
import { type BulkFile, type WriteOptions, writeGeneration } from '../catalog/sync/bulk/write.ts'
import { cursorFrom } from '../catalog/sync/feed/place.ts'
import type { Context } from '../context.ts'
import { openSink } from '../files/folder-store.ts'
import { counted } from '../lib/counted.ts'
import { answer, required } from './answers.ts'
import { type ExitCode, Failed, type Io } from './command.ts'
import { showProgress } from './progress.ts'

/** What `export` takes for bulk files. */
export const bulkFlags = { bulk: { type: 'boolean' }, out: { type: 'string' } } as const

type Flags = { out?: string; json?: boolean }

/** `export --bulk`: makes the service's bulk files, or writes the same files into a folder, and lists what is in them. */
export const exportBulk = async (context: Context, { out, json }: Flags, io: Io): Promise<ExitCode> => {
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
    ...files.map(({ resource, count, bytes }) => `${fileName(resource)}: ${describe(count, bytes)}`),
    `The changes since are behind page[after]=${cursor}.`,
  ])
}

const describe = (count: number, bytes: number) => `${counted(count, 'line')} in ${counted(bytes, 'byte')}`

const listed = async ({ db }: Context) => {
  const files = await newestFiles(db)
  return { files, feedNo: files[0]?.feedNo ?? 0 }
}

/** Writes all files beside those that are there, and puts them into their place when all are whole. */
const writeInto = async (
  folder: string,
  umask: number,
  { db, config }: Context,
  options: Omit<WriteOptions, 'baseUrl'>,
) => {
  await makeFolder(folder, umask)
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
    for (const part of begun) await rm(part, { force: true })
    throw error
  }
}

/** Made as mkdir -p would for whoever asked. */
const makeFolder = async (folder: string, umask: number) => {
  const first = await mkdir(folder, { recursive: true }).catch(({ message }: Error) => {
    throw new Failed(`The folder ${folder} cannot be used: ${message}`)
  })
  for (let made = folder; first && made.length >= first.length; made = dirname(made)) await chmod(made, 0o777 & ~umask)
}

const putInPlace = async (folder: string, resource: BulkFile['resource'], umask: number) => {
  const path = join(folder, fileName(resource))
  await chmod(`${path}.part`, 0o666 & ~umask)
  await rename(`${path}.part`, path)
}
