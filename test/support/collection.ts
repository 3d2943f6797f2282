import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * The CardLists collection, which tests read but never copy: the folder or archive in CARDLISTS, or an archive in that folder.
 * Null, with a line that says so, if it is missing or can't be unpacked.
 */
export const findCollection = (what: string): string | null => {
  const place = resolve(process.env.CARDLISTS ?? '../shared/data/cardlists')
  const found = existsSync(place) ? (archiveIn(place) ?? place) : null
  if (found && (!found.endsWith('.xz') || Bun.which('xz'))) return found
  console.log(`skipped: ${what} (the CardLists collection is not here: set CARDLISTS to its folder or archive)`)
  return null
}

const archiveIn = (place: string) => {
  if (!statSync(place).isDirectory()) return undefined
  const archive = readdirSync(place).find((name) => /\.tar(?:\.gz|\.xz)?$/.test(name))
  return archive && join(place, archive)
}
