/** A number with its noun, as `1 set` and `2,398 sets`. */
export const counted = (value: number, noun: string): string =>
  `${value.toLocaleString('en')} ${noun}${value === 1 ? '' : 's'}`
