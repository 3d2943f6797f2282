const freshMilliseconds = 10_000
const staleMilliseconds = 60_000
const patienceMilliseconds = 500

/** Remembers whether somebody answered. */
export type Pulse = { heard: (isWell: boolean) => void; read: () => Promise<'ok' | 'failed'> }

/**
 * A pulse that is taken from all that is asked anyway, and by `probe` where nothing was asked of late. Reading it does not
 * wait; only where nothing is known for a minute it waits half a second, and then says that it failed.
 */
export const openPulse = (probe: () => Promise<void>, now: () => number = Date.now): Pulse => {
  let isWell = false
  let heardAt = Number.NEGATIVE_INFINITY
  let probing: Promise<void> | undefined
  const ask = () => {
    probing ??= probe()
      .catch(() => {})
      .finally(() => {
        probing = undefined
      })
    return probing
  }
  return {
    heard: (answer) => {
      isWell = answer
      heardAt = now()
    },
    read: async () => {
      const age = now() - heardAt
      if (age > freshMilliseconds) {
        const asked = ask()
        if (age > staleMilliseconds) await Promise.race([asked, Bun.sleep(patienceMilliseconds)])
      }
      return isWell && now() - heardAt <= staleMilliseconds ? 'ok' : 'failed'
    },
  }
}
