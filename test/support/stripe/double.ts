import { api, type Told } from './api.ts'
import { type Fault, faults, nextFault, type Planned } from './faults.ts'
import { onceBy } from './once.ts'
import { showPage } from './pages.ts'
import { signatureOf } from './sign.ts'
import { type Event, emptyWorld, prices } from './world.ts'

/** A receiver of events: gets a body and its signature, returns a status. */
export type Receiver = (body: string, signature: string) => Promise<number>

/** A request to the double. */
export type Asked = { method: string; path: string; key: string | null; params: URLSearchParams }

export const secretKey = 'sk_test_double'
export const webhookSecret = 'whsec_double'

/**
 * A fake Stripe: the part of its API that Cardstock uses, over HTTP, with pages that pay on a click, and signed events. Nothing
 * is delivered until `deliver` is called.
 */
export const openStripeDouble = ({ port = 0 } = {}) => {
  let latencyMilliseconds = 0
  const world = emptyWorld()
  const asked: Asked[] = []
  const planned: Planned[] = []
  const once = onceBy()
  const answer = async (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    const page = showPage(world, request.method, url.pathname)
    if (page) return page
    const params = new URLSearchParams(request.method === 'POST' ? await request.text() : url.search)
    const key = request.headers.get('idempotency-key')
    asked.push({ method: request.method, path: url.pathname, key, params })
    if (request.headers.get('authorization') !== `Bearer ${secretKey}`) return written(unknownKey)
    const fault = nextFault(planned, `${request.method} ${url.pathname}`)
    if (fault) return broken(fault)
    return written(
      await once(key, `${url.pathname} ${params}`, async () => {
        await Bun.sleep(latencyMilliseconds)
        return tell(request, url, params)
      }),
    )
  }
  const tell = async (request: Request, url: URL, params: URLSearchParams): Promise<Told> => {
    const { route, id } = routeOf(request.method, url.pathname)
    const handle = api[route]
    return handle ? handle({ world, params, id, origin: url.origin }) : unknownPath
  }
  const server = Bun.serve({ port, hostname: '127.0.0.1', idleTimeout: 120, development: false, fetch: answer })
  return {
    world,
    asked,
    origin: server.url.origin,
    /** The settings that point the service here. */
    environment: {
      STRIPE_API_BASE: server.url.origin,
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_PRICE_STARTER: prices.starter,
      STRIPE_PRICE_PRO: prices.pro,
    },
    /** Makes the next requests to a path fail, or with `times: 0` stops that. */
    fail: (where: string, fault: Fault, times = 1) => {
      for (const one of planned) if (one.where === where) one.times = 0
      planned.push({ where, fault, times })
    },
    /** Delays every call. */
    slowDown: (milliseconds: number) => {
      latencyMilliseconds = milliseconds
    },
    /** Delivers an event as it happened. Returns the receiver's status. */
    deliver: (receiver: Receiver, event: Event) => {
      const body = JSON.stringify(event)
      return receiver(body, signatureOf(body, webhookSecret))
    },
    close: () => server.stop(true),
  }
}

export type StripeDouble = ReturnType<typeof openStripeDouble>

const unknownKey: Told = {
  status: 401,
  body: { error: { type: 'invalid_request_error', message: 'Invalid API Key.' } },
}
const unknownPath: Told = {
  status: 404,
  body: { error: { type: 'invalid_request_error', message: 'Unrecognized URL.' } },
}

const written = ({ status, body }: Told) =>
  Response.json(body, { status, headers: { 'Request-Id': `req_${Bun.randomUUIDv7()}` } })

const broken = async (fault: Fault) => {
  const answer = await faults[fault]()
  return answer instanceof Response ? answer : written(answer)
}

/** A path is known either literally or with its last part as an id. */
const routeOf = (method: string, path: string) => {
  if (`${method} ${path}` in api) return { route: `${method} ${path}`, id: '' }
  const [, sessionId] = /^\/v1\/checkout\/sessions\/(\w+)\/expire$/.exec(path) ?? []
  if (sessionId) return { route: `${method} /v1/checkout/sessions/:id/expire`, id: sessionId }
  const at = path.lastIndexOf('/')
  return { route: `${method} ${path.slice(0, at)}/:id`, id: decodeURIComponent(path.slice(at + 1)) }
}
