import { PaymentsFailure } from './payments.ts'

/** A foreign host may answer something that the SDK takes for good: what is not there was not done. */
export const required = <T>(call: string, value: T | null | undefined): T => {
  if (value === undefined || value === null || value === '')
    throw new PaymentsFailure(call, 'the answer is not what was asked for', undefined, 'refused')
  return value
}

/** An array, or undefined for anything else. */
export const arrayOf = (value: unknown) => (Array.isArray(value) ? (value as unknown[]) : undefined)

/** Undefined where what was named is not there. */
export const unlessMissing = async <T>(answer: Promise<T>): Promise<T | undefined> => {
  try {
    return await answer
  } catch (error) {
    if (error instanceof PaymentsFailure && error.missing) return undefined
    throw error
  }
}

/** What is paid for or closed by now cannot be closed. */
export const unlessRefused = async (answer: Promise<unknown>) => {
  try {
    await answer
  } catch (error) {
    if (!(error instanceof PaymentsFailure) || error.outcome !== 'refused') throw error
  }
}

type Fault = { type?: unknown; code?: unknown; param?: unknown; statusCode?: number }

/** Messages of Stripe may hold an address or a part of a key; its kinds and codes never do. */
export const asFailure = (call: string, error: unknown) => {
  const { type, code, param, statusCode } = error as Fault
  const words = [statusCode ?? 'no answer', type, code].filter((word) => /^[\w. ]{1,60}$/.test(String(word ?? '')))
  const missing = code === 'resource_missing' ? String(param ?? 'id') : undefined
  const outcome = statusCode === undefined ? 'unknown' : statusCode === 409 ? 'busy' : 'refused'
  return new PaymentsFailure(call, words.join(' '), missing, outcome)
}

/** Whether what went wrong was said by a Stripe that works and knows us. */
export const isAlive = (error: unknown) => {
  const { statusCode } = error as Fault
  return statusCode !== undefined && statusCode < 500 && statusCode !== 401
}
