import { afterAll } from 'bun:test'
import { until } from './until.ts'

type Value = { stringValue?: string; intValue?: number; doubleValue?: number; boolValue?: boolean }
type Attributes = { key: string; value: Value }[]

/** A span as a collector gets it in JSON, with its attributes as an object. */
export type Span = {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  traceState?: string
  status: { code: number }
  attributes: Record<string, unknown>
}

type Sent = {
  resourceSpans: {
    resource: { attributes: Attributes }
    scopeSpans: { spans: (Omit<Span, 'attributes'> & { attributes: Attributes })[] }[]
  }[]
}

const asObject = (attributes: Attributes) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** A collector on this machine that keeps the spans that it gets by OTLP over HTTP. It ends with the file. */
export const aCollector = () => {
  const spans: Span[] = []
  const resources: Record<string, unknown>[] = []
  const requests: { path: string; headers: Headers }[] = []
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    fetch: async (request) => {
      requests.push({ path: new URL(request.url).pathname, headers: request.headers })
      const { resourceSpans } = (await request.json()) as Sent
      for (const { resource, scopeSpans } of resourceSpans) {
        resources.push(asObject(resource.attributes))
        for (const { attributes, ...span } of scopeSpans.flatMap((scope) => scope.spans))
          spans.push({ ...span, attributes: asObject(attributes) })
      }
      return Response.json({})
    },
  })
  afterAll(() => server.stop(true))
  /** Waits for a span of this trace and name. */
  const find = async (traceId: string, name: string): Promise<Span> => {
    const found = () => spans.find((span) => span.traceId === traceId && span.name === name)
    await until(() => found() !== undefined)
    return found() as Span
  }
  const below = ({ spanId }: Span) => spans.filter((span) => span.parentSpanId === spanId)
  return { url: `http://127.0.0.1:${server.port}`, spans, resources, requests, find, below }
}
