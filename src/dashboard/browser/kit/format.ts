const number = new Intl.NumberFormat('en')
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
const utcDay = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** `12,345`. */
export const sayNumber = (value: number) => number.format(value)

/** `1 card`, `2 cards`; of another plural where it is given. */
export const sayCount = (count: number, noun: string, plural = `${noun}s`) =>
  `${sayNumber(count)} ${count === 1 ? noun : plural}`

/** `Discover sources` of `discover_sources`. */
export const sayName = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

/** A name that somebody gave, for the middle of a sentence: whatever signs of direction it has end with it (Unicode's FSI, PDI). */
export const sayGiven = (name: string) => `\u2068${name}\u2069`

/** The day of a time, in the reader's zone. */
export const sayDay = (time: string) => day.format(new Date(time))

/** A date such as `2026-11-21`, which is the same day in every zone. */
export const sayDate = (date: string) => utcDay.format(new Date(date))

/** The day and the minute of a time, in the reader's zone. */
export const sayMoment = (time: string | null | undefined) => (time ? moment.format(new Date(time)) : '–')

/** `in 3 hours`, `2 days ago`. */
export const sayDistance = (time: string, now = Date.now()) => {
  const seconds = (new Date(time).getTime() - now) / 1000
  const [unit, size] = units.find(([, one]) => Math.abs(seconds) >= one) ?? (['second', 1] as const)
  return distance.format(Math.round(seconds / size), unit)
}

const distance = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const
