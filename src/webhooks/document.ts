import { Type } from '@sinclair/typebox'
import type { Config } from '../config.ts'
import { limitParameter, pageNameParameter, pageParameters } from '../http/parameters.ts'
import { pathId } from '../http/path-id.ts'
import { plainType } from '../http/plain-type.ts'
import type { Call } from '../http/route.ts'
import { readDocument } from '../jsonapi/document.ts'
import type { Fault } from '../jsonapi/errors.ts'
import { boolean, line, nullable, oneOf, optional, time, url } from '../jsonapi/fields.ts'
import { lifetimes, sayDuration } from '../limits.ts'
import { isLoopbackName } from './deliveries/address.ts'
import { type EventName, eventNames, mayHear } from './source/events.ts'
import type { Reach, Webhook, WebhookTerms } from './webhook.ts'

/** What may be set on a webhook. */
export const writable = {
  target_url: { ...url(), description: 'Where deliveries are sent: an https URL at a public address.' },
  events: Type.Array(oneOf([...eventNames]), {
    minItems: 1,
    description: 'What it is told. `import.finished` and `merge.made` are for operators.',
  }),
  description: optional(nullable(line())),
}

/** What a PATCH may change. */
export const changeable = {
  ...Type.Partial(Type.Object(writable)).properties,
  paused: optional({ ...boolean(), description: 'Nothing is sent while it is true. False resumes at once.' }),
}

/** The type of webhooks. */
export const shape = plainType({
  type: 'webhooks',
  name: 'Webhook',
  description: 'Where an account is told of changes.',
  attributes: {
    target_url: writable.target_url,
    events: writable.events,
    description: nullable(Type.String()),
    paused: {
      ...boolean(),
      description: `Whether nothing is sent, because somebody paused it or a delivery failed for ${sayDuration(lifetimes.webhookRetries.seconds)}.`,
    },
    failing_since: nullable({ ...time(), description: 'Since when its deliveries have failed. Null if they don’t.' }),
    created_at: time(),
    updated_at: time(),
  },
  fields: ['target_url', 'paused'],
})

/** A webhook as a resource object. */
export const renderWebhook = (self: string, { paused_at, ...webhook }: Webhook, fields?: Set<string>) =>
  shape.render(self, webhook.id, { ...webhook, paused: paused_at !== null }, fields)

/** How a list at a path takes pages: under /v1 with the old names, too (decisions.md §21). */
export const pagesAt = (path: string, things: string) => {
  const isOld = path.startsWith('/v1/')
  return {
    query: { paginated: true, ...(isOld ? { oldPageNames: ['limit', 'pageName'] as const } : {}) },
    parameters: { ...pageParameters(things), ...(isOld ? { ...limitParameter, ...pageNameParameter } : {}) },
  }
}

/** Whose webhooks a caller reaches at a path: their own, and under /internal those of all operators. */
export const reachOf = ({ caller, url }: Call): Reach => ({
  userId: caller.userId ?? '',
  reachesOperators: url.pathname.startsWith('/internal/'),
})

/** Reads a document that creates a webhook. 422 for an address or events that this caller can't have. */
export const readCreation = async (config: Config, call: Call): Promise<WebhookTerms> => {
  const {
    target_url,
    events,
    description = null,
  } = readDocument(await call.body(), {
    ...{ type: shape.type, attributes: writable, relationships: {}, readOnly: shape.names },
    together: (given) => faultsOf(config, call.caller, given),
  }).attributes as { target_url: string; events: EventName[]; description?: string | null }
  return { targetUrl: target_url, events: [...new Set(events)], description }
}

/** Reads a document that changes a webhook of this owner. */
export const readWebhookChange = async (config: Config, call: Call, owner: { operator: boolean }) => {
  const { target_url, events, description, paused } = readDocument(await call.body(), {
    ...{ type: shape.type, id: pathId(call), attributes: changeable, relationships: {}, readOnly: shape.names },
    together: (given) => faultsOf(config, owner, given),
  }).attributes as { target_url?: string; events?: EventName[]; description?: string | null; paused?: boolean }
  return { targetUrl: target_url, events: events && [...new Set(events)], description, paused }
}

const faultsOf = (config: Config, owner: { operator: boolean }, given: Record<string, unknown>): Fault[] => {
  const { target_url: target, events } = given
  const refused = typeof target === 'string' ? refusedTarget(config, target) : undefined
  const unheard = Array.isArray(events) ? events.find((one) => !mayHear(String(one), owner)) : undefined
  return [
    ...(refused ? [{ pointer: '/data/attributes/target_url', detail: refused }] : []),
    ...(unheard ? [{ pointer: '/data/attributes/events', detail: `${unheard} is for operators alone.` }] : []),
  ]
}

/** Why nothing can be sent to a URL, whatever its name resolves to. */
const refusedTarget = ({ webhookAllowPrivate, appEnv }: Config, target: string): string | undefined => {
  if (!URL.canParse(target)) return undefined
  const { protocol, hostname, username, password } = new URL(target)
  if (username || password) return 'Must have no user name or password in it.'
  if (protocol === 'https:') return undefined
  if (!webhookAllowPrivate || appEnv === 'production') return 'Must begin with https.'
  return isLoopbackName(hostname) ? undefined : 'Must begin with https, or be http on this machine.'
}
