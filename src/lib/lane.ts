/** How many works run at once, how many may wait, and what is thrown: where no more may, and where its asker left. */
export type LaneLimits = { atOnce: number; waiting: number; full: () => Error; left: () => Error }

/** Runs a work when its turn comes; one whose signal was aborted before that never begins. */
export type Lane = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/** Opens a lane for works that must not all run at once. They take turns in the order in which they came. */
export const openLane = ({ atOnce, waiting, full, left }: LaneLimits): Lane => {
  const queue = new Set<() => void>()
  let running = 0

  const turn = (signal: AbortSignal | undefined) => {
    if (running < atOnce) return void running++
    if (queue.size >= waiting) throw full()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const begin = () => {
      signal?.removeEventListener('abort', leave)
      resolve()
    }
    const leave = () => {
      if (queue.delete(begin)) reject(left())
    }
    signal?.addEventListener('abort', leave, { once: true })
    queue.add(begin)
    return promise
  }
  /** Whoever waits next takes the place over, so that nobody who comes meanwhile gets before them. */
  const handOn = () => {
    const [next] = queue
    if (!next) return void running--
    queue.delete(next)
    next()
  }

  return async (work, signal) => {
    if (signal?.aborted) throw left()
    await turn(signal)
    try {
      return await work()
    } finally {
      handOn()
    }
  }
}
