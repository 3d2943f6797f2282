import { chmodSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../src/lib/log.ts'

/** What Cardstock creates in DATA_DIR. Everything else there is somebody else's. */
const ours =
  /^(pg|pg\.tmp|lock|app-secret|quickstart\.json|images|bulk|mirror|outbox|restored|restore\.tmp|(backup|replaced)-.*)$/

/** The folder of one image. There are many of them, so the content of those that are already closed isn't checked. */
const imageFolder = /(^|\/)images\/[^/]+\/[^/]+$/

const forOthers = 0o077
const sticky = 0o1000

/**
 * Makes DATA_DIR and what Cardstock created in it accessible only to their owner: 0700 and 0600. Warns about what it may not
 * change. Follows no link except DATA_DIR itself.
 */
export const closeFolder = (dataDir: string, log?: Log): void => {
  const found = statSync(dataDir, { throwIfNoEntry: false })
  if (!found?.isDirectory()) return
  const open: string[] = []
  const close = (path: string, { mode }: Stats, wanted: number) => {
    if ((mode & forOthers) === 0) return
    try {
      chmodSync(path, wanted)
    } catch {
      open.push(path)
    }
  }
  const closeTree = (name: string) => {
    const path = join(dataDir, name)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats?.isFile()) close(path, stats, 0o600)
    if (!stats?.isDirectory()) return
    const isDone = imageFolder.test(name) && (stats.mode & forOthers) === 0
    if (!isDone) for (const inside of namesIn(path)) closeTree(`${name}/${inside}`)
    // After its content: if a start is killed in between, the next one can still read it.
    close(path, stats, 0o700)
  }
  // A shared folder such as /tmp stays open to others.
  if ((found.mode & sticky) !== 0) open.push(dataDir)
  else close(dataDir, found, 0o700)
  for (const name of namesIn(dataDir)) if (ours.test(name)) closeTree(name)
  const [path, ...more] = open
  if (path)
    log?.warn('DATA_DIR is open to others', { path, more: more.length, owner: found.uid, uid: process.getuid?.() })
}

/** Unreadable folders are skipped. Whatever needs them reports it. */
const namesIn = (path: string): string[] => {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
