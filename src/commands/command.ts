import type { Act } from '../audit/write.ts'
import type { Context } from '../context.ts'

/** Where a command writes: the terminal, a pipe, or the socket of the process that was asked. Waits until it is taken. */
export type Output = { write: (text: string) => void | Promise<void>; isTTY: boolean }

/** What a command reads and writes, and the folder in which its caller stands, from which it takes paths. */
export type Io = {
  stdin: AsyncIterable<Uint8Array>
  stdout: Output
  stderr: Output
  cwd: string
  /** What the caller keeps from others in the files that it names. */
  umask: number
  /** Aborted when nobody waits for the command any more. */
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
  /** Runs with an open database: in this process, or in the server that has the data directory. */
  run: (context: Context, args: string[], io: Io) => Promise<ExitCode>
  /** Runs before anything is opened, where the command needs no database or opens it itself. */
  alone?: (args: string[], io: Io) => Promise<ExitCode>
}

/** What a command does, as the audit log has it. */
export const actNow = ({ clock }: Context): Act => ({ agent: 'command-line', now: clock.now() })

/** Wrong usage: its message is printed with a pointer to `--help`, and the exit code is 2. */
export class WrongUsage extends Error {}

/** A failure that its reader can mend: its message is printed alone, and the exit code is 1. */
export class Failed extends Error {}
