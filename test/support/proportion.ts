/** How many milliseconds some work takes, the quickest of a few times. */
export const quickest = async (work: () => unknown, times: number): Promise<number> => {
  let best = Number.POSITIVE_INFINITY
  for (let count = 0; count < times; count++) {
    const began = performance.now()
    await work()
    best = Math.min(best, performance.now() - began)
  }
  return best
}

/** Whether work on something eight times as long takes about eight times as long, and not 64 times, also on a busy machine. */
export const isInProportion = async (short: () => unknown, long: () => unknown): Promise<boolean> => {
  for (let times = 1; times <= 3; times++)
    if ((await quickest(long, times)) < 24 * (await quickest(short, times))) return true
  return false
}
