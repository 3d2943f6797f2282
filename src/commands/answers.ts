import { isDate, isInYears } from '../jsonapi/fields.ts'
import { holdsControl } from '../jsonapi/text-faults.ts'
import { type ExitCode, type Io, WrongUsage } from './command.ts'
import { on } from './flags.ts'

/** The flag that every command has. */
export const jsonFlag = { json: on } as const

/**
 * Prints a command's answer: readable lines, or one JSON object with `--json`. Names come from files and from people, so
 * control characters are shown as `\x1b` and no terminal obeys them.
 */
export const answer = async (io: Io, json: boolean | undefined, object: object, lines: string[]): Promise<ExitCode> => {
  await io.stdout.write(json ? `${JSON.stringify(object)}\n` : `${lines.map(harmless).join('\n')}\n`)
  return 0
}

/** Prints a list item by item, however long it is: readable lines, or with `--json` one object with a list of that name. */
export const listAnswer = (io: Io, json: boolean | undefined, name: string) => {
  let written = 0
  return {
    add: async (item: object, lines: string) => {
      const before = written === 0 ? `{${JSON.stringify(name)}:[` : ','
      await io.stdout.write(json ? `${before}\n${JSON.stringify(item)}` : `${lines}\n`)
      written += 1
    },
    /** Ends the list; only then is its JSON whole. */
    end: async (): Promise<ExitCode> => {
      if (json) await io.stdout.write(written === 0 ? `${JSON.stringify({ [name]: [] })}\n` : '\n]}\n')
      return 0
    },
  }
}

const harmless = (line: string) =>
  line.replace(/\p{Cc}/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)

/** A required flag, which may not be blank. */
export const required = (value: string | undefined, name: string): string => {
  if (value === undefined || value.trim() === '') throw new WrongUsage(`--${name} is missing`)
  return value.trim()
}

/** A flag that takes a name or a label, on one line, if it is given. */
export const lineOf = <T extends string | undefined>(value: T, name: string): T => {
  if (value !== undefined && holdsControl(value))
    throw new WrongUsage(`--${name} takes one line, without control characters`)
  return value
}

/** A flag that takes a whole number from 1. */
export const positive = (value: string | undefined, name: string): number => {
  const text = required(value, name)
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new WrongUsage(`--${name} takes a whole number from 1`)
  return Number(text)
}

/** A flag that takes a date or a time, if it is given. */
export const dateOf = (value: string | undefined, name: string, example: string): Date | undefined => {
  if (value === undefined) return undefined
  const time = new Date(value)
  if (isDate(value.slice(0, 10)) && isInYears(time.getTime())) return time
  throw new WrongUsage(`--${name} takes a date such as ${example}`)
}
