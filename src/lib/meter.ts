/** The upper bounds of the latency buckets, in seconds. One more bucket has everything longer. */
export const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

/** The requests to a route since the process started. */
export type RouteMeter = {
  readonly method: string
  readonly route: string
  /** Answers by the first digit of their status. */
  readonly statuses: Float64Array
  /** Answers by latency, each in the first bucket that holds it. */
  readonly buckets: Float64Array
  seconds: number
}

/** What this process counts: a few array writes per request, read for GET /metrics. */
export type Meter = {
  readonly routes: ReadonlyMap<string, RouteMeter>
  /** The meter of a route. The same arguments give the same meter. */
  route: (method: string, route: string) => RouteMeter
  /** Refusals of the limiter by kind of caller. */
  readonly refusals: Record<string, number>
  /** Attempts to send to webhooks, by how they ended. */
  readonly attempts: { delivered: number; failed: number }
  inFlight: number
}

/** Opens an empty meter. */
export const openMeter = (): Meter => {
  const routes = new Map<string, RouteMeter>()
  const route = (method: string, path: string) => {
    const key = `${method} ${path}`
    const known = routes.get(key) ?? emptyMeter(method, path)
    routes.set(key, known)
    return known
  }
  return { routes, route, refusals: {}, attempts: { delivered: 0, failed: 0 }, inFlight: 0 }
}

const emptyMeter = (method: string, route: string): RouteMeter => ({
  method,
  route,
  statuses: new Float64Array(6),
  buckets: new Float64Array(latencyBuckets.length + 1),
  seconds: 0,
})

/** Counts an answer. */
export const observe = (meter: RouteMeter, status: number, seconds: number) => {
  add(meter.statuses, Math.floor(status / 100))
  add(meter.buckets, bucketOf(seconds))
  meter.seconds += seconds
}

/** Counts a refusal of the limiter. */
export const countRefusal = ({ refusals }: Meter, kind: string) => {
  refusals[kind] = (refusals[kind] ?? 0) + 1
}

const add = (counts: Float64Array, at: number) => {
  counts[at] = (counts[at] ?? 0) + 1
}

const bucketOf = (seconds: number) => {
  let bucket = 0
  while (bucket < latencyBuckets.length && seconds > (latencyBuckets[bucket] as number)) bucket++
  return bucket
}
