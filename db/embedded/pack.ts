import { closeSync, fdatasyncSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { join, relative } from 'node:path'
import { syncDirectory } from './sync.ts'

type Contents = { directories: string[]; files: { path: string; size: number }[] }

/** A directory as one compressed piece: a JSON line that lists its content, then the files' bytes in that order. */
export const packDirectory = (directory: string): Uint8Array => {
  const found = readdirSync(directory, { recursive: true, withFileTypes: true })
  const paths = (directories: boolean) =>
    found
      .filter((entry) => entry.isDirectory() === directories)
      .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
      .sort()
  const files = paths(false).map((path) => ({ path, bytes: readFileSync(join(directory, path)) }))
  const contents: Contents = {
    directories: paths(true),
    files: files.map(({ path, bytes }) => ({ path, size: bytes.length })),
  }
  const list = Buffer.from(`${JSON.stringify(contents)}\n`)
  return Bun.zstdCompressSync(Buffer.concat([list, ...files.map(({ bytes }) => bytes)]), { level: 12 })
}

/** Unpacks a directory to a path where nothing exists yet. If durable, it is synced to disk at the end. */
export const unpackDirectory = (packed: Uint8Array, directory: string, durable: boolean) => {
  const unpacked = Bun.zstdDecompressSync(packed)
  const start = unpacked.indexOf('\n') + 1
  const { directories, files }: Contents = JSON.parse(unpacked.toString('utf8', 0, start))
  const everyDirectory = ['', ...directories].map((path) => join(directory, path))
  for (const path of everyDirectory) mkdirSync(path, { mode: 0o700 })
  let at = start
  for (const { path, size } of files) {
    writeFile(join(directory, path), unpacked.subarray(at, at + size), durable)
    at += size
  }
  if (durable) for (const path of everyDirectory) syncDirectory(path)
}

const writeFile = (path: string, bytes: Uint8Array, durable: boolean) => {
  const descriptor = openSync(path, 'wx', 0o600)
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
    if (durable) fdatasyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
