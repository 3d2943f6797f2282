/** How many calls may run at once, how many asks one call answers at most, and how long its askers wait. */
type BatchLimits = { atOnce: number; most: number; deadlineMilliseconds: number; late: () => Error }

type Waiting<Ask, Answer> = {
  ask: Ask
  askedAt: number
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/**
 * A call for fewer asks than this waits a few turns of the event loop. They pass at once if there is nothing else to do, and
 * bring more asks if each turn has a response to write.
 */
const enough = 8
const turnsAtMost = 4

/**
 * Answers all that is asked within a few turns of the event loop with one call. `answerAll` answers in the order of its asks.
 * Asks that arrive while `atOnce` calls run become the next batch, so batches grow with the load. If a call fails, it fails for
 * all of its askers. Each asker has its own deadline, which covers its call and the ones before it.
 */
export const batched = <Ask, Answer>(
  answerAll: (asks: Ask[]) => Promise<Answer[]>,
  { atOnce, most, deadlineMilliseconds, late }: BatchLimits,
): ((ask: Ask) => Promise<Answer>) => {
  let waiting: Waiting<Ask, Answer>[] = []
  let scheduled = false
  let turnsWaited = 0
  let underWay = 0
  let watching = false
  const lookMilliseconds = Math.min(250, deadlineMilliseconds)

  const schedule = () => {
    if (scheduled || underWay >= atOnce || waiting.length === 0) return
    scheduled = true
    setImmediate(flush)
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
    if (batch.length === 0) return
    underWay++
    void answer(batch).finally(() => {
      underWay--
      schedule()
    })
    schedule()
  }
  const answer = async (batch: Waiting<Ask, Answer>[]) => {
    const watch = setInterval(() => refuseLate(batch), lookMilliseconds)
    try {
      const answers = await within(answerAll(batch.map(({ ask }) => ask)), deadlineMilliseconds, late)
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      clearInterval(watch)
    }
  }
  const isLate = ({ askedAt }: Waiting<Ask, Answer>) => performance.now() - askedAt >= deadlineMilliseconds
  const refuseLate = (some: Waiting<Ask, Answer>[]) => {
    for (const one of some) if (isLate(one)) one.reject(late())
  }
  /** Rejects askers stuck behind a call that doesn't finish. */
  const watchLine = () => {
    watching = waiting.length > 0
    refuseLate(waiting)
    waiting = waiting.filter((one) => !isLate(one))
    if (watching) setTimeout(watchLine, lookMilliseconds)
  }
  return (ask) =>
    new Promise((resolve, reject) => {
      waiting.push({ ask, askedAt: performance.now(), resolve, reject })
      schedule()
      if (underWay >= atOnce && !watching) watchLine()
    })
}

/** Stops waiting for a call whose connection is lost. */
const within = <T>(work: Promise<T>, milliseconds: number, late: () => Error): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(late()), milliseconds)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
