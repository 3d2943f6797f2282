/** Yields to the event loop, so that other requests and the database's answers get a turn. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** How long slices of long work may run in one turn of the event loop, all together, and how many items a slice has. */
const mostMilliseconds = 1
const sliceSize = 20

/** Like `map`, for a few items that may take long each. Other requests are served before the next item, once a turn was long. */
export const mapInTurns = async <T, R>(items: T[], each: (item: T, no: number) => R): Promise<R[]> => {
  const results: R[] = []
  let beganAt = performance.now()
  for (const [no, item] of items.entries()) {
    if (performance.now() - beganAt > longMilliseconds) {
      await turn()
      beganAt = performance.now()
    }
    results.push(each(item, no))
  }
  return results
}

/** A function to call between the steps of long work: it gives others a turn once this one was long. */
export const turnsFor = () => {
  let beganAt = performance.now()
  const restart = () => {
    beganAt = performance.now()
  }
  return () => (performance.now() - beganAt < longMilliseconds ? undefined : turn().then(restart))
}

/** From how long on a turn of the event loop is long for those who wait. */
const longMilliseconds = 5

const waiting: (() => void)[] = []
let isUnderWay = false
let endsAt = 0

/**
 * Like `map`, for work that may be long. It runs in slices, and other requests are served between them. A short list is done at
 * once. All long lists in the process share one line, so many of them block the loop no longer than one does.
 */
export const mapInSlices = async <T, R>(items: T[], each: (item: T) => R): Promise<R[]> => {
  if (items.length <= 2 * sliceSize) return items.map(each)
  const results: R[] = []
  for (const item of items) {
    if (results.length % sliceSize === 0) await room()
    results.push(each(item))
  }
  return results
}

/** Room for a slice: at once if this turn of the loop has some left, otherwise when it reaches the head of the line. */
const room = (): Promise<void> | undefined => {
  if (!isUnderWay) return begin()
  if (waiting.length === 0 && performance.now() < endsAt) return undefined
  return new Promise((resolve) => waiting.push(resolve))
}

const begin = (): undefined => {
  isUnderWay = true
  endsAt = performance.now() + mostMilliseconds
  setImmediate(next)
}

const next = () => {
  isUnderWay = false
  const first = waiting.shift()
  if (!first) return
  begin()
  first()
}
