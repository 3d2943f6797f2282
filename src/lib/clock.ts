/** The service's clock. `offsetSeconds` shifts it, so that expiry and trials can be tried from outside. */
export type Clock = { now: () => Date; offsetSeconds: number }

/** The machine's clock, shifted by an offset. */
export const systemClock = (offsetSeconds = 0): Clock => ({
  offsetSeconds,
  now: () => new Date(Date.now() + offsetSeconds * 1000),
})

/** The time this many seconds after another, or before it. */
export const secondsAfter = (time: Date, seconds: number): Date => new Date(time.getTime() + seconds * 1000)

/** The day of a time, in UTC: `2026-11-21`. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10)
