import type { Served } from '../../../db/replicas/replicas.ts'
import type { CallerKind } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import { counter, type Family, gauge, type Sample } from '../../lib/exposition.ts'
import { measureProcess } from '../../lib/measure-process.ts'
import { latencyBuckets, type Meter, type RouteMeter } from '../../lib/meter.ts'
import { version } from '../../version.ts'

const callers: CallerKind[] = ['anonymous', 'subscriber_key', 'personal_token', 'access_token', 'session']

/** Metrics that the process has in memory. */
export const processFamilies = ({ meter, db }: Context): Family[] => {
  const asked = [...meter.routes.values()].filter(({ buckets }) => sum(buckets) > 0)
  const { max, running, waiting } = db.pool()
  const build = { labels: { version, bun: Bun.version, database: db.kind }, value: 1 }
  return [
    counter('cardstock_http_requests_total', 'Requests by route and class of status.', asked.flatMap(statusSamples)),
    {
      name: 'cardstock_http_request_duration_seconds',
      help: 'Time from a request to its answer, by route; streaming after the start of the answer is not included.',
      type: 'histogram',
      samples: asked.flatMap(latencySamples),
    },
    gauge('cardstock_http_requests_in_flight', 'Requests in flight.', meter.inFlight),
    counter(
      'cardstock_rate_limit_refusals_total',
      'Requests refused by a rate limit, by kind of caller.',
      callers.map((caller) => ({ labels: { tier: caller }, value: refused(meter, caller) })),
    ),
    counter(
      'cardstock_webhook_attempts_total',
      'Attempts to send to webhooks, by how they ended.',
      Object.entries(meter.attempts).map(([result, value]) => ({ labels: { result }, value })),
    ),
    gauge('cardstock_database_pool_connections', 'The maximum number of connections in the pool.', max),
    gauge('cardstock_database_pool_busy', 'Busy connections.', running),
    gauge('cardstock_database_pool_waiting', 'Statements waiting for a connection.', waiting),
    ...replicaFamilies(db.replicas?.served() ?? []),
    ...measureProcess(),
    { ...gauge('cardstock_build_info', 'The running version; always 1.', [build]), across: 'max' },
  ]
}

/** The servers of the catalog's reads. The primary is always up here, and has no lag. */
const replicaFamilies = (served: Served[]): Family[] => {
  const samples = (read: (one: Served) => number | undefined) =>
    served.flatMap((one) => {
      const value = read(one)
      return value === undefined ? [] : [{ labels: { server: one.server }, value }]
    })
  return [
    counter(
      'cardstock_catalog_reads_total',
      'Statements that read the catalog, by the server that answered.',
      samples(({ reads }) => reads),
    ),
    {
      ...gauge(
        'cardstock_replica_up',
        'Whether reads go to a replica; 0 while it is left out.',
        samples(({ isServing }) => (isServing === undefined ? undefined : Number(isServing))),
      ),
      across: 'min',
    },
    {
      ...gauge(
        'cardstock_replica_lag_seconds',
        'How far a replica is behind the primary.',
        samples(({ lagSeconds }) => lagSeconds),
      ),
      across: 'max',
    },
  ]
}

const refused = ({ refusals }: Meter, caller: CallerKind) => refusals[caller] ?? 0

/** The series for 2xx, 4xx and 5xx exist from the start, so that an alert sees the first event. */
const statusSamples = ({ method, route, statuses }: RouteMeter): Sample[] =>
  [...statuses].flatMap((value, digit) =>
    value > 0 || [2, 4, 5].includes(digit) ? [{ labels: { method, route, status: `${digit}xx` }, value }] : [],
  )

const latencySamples = ({ method, route, buckets, seconds }: RouteMeter): Sample[] => {
  let count = 0
  const samples = [...buckets].map((value, at): Sample => {
    count += value
    const le = latencyBuckets[at] === undefined ? '+Inf' : String(latencyBuckets[at])
    return { labels: { method, route, le }, value: count, suffix: '_bucket' }
  })
  const labels = { method, route }
  return [...samples, { labels, value: seconds, suffix: '_sum' }, { labels, value: count, suffix: '_count' }]
}

const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0)
