import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { isEmail } from './email.ts'
import { findPostgresUrlFault, postgresUrl } from './postgres-url.ts'

/** A setting: an environment variable, what it accepts, and what the docs say about it. */
export type Setting<T = unknown> = {
  /** What it does, in one sentence. */
  says: string
  /** What it accepts, as refusals and docs put it. */
  takes: string
  /** Reads a value that isn't blank. Undefined means that it is refused. */
  parse: (text: string) => T | undefined
  fallback: T
  /** The default as docs show it. */
  shown: string
} & Extras

type Extras = {
  /** Its value is never shown. */
  isSecret?: boolean
  /** The default in words, if there is none or it depends on something. */
  shown?: string
  /** A second variable that is read if this one isn't set. */
  also?: string
  /** It is read only if this one is set. */
  onlyWith?: string
  /** The settings that it makes no sense without. The service doesn't start if one is missing. */
  needs?: readonly string[]
  /** Required in production if this one is set. */
  requiredInProductionWith?: string
  isRefusedInProduction?: boolean
  /** What is expected instead of a value that is refused, if that depends on the value. */
  expects?: (text: string) => string | undefined
  /** All the values that it accepts, if they are just a few words. */
  choices?: readonly string[]
}

const setting = <T>(
  takes: string,
  parse: (text: string) => T | undefined,
  fallback: T,
  says: string,
  extras: Extras = {},
): Setting<T> => ({
  shown: fallback === undefined ? 'none' : String(fallback),
  ...extras,
  says,
  takes,
  parse,
  fallback,
})

/** Any text that is not blank. */
export const text = <T extends string | undefined>(fallback: T, says: string, extras?: Extras): Setting<string | T> =>
  setting<string | T>('text', (value) => value, fallback, says, extras)

/** A text that is never logged or shown. */
export const secretText = (says: string, extras?: Extras) => text(undefined, says, { ...extras, isSecret: true })

/** A whole number within bounds, both included. */
export const integer = (fallback: number, least: number, most: number, says: string, extras?: Extras) =>
  setting(
    `an integer from ${least} to ${most}`,
    (value) => {
      const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN
      return number >= least && number <= most ? number : undefined
    },
    fallback,
    says,
    extras,
  )

/** A number of processes, or `auto` for one for each core. */
export const processes = (says: string): Setting<number | undefined> => {
  const { takes, parse } = integer(1, 1, 128, says)
  const count = (value: string) => (value === 'auto' ? availableParallelism() : parse(value))
  return setting<number | undefined>(`${takes}, or auto`, count, undefined, says, { shown: 'one, not supervised' })
}

/** `true` or `false`. */
export const flag = (fallback: boolean, says: string) =>
  setting('true or false', (value) => ({ true: true, false: false })[value], fallback, says)

/** One of a few words. */
export const choice = <T extends string>(words: readonly T[], fallback: T, says: string) =>
  setting<T>(`one of ${words.join(', ')}`, (value) => words.find((one) => one === value), fallback, says, {
    choices: words,
  })

/** A text that passes a test. */
export const checked = <T extends string | undefined>(
  takes: string,
  isGood: (value: string) => boolean,
  fallback: T,
  says: string,
  extras?: Extras,
): Setting<string | T> =>
  setting<string | T>(takes, (value) => (isGood(value) ? value : undefined), fallback, says, extras)

/** Several texts, separated by commas, each of which passes a test. */
export const list = (takes: string, isGood: (one: string) => boolean, says: string, extras?: Extras) =>
  setting<string[]>(
    takes,
    (value) => {
      const all = value.split(/\s*,\s*/).filter(Boolean)
      return all.every(isGood) ? all : undefined
    },
    [],
    says,
    { shown: 'none', ...extras },
  )

/** Words from a closed list, in the order of that list. */
export const wordsOf = <T extends string>(words: readonly T[], fallback: T[], says: string) =>
  setting<T[]>(
    `${words.join(', ')}, separated by spaces or commas`,
    (value) => {
      const given = value.split(/[\s,]+/)
      const known = words.filter((word) => given.includes(word))
      return given.every((word) => !word || known.some((one) => one === word)) ? known : undefined
    },
    fallback,
    says,
  )

/** A whole number starting at 0, or `unlimited`, which is Infinity. */
export const integerOrUnlimited = (fallback: number, says: string) =>
  setting(
    'an integer of 0 or more, or unlimited',
    (value) => (value === 'unlimited' ? Number.POSITIVE_INFINITY : /^\d{1,9}$/.test(value) ? Number(value) : undefined),
    fallback,
    says,
  )

/** An http or https URL that a path can be appended to. */
export const webAddress = (shown: string, says: string, extras?: Extras) =>
  checked('an http or https URL without ? and #', (value) => isWeb(value) && !/[?#]/.test(value), undefined, says, {
    shown,
    ...extras,
  })

/** The URL of a PostgreSQL database, password included. */
export const postgresAddress = (shown: string, says: string) =>
  checked(postgresUrl, (value) => findPostgresUrlFault(value) === undefined, undefined, says, {
    ...{ shown, isSecret: true, expects: findPostgresUrlFault },
  })

/** The sender of mails: just an address, or a name followed by an address in angle brackets. */
export const sender = (says: string) =>
  checked(
    'an e-mail address, or a name and address such as Cards <cards@example.org>',
    (value) => isEmail(/^[^<>\p{Cc}]*<([^<>]*)>$/u.exec(value)?.[1] ?? value),
    undefined,
    says,
  )

/** Whether a text is an IP address or a CIDR. */
export const isAddressRange = (text: string): boolean => {
  const [address = '', prefix, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 6 ? 128 : 32))
}

/** Whether a text is an http or https URL. */
const isWeb = (value: string) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)

/** Whether a text is an origin and nothing more. */
export const isOrigin = (value: string) => isWeb(value) && new URL(value).origin === value
