/**
 * Reads JSON. A number with more digits than JavaScript's numbers hold becomes the text that the file has, because it is a name of
 * something, such as a card's number. Throws a SyntaxError.
 */
export const readJson = (text: string): unknown =>
  manyDigits.test(text) ? JSON.parse(text, inDigits) : JSON.parse(text)

const manyDigits = /\d[\d.]{15}/

const inDigits = (_: string, value: unknown, { source }: { source?: string } = {}): unknown =>
  typeof value === 'number' && source && /^-?[\d.]+$/.test(source) && written(value) !== plain(source) ? source : value

const written = (value: number) => (Number.isInteger(value) ? String(BigInt(value)) : String(value))

/** Digits without zeros at the end of a fraction. */
const plain = (digits: string) => (digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits)
