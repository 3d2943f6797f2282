const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** A time's day, in the reader's time zone. */
export const sayDay = (time: string) => day.format(new Date(time))

/** A time's day and minute, in the reader's time zone. Without a time, `none`. */
export const sayMoment = (time: string | null | undefined, none = '–') => (time ? moment.format(new Date(time)) : none)

/** `in 3 hours`, `2 days ago`. */
export const sayDistance = (time: string, now = Date.now()) => {
  const seconds = (new Date(time).getTime() - now) / 1000
  const [unit, size] = units.find(([, one]) => Math.abs(seconds) >= one) ?? (['second', 1] as const)
  return distance.format(Math.round(seconds / size), unit)
}

const distance = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
/** Units of time in seconds, longest first. */
export const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const
