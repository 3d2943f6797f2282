import { readSourceUrl } from '../../catalog/sync/mirror/source.ts'
import { isObject } from '../../jsonapi/json.ts'
import { required } from '../answers.ts'
import { type Command, type ExitCode, Failed, type Io, WrongUsage } from '../command.ts'
import { readFlags, text } from '../flags.ts'
import { type Answer, type Endpoint, type Message, openEndpoint } from './endpoint.ts'

/** The command `mcp`: an assistant on this machine reads a service through standard input and output. */
export const mcpCommand: Command = {
  name: 'mcp',
  summary: 'let an assistant on this machine read a service (MCP over stdio)',
  help: `Usage: cardstock mcp --url URL --key KEY

Speaks the Model Context Protocol on standard input and output, for assistants that start a program. Each message goes to /mcp of
the service at URL, and counts there. If the service restarts, messages wait for it. Errors at the start are sentences on standard
error, later ones are answers. Ends when its input does.

  --url URL   the address of the service, such as https://cards.example.org
  --key KEY   a subscriber key or a token for it
`,
  run: (_, args, io) => bridge(args, io),
  alone: (args, io) => bridge(args, io),
}

const bridge = async (args: string[], io: Io): Promise<ExitCode> => {
  const { flags } = readFlags(args, { url: text, key: text })
  const endpoint = openEndpoint(readUrl(required(flags.url, 'url')), readKey(required(flags.key, 'key')))
  const { refusal } = await endpoint.send({ jsonrpc: '2.0', id: 0, method: 'ping' }, 0, io.signal)
  if (refusal !== undefined) throw new Failed(refusal)
  await Promise.race([carryAll(endpoint, io), aborted(io.signal)])
  return 0
}

const readUrl = (given: string) => {
  const url = readSourceUrl(given)
  if (!url) throw new WrongUsage('--url must be the address of the service, such as https://cards.example.org')
  return url.replace(/\/mcp$/, '')
}

const readKey = (key: string) => {
  if (!/^[\x21-\x7e]+$/.test(key)) throw new WrongUsage('--key must be a key or a token of the service')
  return key
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve())
  })

/** As many as a service works on at a time for one caller. */
const mostAtOnce = 16

/** For how long a message waits for a service that doesn't answer. */
const patienceMilliseconds = 30_000

/** Carries each line to the service, and its answers back. Ends when the input has ended and all is answered. */
const carryAll = async (endpoint: Endpoint, io: Io) => {
  const running = new Map<unknown, AbortController>()
  const pending = new Set<Promise<void>>()
  const carry = async (body: unknown) => {
    const ids = idsIn(body)
    const canceled = new AbortController()
    for (const id of ids) running.set(id, canceled)
    const answer = await endpoint.send(body, patienceMilliseconds, canceled.signal)
    for (const id of ids) running.delete(id)
    if (canceled.signal.aborted) return
    if (ids.length > 0) await write(io, messagesIn(answer, ids))
    else if (answer.refusal) await io.stderr.write(`${answer.refusal}\n`)
  }
  const failed = Promise.withResolvers<never>()
  const read = async () => {
    for await (const line of linesOf(io.stdin)) {
      const body = parse(line)
      if (body === undefined) {
        await write(io, [unreadable])
        continue
      }
      running.get(canceledBy(body))?.abort()
      const carried = carry(body)
        .catch(failed.reject)
        .finally(() => pending.delete(carried))
      pending.add(carried)
      if (pending.size >= mostAtOnce) await Promise.race(pending)
    }
    await Promise.all(pending)
  }
  await Promise.race([read(), failed.promise])
}

const write = (io: Io, messages: Message[]) =>
  io.stdout.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''))

/** What answers requests with these ids. A refusal answers each, and an error without an id the one that there is. */
const messagesIn = ({ messages, refusal }: Answer, ids: unknown[]): Message[] =>
  messages?.map((message) => (message.id === null && ids.length === 1 ? { ...message, id: ids[0] } : message)) ??
  ids.map((id) => ({ jsonrpc: '2.0', id, error: { code: -32000, message: refusal } }))

const unreadable = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'The line is not JSON.' } }

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** The ids of requests in a message or an array of them. Only these are answered. */
const idsIn = (body: unknown): unknown[] =>
  [body]
    .flat()
    .flatMap((one) => (isObject(one) && one.id !== undefined && typeof one.method === 'string' ? [one.id] : []))

/** The id of the request that a message cancels. */
const canceledBy = (body: unknown): unknown =>
  isObject(body) && body.method === 'notifications/cancelled' && isObject(body.params)
    ? body.params.requestId
    : undefined

/** The lines of the input, without blank ones. */
async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let begun: string[] = []
  for await (const chunk of input) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n')
    begun.push(first)
    for (const other of others) {
      const line = begun.join('').trim()
      if (line) yield line
      begun = [other]
    }
  }
  const last = begun.join('').trim()
  if (last) yield last
}
