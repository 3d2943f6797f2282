import { afterAll, setSystemTime } from 'bun:test'
import { Webhook } from 'standardwebhooks'

/** A message as a webhook's receiver got it. */
export type Message = { headers: Record<string, string>; text: string; at: number }

/** The body of a message. */
export const bodyOf = ({ text }: Message) =>
  JSON.parse(text) as {
    type: string
    timestamp: string
    data: { id: string; cursor: string; links: { self: string; changes: string } }
  }

/** Whether a message is genuine, as the library of Standard Webhooks sees it. It was signed for `now`, if that is given. */
export const isSignedWith = (secret: string, { text, headers }: Message, now = new Date()): boolean => {
  setSystemTime(now)
  try {
    new Webhook(secret).verify(text, headers)
    return true
  } catch {
    return false
  } finally {
    setSystemTime()
  }
}

/** A server on this machine that keeps what it gets. `answer` says what it answers, and may be replaced. It ends with the file. */
export const aReceiver = (
  answer: (message: Message) => Response | Promise<Response> = () => new Response(null, { status: 204 }),
) => {
  const messages: Message[] = []
  const receiver = { messages, answer, url: '', types: () => messages.map((message) => bodyOf(message).type) }
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1', idleTimeout: 60 },
    fetch: async (request) => {
      const message = {
        headers: Object.fromEntries(request.headers),
        text: await request.text(),
        at: performance.now(),
      }
      messages.push(message)
      return receiver.answer(message)
    },
  })
  receiver.url = `http://127.0.0.1:${server.port}/hook?for=cards`
  afterAll(() => server.stop(true))
  return receiver
}
