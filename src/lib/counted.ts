/** A number with its noun, such as `1 set` or `2,398 sets`. */
export const counted = (value: number, noun: string): string =>
  `${value.toLocaleString('en')} ${noun}${value === 1 ? '' : 's'}`
