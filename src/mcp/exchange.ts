import type { Context } from '../context.ts'
import type { Call } from '../http/route.ts'
import { ApiError, badRequest } from '../jsonapi/errors.ts'
import { sizes } from '../limits.ts'
import { type Reader, readerFor } from './reader.ts'

/** The messages of one request. They are answered one after the other, so that an array takes no more at a time than a request. */
export type Exchange = {
  /** Reads for a message, and returns the result with its JSON. What is thrown is a sentence for a person. */
  read: <T extends object>(work: (reader: Reader) => Promise<T>) => Promise<{ value: T; text: string }>
  /** What is our fault. The whole request fails with it. */
  fault: () => unknown
}

/** Opens the exchange of a request. */
export const openExchange = (context: Context, call: Call): Exchange => {
  const reader = readerFor(context, call)
  let line: Promise<unknown> = Promise.resolve()
  let [bytes, fault]: [number, unknown] = [0, undefined]
  const carry = async <T extends object>(work: (reader: Reader) => Promise<T>) => {
    if (fault) throw fault
    const value = await work(reader)
    const text = JSON.stringify(value)
    // A tool's result has it twice: as a text, and structured.
    bytes += 2 * Buffer.byteLength(text)
    if (bytes > sizes.pageBytes.most) throw tooLong()
    return { value, text }
  }
  return {
    fault: () => fault,
    read: (work) => {
      const read = line.then(() => carry(work))
      const told = read.catch((error: unknown) => {
        if (error instanceof ApiError && error.status < 500) throw new Error(sentenceOf(error), { cause: error })
        fault ??= error
        throw new Error('The service could not answer.')
      })
      line = told.catch(() => {})
      return told
    },
  }
}

const tooLong = () =>
  badRequest(
    `The answer would have more than ${sizes.pageBytes.most >> 20} MiB. Ask for less at once, with a smaller limit.`,
  )

const sentenceOf = ({ errors, meta }: ApiError) => {
  const details = errors.slice(0, 5).map(({ detail, title }) => detail ?? title)
  const { suggestion } = meta
  return [...details, ...(typeof suggestion === 'string' ? [`Perhaps you meant: ${suggestion}`] : [])].join(' ')
}
