/**
 * The shortest of three tries, in milliseconds. What a busy machine adds to one try differs from the next; what the service itself
 * waits for is in each of them.
 */
export const soonest = async (attempt: () => Promise<number>): Promise<number> => {
  const tries = [await attempt(), await attempt(), await attempt()]
  return Math.min(...tries)
}
