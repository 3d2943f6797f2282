import type { Io } from '../../src/commands/command.ts'
import { commands } from '../../src/commands/index.ts'
import { runWords } from '../../src/commands/run.ts'
import type { Context } from '../../src/context.ts'

/** What a command did: its exit code and what it wrote. */
export type Ran = { exit: number; out: string; err: string; json: Record<string, unknown> }

/** Runs command lines on an open service, as a server does for another process; `stdin` is what comes in. `umask` is the caller's. */
export const runningCommands =
  (context: Context, stdin: string | Uint8Array = '', umask = process.umask()) =>
  async (...words: string[]): Promise<Ran> => {
    const [written, warned]: string[][] = [[], []]
    const output = (pieces: string[] = []) => ({ isTTY: false, write: (text: string) => void pieces.push(text) })
    const io: Io = {
      stdin: new Blob([stdin as BlobPart]).stream() as unknown as AsyncIterable<Uint8Array>,
      stdout: output(written),
      stderr: output(warned),
      cwd: process.cwd(),
      umask,
      signal: new AbortController().signal,
    }
    const exit = await runWords(commands, words, io, (command, args) => command.run(context, args, io))
    const [out = '', err = ''] = [written?.join(''), warned?.join('')]
    return { exit, out, err, json: words.includes('--json') && exit === 0 ? JSON.parse(out) : {} }
  }
