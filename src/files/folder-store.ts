import { access, constants, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Sink, Store } from './store.ts'

/** A store in `root` with a folder for each id, or, with `spread`, 256 folders by the end of the id. */
export const folderStore = (root: string, spread = false): Store => {
  const placeOf = (id: string) => (spread ? join(root, id.slice(-2), id) : join(root, id))
  const draftOf = (id: string) => join(root, 'incoming', id)
  return {
    // Written under another name, synced and renamed, so that it is there whole or not at all.
    save: async (id, files) => {
      const [draft, place] = [draftOf(id), placeOf(id)]
      await mkdir(draft, { recursive: true })
      await mkdir(dirname(place), { recursive: true })
      for (const { name, bytes } of files) {
        const sink = await openSink(join(draft, name))
        await sink.write(bytes).then(sink.end, async (error) => {
          await sink.drop()
          throw error
        })
      }
      await syncFolder(draft)
      await rename(draft, place)
      for (const folder of [dirname(place), root]) await syncFolder(folder)
    },
    create: async (id, name) => {
      const folder = placeOf(id)
      await mkdir(folder, { recursive: true })
      const sink = await openSink(join(folder, name))
      const end = async () => {
        await sink.end()
        for (const parent of [folder, root]) await syncFolder(parent)
      }
      return { ...sink, end }
    },
    serve: async (id, name) => {
      const file = Bun.file(join(placeOf(id), name))
      return (await file.exists()) ? file : undefined
    },
    remove: async (id) => {
      for (const folder of [draftOf(id), placeOf(id)]) await rm(folder, { recursive: true, force: true })
    },
    list: () => readdir(root).catch(() => []),
    probe: async () => {
      await mkdir(root, { recursive: true })
      await access(root, constants.W_OK)
    },
  }
}

/** Opens a new file for writing, and replaces any existing one. */
export const openSink = async (path: string): Promise<Sink> => {
  const file = await open(path, 'w')
  return {
    write: async (bytes) => void (await file.writeFile(bytes)),
    end: async () => {
      try {
        await file.sync()
      } finally {
        await file.close()
      }
    },
    drop: () => file.close(),
  }
}

/** Makes files created or renamed in a folder survive a power cut. */
const syncFolder = async (path: string) => {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
