import { FolderInUse } from '../../db/embedded/lock.ts'
import { BadConfig } from '../config.ts'
import { version } from '../version.ts'
import { type Command, type Commands, type ExitCode, type Io, WrongUsage } from './command.ts'

/** Runs a command that was found: in this process, or in the running server. */
export type RunFound = (command: Command, args: string[], io: Io) => Promise<ExitCode>

/** Runs a command line and returns its exit code. Errors are sentences on standard error. */
export const runWords = async (commands: Commands, words: string[], io: Io, runFound: RunFound): Promise<ExitCode> => {
  const [first = '', second = ''] = words
  if (first === 'help' && second !== '') return runWords(commands, [...words.slice(1), '--help'], io, runFound)
  if (['--help', '-h', 'help'].includes(first)) return say(io, overview(commands))
  if (['--version', '-v', 'version'].includes(first)) return say(io, `${version}\n`)
  const found = findCommand(commands, words)
  if (!found) return explain(commands, words, io)
  const { command, args } = found
  if (wantsHelp(args)) return say(io, `${command.help.trimEnd()}\n`)
  try {
    return await runFound(command, args, io)
  } catch (error) {
    if (error instanceof FolderInUse) throw error
    if (error instanceof WrongUsage) return wrong(io, `${error.message}. See cardstock ${command.name} --help.`)
    await io.stderr.write(`${describe(error)}\n`)
    return 1
  }
}

const explain = (commands: Commands, words: string[], io: Io): Promise<ExitCode> => {
  const [first = '', second = ''] = words
  if (!isGroup(commands, first)) return wrong(io, `Unknown command: ${first}. For a list, see cardstock --help.`)
  if (wantsHelp(words)) return say(io, overview(commands, first))
  if (second === '') return wrong(io, overview(commands, first).trimEnd())
  return wrong(io, `Unknown command: ${first} ${second}. For a list, see cardstock ${first} --help.`)
}

const wantsHelp = (args: string[]) => {
  const end = args.indexOf('--')
  return args.slice(0, end < 0 ? undefined : end).some((word) => word === '--help' || word === '-h')
}

/** A sentence for whoever has to fix it. With LOG_LEVEL=debug, the stack. */
export const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof BadConfig) return error.message
  const { message, code, errors } = error as Error & { code?: string; errors?: Error[] }
  if (process.env.LOG_LEVEL === 'debug' && error.stack) return error.stack
  return message || errors?.[0]?.message || code || error.name
}

const say = async (io: Io, text: string): Promise<ExitCode> => {
  await io.stdout.write(text)
  return 0
}

const wrong = async (io: Io, text: string): Promise<ExitCode> => {
  await io.stderr.write(`${text}\n`)
  return 2
}

/** A command line's command, and the words after the command's name. */
type Found = { command: Command; args: string[] }

/** Finds the command that the words start with. Two-word names (`user create`) come first. Without a command, it is `serve`. */
const findCommand = (commands: Commands, words: string[]): Found | undefined => {
  const [first, second] = words
  if (first === undefined || first.startsWith('-')) return found(commands, 'serve', words)
  return found(commands, `${first} ${second}`, words.slice(2)) ?? found(commands, first, words.slice(1))
}

const found = (commands: Commands, name: string, args: string[]): Found | undefined => {
  const command = Object.values(commands)
    .flat()
    .find((one) => one.name === name)
  return command && { command, args }
}

/** The text of `cardstock --help`, or of `cardstock user --help` for the commands that start with that word. */
const overview = (commands: Commands, group?: string) => {
  const all = Object.values(commands).flat()
  const shown: Commands = group ? { Commands: all.filter(({ name }) => name.startsWith(`${group} `)) } : commands
  const width = Math.max(...all.map(({ name }) => name.length))
  const parts = Object.entries(shown).map(([heading, some]) =>
    [`${heading}:`, ...some.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)].join('\n'),
  )
  const usage = `Usage: cardstock ${group ?? 'COMMAND'} ${group ? 'COMMAND ' : ''}[FLAGS]`
  const more =
    'Run cardstock COMMAND --help for more about a command. Settings are environment variables: see cardstock serve --help.\n'
  return [usage, ...parts, more].join('\n\n')
}

/** Whether this word starts two-word commands, as `user` does. */
const isGroup = (commands: Commands, word: string) =>
  Object.values(commands)
    .flat()
    .some(({ name }) => name.startsWith(`${word} `))
