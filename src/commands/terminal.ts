import { fileReason } from '../lib/file-fault.ts'
import { Failed, type Io, type Output } from './command.ts'

/**
 * The process's own streams. If the reader goes away, as in `cardstock export | head`, the command ends quietly. If output can't
 * be written, as on a full disk, the command fails. Text for standard error may get lost. `umask` is the caller's.
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
      if (!isReaderGone(error)) throw new Failed(`Cannot write to standard output: ${fileReason(error)}`)
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
