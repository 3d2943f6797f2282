/**
 * Combines many writes into few: items that arrive during a write share the next one. A failed write is retried until `isOver`,
 * because what it records has already happened.
 */
export const gather = <T>(write: (all: T[]) => Promise<void>, isOver: () => boolean) => {
  const waiting: { item: T; done: () => void; failed: (error: unknown) => void }[] = []
  let writing = false
  const pass = async () => {
    await Promise.resolve()
    while (waiting.length > 0) {
      const all = waiting.splice(0)
      try {
        await untilWritten(() => write(all.map(({ item }) => item)), isOver)
        for (const { done } of all) done()
      } catch (error) {
        for (const { failed } of all) failed(error)
      }
    }
    writing = false
  }
  return (item: T) =>
    new Promise<void>((done, failed) => {
      waiting.push({ item, done, failed })
      if (writing) return
      writing = true
      void pass()
    })
}

const againMilliseconds = 250

/** Retries until the write succeeds or `isOver`. */
export const untilWritten = async <T>(write: () => Promise<T>, isOver: () => boolean): Promise<T> => {
  for (;;)
    try {
      return await write()
    } catch (error) {
      if (isOver()) throw error
      await Bun.sleep(againMilliseconds)
    }
}
