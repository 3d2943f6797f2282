/** How many tasks run at once, how many may wait, and the errors for a full queue and for an asker that left. */
type LaneLimits = { atOnce: number; waiting: number; full: () => Error; left: () => Error }

/** Runs a task when its turn comes, unless its signal was aborted before. */
export type Lane = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/** Opens a lane for tasks that must not all run at once. They run in the order of arrival. */
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
  /** The next in the queue takes over the place, so that no newcomer gets ahead. */
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
