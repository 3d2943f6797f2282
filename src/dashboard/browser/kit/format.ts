const number = new Intl.NumberFormat('en')
const utcDay = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

/** `12,345`. */
export const sayNumber = (value: number) => number.format(value)

/** `1 card`, `2 cards`; of another plural where it is given. */
export const sayCount = (count: number, noun: string, plural = `${noun}s`) =>
  `${sayNumber(count)} ${count === 1 ? noun : plural}`

/** `Discover sources` of `discover_sources`. */
export const sayName = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

/** A name that somebody gave, for the middle of a sentence: whatever signs of direction it has end with it (Unicode's FSI, PDI). */
export const sayGiven = (name: string) => `\u2068${name}\u2069`

/** A date such as `2026-11-21`, which is the same day in every zone. */
export const sayDate = (date: string) => utcDay.format(new Date(date))
