import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExitCode, Io, Output } from './command.ts'

/** What the calling process sends along. */
type Asked = { words: string[]; cwd: string; umask: number; isTTY: { stdout: boolean; stderr: boolean } }

/** One line of the answer. The last one is the exit code. */
type Line = { out: string } | { err: string } | { exit: ExitCode }

/** Runs another process's command line. */
export type RunAsked = (words: string[], io: Io) => Promise<ExitCode>

const url = 'http://cardstock/commands'
const askedHeader = 'cardstock-command'

/**
 * While this process has the data directory, accepts commands for the embedded database from other processes of the same user,
 * over a socket that nobody else may open. Returns a function that stops this and cuts off running commands.
 */
export const serveCommands = (dataDir: string, run: RunAsked): (() => Promise<void>) => {
  const path = socketPath(dataDir)
  rmSync(path, { force: true })
  const before = process.umask(0o077)
  const server = Bun.serve({
    unix: path,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    development: false,
    fetch: (request) => answer(request, run),
  })
  process.umask(before)
  chmodSync(path, 0o600)
  return async () => {
    await server.stop(true)
    rmSync(path, { force: true })
  }
}

const answer = (request: Request, run: RunAsked): Response => {
  const { words, cwd, umask, isTTY }: Asked = JSON.parse(decodeURIComponent(request.headers.get(askedHeader) ?? ''))
  const { readable, writable } = new TransformStream<string, string>()
  const writer = writable.getWriter()
  const gone = new AbortController()
  request.signal.addEventListener('abort', () => gone.abort())
  const write = (text: string) => writer.write(text).catch(() => gone.abort())
  const send = (line: Line) => write(`${JSON.stringify(line)}\n`)
  void write(blankLine)
  const breathing = setInterval(() => write(blankLine), breathMilliseconds)
  const io: Io = {
    stdin: request.body ?? new Blob().stream(),
    stdout: { isTTY: isTTY.stdout, write: (text) => send({ out: text }) },
    stderr: { isTTY: isTTY.stderr, write: (text) => send({ err: text }) },
    cwd,
    umask,
    signal: gone.signal,
  }
  void run(words, io)
    .catch(async (error: unknown): Promise<ExitCode> => {
      await send({ err: `${String(error)}\n` })
      return 1
    })
    .then((exit) => send({ exit }))
    .then(() => clearInterval(breathing))
    .then(() => writer.close())
    .catch(() => {})
  return new Response(readable.pipeThrough(new TextEncoderStream()), {
    headers: { 'content-type': 'application/x-ndjson' },
  })
}

/** Tells the caller that the command was accepted and, later, that it is still running. A silent connection would be closed. */
const blankLine = '\n'
const breathMilliseconds = 2000

/**
 * Has the server that owns the data directory run a command line. Undefined if the server doesn't accept commands because it is
 * just starting or stopping. Then the caller may try again.
 */
export const runThroughServer = async (dataDir: string, words: string[], io: Io): Promise<ExitCode | undefined> => {
  const response = await ask(dataDir, words, io)
  if (!response?.body) return undefined
  let rest = ''
  for await (const piece of untilCut(response.body, io.signal)) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines.filter((text) => text !== '')) {
      const exit = await obey(JSON.parse(line), io)
      if (exit !== undefined) return exit
    }
  }
  if (io.signal.aborted) return 0
  await io.stderr.write('The server stopped before the command finished.\n')
  return 1
}

/** Whether a server, run by any user, accepts commands for this data directory now. */
export const takesCommands = async (dataDir: string): Promise<boolean> => {
  try {
    const socket = await Bun.connect({ unix: socketPath(dataDir), socket: { data: () => {} } })
    socket.end()
    return true
  } catch {
    return false
  }
}

/** Treats an answer that is cut short as ended: the server was killed, or our own reader went away. */
async function* untilCut(body: NonNullable<Response['body']>, signal: AbortSignal) {
  const decoder = new TextDecoder()
  try {
    for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
      if (signal.aborted) return
      yield decoder.decode(piece, { stream: true })
    }
  } catch (error) {
    if (!isAway(error) && !signal.aborted) throw error
  }
}

const ask = async (dataDir: string, words: string[], io: Io) => {
  const path = socketPath(dataDir)
  if (!isOurs(path)) return undefined
  const { cwd, umask, signal, stdout, stderr } = io
  const asked: Asked = { words, cwd, umask, isTTY: { stdout: stdout.isTTY, stderr: stderr.isTTY } }
  const headers = { [askedHeader]: encodeURIComponent(JSON.stringify(asked)) }
  const body = words.includes('-') ? toStream(io.stdin) : undefined
  try {
    return await fetch(url, { unix: path, method: 'POST', headers, body, signal, timeout: false } as RequestInit)
  } catch (error) {
    if (isAway(error)) return undefined
    throw error
  }
}

const isAway = (error: unknown) => away.includes((error as { code?: string }).code ?? '')

const away = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'ConnectionRefused', 'ConnectionClosed', 'FailedToOpenSocket']

const toStream = (source: AsyncIterable<Uint8Array>) => {
  const pieces = source[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}

const obey = async (line: Line, io: Io): Promise<ExitCode | undefined> => {
  if ('exit' in line) return line.exit
  const [output, text]: [Output, string] = 'out' in line ? [io.stdout, line.out] : [io.stderr, line.err]
  await output.write(text)
  return undefined
}

/** In the data directory or, if its path is too long for a socket, in the temporary folder. */
const socketPath = (dataDir: string) => {
  const whole = realpathSync(dataDir)
  const path = join(whole, 'commands.sock')
  if (Buffer.byteLength(path) <= longestPath) return path
  return join(tmpdir(), `cardstock-${createHash('sha256').update(whole).digest('hex').slice(0, 16)}.sock`)
}

const longestPath = 100

const isOurs = (path: string) => {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found?.isSocket() === true && found.uid === process.getuid?.()
}
