import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../db/database.ts'
import { unpackDirectory } from '../../db/embedded/pack.ts'
import { readSnapshot } from '../../db/embedded/snapshot.ts'
import { startDatabase } from '../../db/embedded/start.ts'
import { type ServerThread, startThread } from '../../db/embedded/thread.ts'
import type { Deadlines } from '../../db/turns.ts'
import { emptied, noteFresh } from './emptied.ts'

/** An embedded database that test files use one after the other, each with its own session and client. */
type Kept = { folder: string; thread: ServerThread }

const free: Kept[] = []

/** An empty, migrated embedded database: one that an earlier file in this process gave back, or a new one. */
export const lendEmbedded = async (deadlines?: Deadlines): Promise<{ db: Database; giveBack: () => Promise<void> }> => {
  const kept = free.pop() ?? (await unpacked())
  const giveBack = async () => {
    const cleaner = await open(kept)
    const isEmpty = await Promise.race([emptied(cleaner).catch(() => false), Bun.sleep(patienceMilliseconds)])
    await cleaner.close()
    if (isEmpty) return void free.push(kept)
    await kept.thread.close(patienceMilliseconds)
    rmSync(kept.folder, { recursive: true, force: true })
  }
  return { db: await open(kept, deadlines), giveBack }
}

const patienceMilliseconds = 3000

const unpacked = async (): Promise<Kept> => {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-test-'))
  rmSync(folder, { recursive: true })
  unpackDirectory(await readSnapshot(), folder, false)
  const kept = { folder, thread: await startThread(folder, false) }
  const db = await open(kept)
  await noteFresh(db)
  await db.close()
  return kept
}

/** A separate client on the kept server, which is started again if it broke down. */
const open = (kept: Kept, deadlines?: Deadlines) =>
  startDatabase(kept.folder, false, { deadlines }, async () => {
    if (!kept.thread.alive) kept.thread = await startThread(kept.folder, false)
    return borrowed(kept.thread)
  })

/** A server that keeps running when its user closes it. */
const borrowed = (thread: ServerThread): ServerThread => ({
  get alive() {
    return thread.alive
  },
  ended: thread.ended,
  connect: thread.connect,
  send: thread.send,
  kill: thread.kill,
  close: async () => {},
})
