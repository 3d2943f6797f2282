/** A mail as Resend received it. */
export type Sent = { from: string; to: string[]; subject: string; html: string; text: string }

/** How the double answers one request: with a status and one of Resend's errors, or not at all although it has the mail. */
export type Fault = { status: number; name: string } | 'silent'

/**
 * A double of Resend over HTTP for the real SDK. It keeps what it receives, once per idempotency key, and answers with the next
 * of `faults` while there are any.
 */
export const resendDouble = (apiKey = 're_test') => {
  const inbox: Sent[] = []
  const faults: Fault[] = []
  const keys = new Map<string, string>()
  let requests = 0
  const take = (request: Request, mail: Sent) => {
    const key = request.headers.get('Idempotency-Key') ?? Bun.randomUUIDv7()
    if (!keys.has(key)) {
      keys.set(key, Bun.randomUUIDv7())
      inbox.push(mail)
    }
    return keys.get(key)
  }
  const refuse = (statusCode: number, name: string) =>
    Response.json({ statusCode, name, message: `${name}: nobody@example.org` }, { status: statusCode })
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      requests++
      if (request.method !== 'POST' || new URL(request.url).pathname !== '/emails') return refuse(404, 'not_found')
      if (request.headers.get('Authorization') !== `Bearer ${apiKey}`) return refuse(403, 'invalid_api_key')
      const mail = (await request.json()) as Sent
      const fault = faults.shift()
      if (fault === undefined) return Response.json({ id: take(request, mail) })
      if (fault !== 'silent') return refuse(fault.status, fault.name)
      take(request, mail)
      return new Promise<Response>(() => {})
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    inbox,
    faults,
    requests: () => requests,
    stop: () => server.stop(true),
  }
}
