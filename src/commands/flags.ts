import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { readUuid } from '../catalog/import/read/identity.ts'
import { WrongUsage } from './command.ts'

/** A flag with a value, and one without. */
export const text = { type: 'string' } as const
export const on = { type: 'boolean' } as const

/**
 * Reads a command's arguments strictly: an unknown flag, a flag without its value, or the wrong number of plain words throws
 * WrongUsage. `words` names the required plain words, in order. Up to `more` others may follow.
 */
export const readFlags = <T extends ParseArgsOptionsConfig>(
  args: string[],
  options: T,
  words: string[] = [],
  more = 0,
) => {
  const read = parse(args, options)
  const missing = words[read.positionals.length]
  if (missing) throw new WrongUsage(`${missing} is missing`)
  const extra = read.positionals[words.length + more]
  if (extra !== undefined) throw new WrongUsage(`unexpected ${JSON.stringify(extra)}`)
  return { flags: read.values, words: read.positionals }
}

const parse = <T extends ParseArgsOptionsConfig>(args: string[], options: T) => {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new WrongUsage(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error))
  }
}

/** Reads a plain word that must be one of a few. `name` is what the help calls it. */
export const oneOf = <T extends string>(known: readonly T[], word: string, name: string): T => {
  const found = known.find((one) => one === word)
  if (found === undefined) throw new WrongUsage(`${name} must be one of ${known.join(', ')}`)
  return found
}

/** Reads a word that must be a UUID. */
export const idOf = (word: string, name = word): string => {
  const id = readUuid(word)
  if (!id) throw new WrongUsage(`${name} is not a UUID`)
  return id
}
