/** An answer didn't come in time. */
export class Late extends Error {
  constructor() {
    super('no answer in time')
  }
}

/** An answer, or Late. If the process itself slept, it first reads what came meanwhile. */
export const inTime = async <T>(asked: PromiseLike<T>, milliseconds: number): Promise<T> => {
  const late = Promise.withResolvers<never>()
  let timer = setTimeout(() => {
    timer = setTimeout(() => late.reject(new Late()), readMilliseconds)
  }, milliseconds)
  try {
    return await Promise.race([asked, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

const readMilliseconds = 10
