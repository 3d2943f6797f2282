import { FormatRegistry, type TSchema, TypeGuard } from '@sinclair/typebox'
import { counted } from '../lib/counted.ts'
import { sizes } from '../limits.ts'
import type { Fault } from './errors.ts'
import { isUuid, linePatterns } from './fields.ts'
import { isObject } from './json.ts'
import { characters, holdsUnstorable, isUnstorable } from './text-faults.ts'

type Checked = {
  type?: string
  enum?: string[]
  format?: string
  title?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  anyOf?: TSchema[]
}

const formats: Record<string, string> = {
  uuid: 'a UUID',
  date: 'a date such as 2026-11-21',
  uri: 'an http or https URL',
  'date-time': 'a time such as 2026-11-21T12:00:00Z',
  email: 'an e-mail address with only ASCII before the @',
  password: `a password of ${sizes.password.least} to ${sizes.password.most} characters`,
}

/** What is wrong with the value of a field and its list items: a fault for each rule that it breaks, at its pointer. */
export const faultsAt = (schema: TSchema, value: unknown, pointer: string): Fault[] => {
  const own = fieldFaults(schema, value).map((detail) => ({ pointer, detail }))
  if (own.length > 0 || !TypeGuard.IsArray(schema) || !Array.isArray(value)) return own
  return value.flatMap((item, index) => faultsAt(schema.items, item, `${pointer}/${index}`))
}

/** What is wrong with a field's value: a sentence for each rule that it breaks. */
export const fieldFaults = (schema: TSchema, value: unknown): string[] => {
  const rules = schema as Checked
  if (rules.anyOf) {
    if (value === null && rules.anyOf.some((one) => one.type === 'null')) return []
    const [first] = rules.anyOf.filter((one) => one.type !== 'null')
    return first ? fieldFaults(first, value) : []
  }
  if (rules.type === 'string') return typeof value === 'string' ? textFaults(rules, value) : ['Must be a string.']
  if (rules.type === 'boolean') return typeof value === 'boolean' ? [] : ['Must be true or false.']
  if (rules.type === 'integer')
    return Number.isSafeInteger(value) ? rangeFaults(rules, value as number) : ['Must be an integer.']
  if (rules.type === 'object') return isObject(value) ? objectFaults(value) : ['Must be an object.']
  if (rules.type === 'array') return Array.isArray(value) ? sizeFaults(rules, value.length) : ['Must be an array.']
  return []
}

const unstorable = 'Must not contain NUL or a lone surrogate.'

const sizeFaults = ({ minItems = 0, maxItems = Infinity }: Checked, size: number): string[] => {
  if (size < minItems) return [`Must have at least ${counted(minItems, 'item')}.`]
  return size > maxItems ? [`Must have at most ${counted(maxItems, 'item')}.`] : []
}

const objectFaults = (value: object) => (holdsUnstorable(value) ? [unstorable] : [])

const textFaults = (rules: Checked, value: string): string[] => {
  if (isUnstorable(value)) return [unstorable]
  const faults: string[] = []
  if (rules.maxLength !== undefined && characters(value) > rules.maxLength)
    faults.push(`Must have at most ${rules.maxLength} characters.`)
  if (rules.minLength !== undefined && value.trim().length < rules.minLength) return ['Must not be blank.']
  if (rules.enum && !rules.enum.includes(value)) faults.push(`Must be one of ${rules.enum.join(', ')}.`)
  const check = rules.format === 'uuid' ? isUuid : rules.format ? FormatRegistry.Get(rules.format) : undefined
  if (check && !check(value)) faults.push(`Must be ${formats[rules.format ?? ''] ?? rules.format}.`)
  if (rules.pattern && !patternOf(rules.pattern).test(value)) faults.push(patternFault(rules.pattern, rules.title))
  return faults
}

const patternFault = (pattern: string, title: string | undefined) => {
  if (linePatterns.includes(pattern)) return 'Must be one line, without control characters.'
  return title ? `Must be ${title}.` : `Must match ${pattern}.`
}

const patterns = new Map<string, RegExp>()

const patternOf = (pattern: string) => patterns.getOrInsertComputed(pattern, () => new RegExp(pattern, 'u'))

const rangeFaults = ({ minimum, maximum }: Checked, value: number): string[] => {
  if (minimum !== undefined && value < minimum) return [`Must be at least ${minimum}.`]
  if (maximum !== undefined && value > maximum) return [`Must be at most ${maximum}.`]
  return []
}
