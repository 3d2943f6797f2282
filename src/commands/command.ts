import type { Act } from '../audit/write.ts'
import type { Context } from '../context.ts'

/** Where a command writes: a terminal, a pipe, or a socket to the calling process. Waits until the text is written. */
export type Output = { write: (text: string) => void | Promise<void>; isTTY: boolean }

/** What a command reads and writes. Relative paths start at `cwd`, the caller's working directory. */
export type Io = {
  stdin: AsyncIterable<Uint8Array>
  stdout: Output
  stderr: Output
  cwd: string
  /** The caller's umask, for the files it names. */
  umask: number
  /** Aborted when nobody is waiting for the command anymore. */
  signal: AbortSignal
}

/** 0 done, 1 failed, 2 wrong usage. */
export type ExitCode = 0 | 1 | 2

/** One subcommand. `args` are the words after its name. */
export type Command = {
  name: string
  /** One line for the table of commands. */
  summary: string
  /** The text of `--help`, starting with `Usage:`. */
  help: string
  /** Runs with an open database, in this process or in the server that has the data directory. */
  run: (context: Context, args: string[], io: Io) => Promise<ExitCode>
  /** Runs before anything is opened, if the command needs no database or opens it itself. */
  alone?: (args: string[], io: Io) => Promise<ExitCode>
}

/** The subcommands, by their heading in `--help`. */
export type Commands = Record<string, Command[]>

/** Who acts, and when, for the audit log. */
export const actNow = ({ clock }: Context): Act => ({ agent: 'command-line', now: clock.now() })

/** Wrong usage. Prints the message and a pointer to `--help`, and exits with 2. */
export class WrongUsage extends Error {}

/** A failure that the user can fix. Prints only the message, and exits with 1. */
export class Failed extends Error {}
