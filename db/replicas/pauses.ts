/** The shortest and longest pauses in milliseconds: for a replica that may catch up in a moment, and for one that is gone. */
const bounds = { brief: [10, 500], long: [250, 10_000] } as const

/** Pauses that double each time, unless it went well for longer than the last one and for at least a second. */
export const openPauses = () => {
  let [times, last, wellSince] = [0, 0, 0]
  let lastKind: keyof typeof bounds | undefined
  return {
    next: (kind: keyof typeof bounds, now: number): number => {
      if (wellSince && now - wellSince > Math.max(last, 1000)) times = 0
      if (kind !== lastKind) times = 0
      wellSince = 0
      lastKind = kind
      const [least, longest] = bounds[kind]
      last = Math.min(longest, least * 2 ** Math.min(times++, 16))
      return last
    },
    well: (now: number) => {
      wellSince = now
    },
  }
}
