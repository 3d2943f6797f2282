/** How many calls may be under way at once, how many asks one call answers at most, and when its askers stop waiting. */
export type BatchLimits = { atOnce: number; most: number; deadlineMilliseconds: number; late: () => Error }

type Waiting<Ask, Answer> = { ask: Ask; resolve: (answer: Answer) => void; reject: (error: unknown) => void }

/**
 * Answers whatever is asked in one turn of the event loop by one call: `answerAll` answers in the order of its asks. What
 * arrives while enough calls are under way becomes the next batch, so that batches grow with the load. A call that is late
 * or fails is that for all of its askers.
 */
export const batched = <Ask, Answer>(
  answerAll: (asks: Ask[]) => Promise<Answer[]>,
  { atOnce, most, deadlineMilliseconds, late }: BatchLimits,
): ((ask: Ask) => Promise<Answer>) => {
  const waiting: Waiting<Ask, Answer>[] = []
  let scheduled = false
  let underWay = 0

  const schedule = () => {
    if (scheduled || underWay >= atOnce || waiting.length === 0) return
    scheduled = true
    setImmediate(flush)
  }
  const flush = () => {
    scheduled = false
    underWay++
    void answer(waiting.splice(0, most)).finally(() => {
      underWay--
      schedule()
    })
    schedule()
  }
  const answer = async (batch: Waiting<Ask, Answer>[]) => {
    try {
      const answers = await within(answerAll(batch.map(({ ask }) => ask)), deadlineMilliseconds, late)
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
  return (ask) =>
    new Promise((resolve, reject) => {
      waiting.push({ ask, resolve, reject })
      schedule()
    })
}

/** A call that a lost connection never answers must not keep its askers. */
const within = <T>(work: Promise<T>, milliseconds: number, late: () => Error): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(late()), milliseconds)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
