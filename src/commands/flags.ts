import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { readUuid } from '../catalog/import/read/identity.ts'
import { WrongUsage } from './command.ts'

/** A flag with a value, and one without. */
export const text = { type: 'string' } as const
export const on = { type: 'boolean' } as const

/**
 * Reads a command's arguments strictly: an unknown flag, a flag without its value or with two, or the wrong number of plain
 * words throws WrongUsage. `words` names the required plain words, in order. Up to `more` others may follow. A flag that is one of
 * `modes` takes the place of the plain words and of all other flags, except `--json`.
 */
export const readFlags = <T extends ParseArgsOptionsConfig>(
  args: string[],
  options: T,
  words: string[] = [],
  { more = 0, modes = [] }: { more?: number; modes?: string[] } = {},
) => {
  const read = parse(args, options)
  const given = Object.keys(read.values)
  const mode = given.find((name) => modes.includes(name))
  const other = mode && given.find((name) => name !== mode && name !== 'json')
  if (other) throw new WrongUsage(`--${mode} and --${other} cannot be combined`)
  if (mode) words = []
  const missing = words[read.positionals.length]
  if (missing) throw new WrongUsage(`${missing} is missing`)
  const extra = read.positionals[words.length + more]
  if (extra !== undefined) throw new WrongUsage(`Unexpected argument ${JSON.stringify(extra)}`)
  return { flags: read.values, words: read.positionals }
}

const parse = <T extends ParseArgsOptionsConfig>(args: string[], options: T) => {
  const read = parseStrictly(args, options)
  const given = read.tokens.flatMap((token) =>
    token.kind === 'option' && takesOneValue(options[token.name]) ? [token.name] : [],
  )
  const twice = given.find((name, at) => given.indexOf(name) < at)
  if (twice !== undefined) throw new WrongUsage(`--${twice} is given twice`)
  return read
}

const takesOneValue = (option: ParseArgsOptionsConfig[string] | undefined) =>
  option?.type === 'string' && !option.multiple

const parseStrictly = <T extends ParseArgsOptionsConfig>(args: string[], options: T) => {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true, tokens: true })
  } catch (error) {
    throw new WrongUsage(error instanceof Error ? told(error.message) : String(error))
  }
}

/** What `parseArgs` has to say, in the words of the other messages. */
const told = (message: string) => {
  const flag = /'(--?[^' ]+)/.exec(message)?.[1] ?? ''
  if (message.includes('does not take an argument')) return `${flag} takes no value`
  if (message.includes('is ambiguous')) return `${flag} needs a value; write one that starts with a dash as ${flag}=-x`
  if (message.includes('argument missing')) return `${flag} needs a value`
  return message.split('. ')[0] ?? ''
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
