import type { Act } from '../audit/write.ts'
import type { Context } from '../context.ts'

/** Where a command writes: a terminal, a pipe, or the socket of the process that runs it. Waits until the text is taken. */
export type Output = { write: (text: string) => void | Promise<void>; isTTY: boolean }

/** What a command reads and writes, and its caller's working directory, where relative paths start. */
export type Io = {
  stdin: AsyncIterable<Uint8Array>
  stdout: Output
  stderr: Output
  cwd: string
  /** The caller's umask, for the files that it names. */
  umask: number
  /** Aborted when nobody waits for the command anymore. */
  signal: AbortSignal
}

/** 0 done, 1 failed, 2 wrong usage. */
export type ExitCode = 0 | 1 | 2

/** One subcommand. `args` are the words after its name. */
export type Command = {
  name: string
  /** One line for the table of commands. */
  summary: string
  /** The text of `--help`, from `Usage:` on. */
  help: string
  /** Runs with an open database, in this process or in the server that has the data directory. */
  run: (context: Context, args: string[], io: Io) => Promise<ExitCode>
  /** Runs before anything is opened, if the command needs no database or opens it itself. */
  alone?: (args: string[], io: Io) => Promise<ExitCode>
}

/** The subcommands by the headings under which `--help` shows them. */
export type Commands = Record<string, Command[]>

/** Who acts and when, for the audit log. */
export const actNow = ({ clock }: Context): Act => ({ agent: 'command-line', now: clock.now() })

/** Wrong usage: its message is printed with a pointer to `--help`, and the exit code is 2. */
export class WrongUsage extends Error {}

/** A failure that the reader can fix: only its message is printed, and the exit code is 1. */
export class Failed extends Error {}
