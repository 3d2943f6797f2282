import { numberOf } from './position.ts'

/** How far the primary was at some times that a replica hasn't reached yet, oldest first. */
type Passed = { lsn: number; at: number }[]

/** Ten minutes. Beyond, only the oldest and the newest count. */
const most = 600

/** Follows how far a replica is behind, by when the primary was where the replica is now. */
export const openLag = () => {
  const ahead: Passed = []
  return {
    /** Notes where the primary is, and where the replica is, if it said so. */
    note: (flushed: string, replayed: string | undefined, now: number) => {
      if (ahead.length === most) ahead.pop()
      ahead.push({ lsn: numberOf(flushed), at: now })
      if (replayed === undefined) return
      const reached = ahead.findLastIndex(({ lsn }) => lsn <= numberOf(replayed))
      ahead.splice(0, reached + 1)
    },
    seconds: (now: number) => Math.max(0, (now - (ahead[0]?.at ?? now)) / 1000),
  }
}
