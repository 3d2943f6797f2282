import type { Io, Output } from './command.ts'

/** The process's own streams. A reader that goes away, as in `cardstock export | head`, ends the command quietly. */
export const terminal = (): Io => {
  const gone = new AbortController()
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') gone.abort()
      else throw error
    })
  return {
    stdin: Bun.stdin.stream() as unknown as AsyncIterable<Uint8Array>,
    stdout: output(process.stdout, gone.signal),
    stderr: output(process.stderr, gone.signal),
    cwd: process.cwd(),
    signal: gone.signal,
  }
}

const output = (stream: NodeJS.WriteStream, gone: AbortSignal): Output => ({
  isTTY: Boolean(stream.isTTY),
  write: (text) =>
    new Promise<void>((resolve) => {
      if (gone.aborted || stream.write(text, () => resolve()) === undefined) resolve()
    }),
})
