import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { giveTree, type Owner, ownerOf } from '../embedded/owner.ts'
import { syncDirectory } from '../embedded/sync.ts'

/**
 * Moves restored files to their places and puts the previous ones aside. Returns where those are kept, if there were any. If a
 * restore was killed halfway, the next start finishes it.
 */
export const finishRestore = (dataDir: string, owner: Owner = ownerOf(dataDir)): string | null => {
  const restored = join(dataDir, 'restored')
  if (!existsSync(restored)) return null
  const aside = join(dataDir, `replaced-${new Date().toISOString().replaceAll(':', '-')}`)
  for (const name of readdirSync(restored)) {
    const place = join(dataDir, name)
    if (existsSync(place)) {
      if (!existsSync(aside)) makeFolder(aside, owner)
      renameSync(place, join(aside, name))
    }
    renameSync(join(restored, name), place)
  }
  rmdirSync(restored)
  syncDirectory(dataDir)
  return existsSync(aside) ? aside : null
}

const makeFolder = (path: string, owner: Owner) => {
  mkdirSync(path, { mode: 0o700 })
  giveTree(path, owner)
}
