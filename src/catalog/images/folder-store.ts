import { access, constants, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ImageStore } from './store.ts'
import type { ImageFile } from './variants.ts'

/**
 * Images in a folder: one folder for each image, in one of 256 by the end of its id. It is written under another name,
 * synced and renamed, so that it is there whole or not at all.
 */
export const folderStore = (root: string): ImageStore => {
  const placeOf = (id: string) => join(root, id.slice(-2), id)
  const draftOf = (id: string) => join(root, 'incoming', id)
  return {
    save: async (id, files) => {
      const draft = draftOf(id)
      const place = placeOf(id)
      await mkdir(draft, { recursive: true })
      await mkdir(dirname(place), { recursive: true })
      for (const file of files) await writeSynced(join(draft, file.name), file)
      await syncFolder(draft)
      await rename(draft, place)
      for (const folder of [dirname(place), root]) await syncFolder(folder)
    },
    serve: async (id, name) => {
      const file = Bun.file(join(placeOf(id), name))
      return (await file.exists()) ? file : undefined
    },
    remove: async (id) => {
      for (const folder of [draftOf(id), placeOf(id)]) await rm(folder, { recursive: true, force: true })
    },
    probe: async () => {
      await mkdir(root, { recursive: true })
      await access(root, constants.W_OK)
    },
  }
}

const writeSynced = async (path: string, { bytes }: ImageFile) => {
  const file = await open(path, 'w')
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes what was created or renamed in a folder survive a power cut. */
export const syncFolder = async (path: string) => {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
