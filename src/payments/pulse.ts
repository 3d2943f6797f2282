const freshMilliseconds = 10_000
const staleMilliseconds = 60_000
const patienceMilliseconds = 500

/** Whether the processor answers. `heard` notes each answer or failure. */
type Pulse = { heard: (isWell: boolean) => void; read: () => Promise<'ok' | 'failed'> }

/**
 * Derives the processor's health from calls that are made anyway. If there were none recently, `probe` makes one in the
 * background. Reading doesn't wait, except after a minute of silence: then it waits up to half a second for the probe, or else
 * says `failed`.
 */
export const openPulse = (probe: () => Promise<void>, now = () => performance.now()): Pulse => {
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
