/**
 * The shortest of three tries, in milliseconds. The delay from a busy machine differs from try to try, but what the service
 * itself waits for is in all of them.
 */
export const soonest = async (attempt: () => Promise<number>): Promise<number> => {
  const tries = [await attempt(), await attempt(), await attempt()]
  return Math.min(...tries)
}
