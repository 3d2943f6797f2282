const number = new Intl.NumberFormat('en')
const utcDay = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

/** `12,345`. */
export const sayNumber = (value: number) => number.format(value)

/** `1 card`, `2 cards`. `plural` is for irregular ones. */
export const sayCount = (count: number, noun: string, plural = `${noun}s`) =>
  `${sayNumber(count)} ${count === 1 ? noun : plural}`

/** Turns `discover_sources` into `Discover sources`. */
export const sayName = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

/** A user-given name for use in a sentence, isolated (Unicode's FSI, PDI) so that its text direction can't affect the rest. */
export const sayGiven = (name: string) => `\u2068${name}\u2069`

/** A date such as `2026-11-21`, which is the same day in every time zone. */
export const sayDate = (date: string) => utcDay.format(new Date(date))
