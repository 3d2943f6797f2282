import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * How many calls may run at once, how many asks one call answers at most, and how long its askers wait. After a call for
 * several asks, the next one waits `gatherMilliseconds` for more, unless there are many by then.
 */
type BatchLimits = {
  atOnce: number
  most: number
  deadlineMilliseconds: number
  late: () => Error
  gatherMilliseconds?: number
}

type Waiting<Ask, Answer> = {
  ask: Ask
  askedAt: number
  /** Runs the call as a part of the work that asked. */
  within: <T>(work: () => T) => T
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/**
 * A call for fewer asks than this, as many as one caller may have at work, waits a few turns of the event loop. They pass at
 * once if there is nothing else to do, and bring more asks if each turn has a response to write.
 */
const enough = 16
const turnsAtMost = 4
/** So many asks in a call tell that more are to be expected soon. */
const several = 4

/**
 * Answers all that is asked within a few turns of the event loop with one call. `answerAll` answers in the order of its asks.
 * Asks that arrive while `atOnce` calls run become the next batch, so batches grow with the load. If a call fails, it fails for
 * all of its askers. Each asker has its own deadline, which covers its call and the ones before it.
 */
export const batched = <Ask, Answer>(
  answerAll: (asks: Ask[]) => Promise<Answer[]>,
  { atOnce, most, deadlineMilliseconds, late, gatherMilliseconds = 0 }: BatchLimits,
): ((ask: Ask) => Promise<Answer>) => {
  type Batch = Waiting<Ask, Answer>[]
  let waiting: Batch = []
  let scheduled = false
  let turnsWaited = 0
  let lastSize = 0
  const underWay = new Set<Batch>()
  let isWatched = false
  const lookMilliseconds = Math.min(250, deadlineMilliseconds)

  const schedule = () => {
    if (scheduled || underWay.size >= atOnce || waiting.length === 0) return
    scheduled = true
    if (gatherMilliseconds > 0 && lastSize >= several && waiting.length < 2 * lastSize)
      setTimeout(flush, gatherMilliseconds)
    else setImmediate(flush)
  }
  const flush = () => {
    if (waiting.length < enough && turnsWaited < turnsAtMost) {
      turnsWaited++
      setImmediate(flush)
      return
    }
    scheduled = false
    turnsWaited = 0
    const batch = waiting.splice(0, most)
    lastSize = batch.length
    if (batch.length > 0) void answer(batch)
    schedule()
  }
  const answer = async (batch: Batch) => {
    underWay.add(batch)
    try {
      const [first] = batch as [Batch[number]]
      const answers = await first.within(() => answerAll(batch.map(({ ask }) => ask)))
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    end(batch)
  }
  const end = (batch: Batch) => {
    if (underWay.delete(batch)) schedule()
  }
  /** Refuses those who are late. A call that they all wait for is given up: its connection may be lost. */
  const look = () => {
    const lateSince = performance.now() - deadlineMilliseconds
    const isLate = ({ askedAt }: Batch[number]) => askedAt <= lateSince
    for (const one of [waiting, ...underWay].flat()) if (isLate(one)) one.reject(late())
    waiting = waiting.filter((one) => !isLate(one))
    for (const batch of underWay) if (batch.every(isLate)) end(batch)
    isWatched = false
    if (waiting.length + underWay.size > 0) watch()
  }
  const watch = () => {
    if (isWatched) return
    isWatched = true
    setTimeout(look, lookMilliseconds).unref()
  }
  return (ask) =>
    new Promise((resolve, reject) => {
      waiting.push({ ask, askedAt: performance.now(), within: AsyncLocalStorage.snapshot(), resolve, reject })
      watch()
      schedule()
    })
}
