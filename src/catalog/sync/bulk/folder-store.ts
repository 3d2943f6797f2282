import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../../images/folder-store.ts'
import { fileName } from './naming.ts'
import type { BulkStore, Sink } from './store.ts'

/** Bulk files in a folder: one folder for each, by its id. What is listed nowhere is half written, or old. */
export const folderStore = (root: string): BulkStore => ({
  create: async (id, resource) => {
    const folder = join(root, id)
    await mkdir(folder, { recursive: true })
    const sink = await openSink(join(folder, fileName(resource)))
    return {
      ...sink,
      end: async () => {
        await sink.end()
        for (const parent of [folder, root]) await syncFolder(parent)
      },
    }
  },
  serve: async (id, resource) => {
    const file = Bun.file(join(root, id, fileName(resource)))
    return (await file.exists()) ? file : undefined
  },
  remove: (id) => rm(join(root, id), { recursive: true, force: true }),
  list: () => readdir(root).catch(() => []),
})

/** A sink into a new file, or in the place of one that is there. */
export const openSink = async (path: string): Promise<Sink> => {
  const file = await open(path, 'w')
  return {
    write: async (bytes) => void (await file.writeFile(bytes)),
    end: async () => {
      await file.sync()
      await file.close()
    },
    drop: () => file.close(),
  }
}
