import { isDate, isInYears } from '../jsonapi/fields.ts'
import { characters, holdsControl } from '../jsonapi/text-faults.ts'
import { sizes } from '../limits.ts'
import { type ExitCode, type Io, WrongUsage } from './command.ts'
import { on } from './flags.ts'

/** The flag that every command has. */
export const jsonFlag = { json: on } as const

/**
 * Prints a command's answer: readable lines, or one JSON object with `--json`. Names come from files and from people, so
 * control characters are printed as `\x1b` and can't reach the terminal.
 */
export const answer = async (io: Io, json: boolean | undefined, object: object, lines: string[]): Promise<ExitCode> => {
  await io.stdout.write(json ? `${JSON.stringify(object)}\n` : `${lines.map(harmless).join('\n')}\n`)
  return 0
}

/** Prints a list of any length, item by item: readable lines, or with `--json` one object holding a list of that name. */
export const listAnswer = (io: Io, json: boolean | undefined, name: string) => {
  let written = 0
  return {
    add: async (item: object, lines: string) => {
      const before = written === 0 ? `{${JSON.stringify(name)}:[` : ','
      await io.stdout.write(json ? `${before}\n${JSON.stringify(item)}` : `${lines}\n`)
      written += 1
    },
    /** Ends the list, which completes its JSON. */
    end: async (): Promise<ExitCode> => {
      if (json) await io.stdout.write(written === 0 ? `${JSON.stringify({ [name]: [] })}\n` : '\n]}\n')
      return 0
    },
  }
}

const harmless = (line: string) =>
  line.replace(/\p{Cc}/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)

/** A required flag. It may not be blank. */
export const required = (value: string | undefined, name: string): string => {
  if (value === undefined || value.trim() === '') throw new WrongUsage(`--${name} is missing`)
  return value.trim()
}

/** An optional flag whose value is a name or a label on one line. */
export const lineOf = <T extends string | undefined>(value: T, name: string): T => {
  if (value !== undefined && holdsControl(value))
    throw new WrongUsage(`--${name} must be one line without control characters`)
  const { most } = sizes.text
  if (value !== undefined && characters(value) > most)
    throw new WrongUsage(`--${name} must have at most ${most} characters`)
  return value
}

/** A required flag whose value is a whole number of up to nine digits, 1 or more. */
export const positive = (value: string | undefined, name: string): number => {
  const text = required(value, name)
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new WrongUsage(`--${name} must be a whole number from 1 to 999,999,999`)
  return Number(text)
}

/** An optional flag whose value is a date or a time. */
export const dateOf = (value: string | undefined, name: string, example: string): Date | undefined => {
  if (value === undefined) return undefined
  const time = new Date(value)
  if (isDate(value.slice(0, 10)) && isInYears(time.getTime())) return time
  throw new WrongUsage(`--${name} must be a date such as ${example}`)
}
