import type Stripe from 'stripe'
import { PaymentsFailure } from './payments.ts'

/** Makes a call to Stripe under a name for errors. Failures are thrown as PaymentsFailure. */
export type Ask = <T>(call: string, work: (stripe: Stripe) => Promise<T>) => Promise<T>

/** Throws if an answer lacks something it must have: a host that isn't Stripe may send something that the SDK accepts. */
export const required = <T>(call: string, value: T | null | undefined): T => {
  if (value === undefined || value === null || value === '')
    throw new PaymentsFailure(call, 'the answer lacks what was asked for', undefined, 'refused')
  return value
}

/** An array, or undefined for anything else. */
export const arrayOf = (value: unknown) => (Array.isArray(value) ? (value as unknown[]) : undefined)

/** Undefined if the named object doesn't exist. */
export const unlessMissing = async <T>(answer: Promise<T>): Promise<T | undefined> => {
  try {
    return await answer
  } catch (error) {
    if (error instanceof PaymentsFailure && error.missing) return undefined
    throw error
  }
}

/** Ignores a refusal: a checkout that has just been paid for or closed can't be closed. */
export const unlessRefused = async (answer: Promise<unknown>) => {
  try {
    await answer
  } catch (error) {
    if (!(error instanceof PaymentsFailure) || error.outcome !== 'refused') throw error
  }
}

type Fault = { type?: unknown; code?: unknown; param?: unknown; statusCode?: number }

/** A failure without Stripe's own message, which may contain an address or part of a key. Its types and codes never do. */
export const asFailure = (call: string, error: unknown) => {
  const { type, code, param, statusCode } = error as Fault
  const words = [statusCode ?? 'no answer', type, code].filter((word) => /^[\w. ]{1,60}$/.test(String(word ?? '')))
  const missing = code === 'resource_missing' ? String(param ?? 'id') : undefined
  const outcome = statusCode === undefined ? 'unknown' : statusCode === 409 ? 'busy' : 'refused'
  return new PaymentsFailure(call, words.join(' '), missing, outcome)
}

/** Whether an error came from a Stripe that works and accepts our key. */
export const isAlive = (error: unknown) => {
  const { statusCode } = error as Fault
  return statusCode !== undefined && statusCode < 500 && statusCode !== 401
}
