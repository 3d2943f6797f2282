import { Failed, type Io, type Output } from './command.ts'

/**
 * The process's own streams. A reader that goes away, as in `cardstock export | head`, ends the command quietly. Output that
 * cannot be written, as on a full disk, fails it; standard error may lose text. `umask` is the caller's.
 */
export const terminal = (umask: number): Io => {
  const gone = new AbortController()
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error) => {
      if (isReaderGone(error)) gone.abort()
    })
  return {
    stdin: Bun.stdin.stream() as unknown as AsyncIterable<Uint8Array>,
    stdout: output(process.stdout, gone.signal, (error) => {
      if (!isReaderGone(error)) throw new Failed(`Standard output cannot be written: ${error.message}`)
    }),
    stderr: output(process.stderr, gone.signal),
    cwd: process.cwd(),
    umask,
    signal: gone.signal,
  }
}

const isReaderGone = (error: NodeJS.ErrnoException) => error.code === 'EPIPE'

const output = (stream: NodeJS.WriteStream, gone: AbortSignal, lost: (error: Error) => void = () => {}): Output => ({
  isTTY: Boolean(stream.isTTY),
  write: async (text) => {
    if (gone.aborted) return
    const error = await new Promise<Error | null | undefined>((resolve) => {
      if (stream.write(text, resolve) === undefined) resolve(null)
    })
    if (error) lost(error)
  },
})
