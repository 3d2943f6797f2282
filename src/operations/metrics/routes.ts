import { Type } from '@sinclair/typebox'
import type { Context } from '../../context.ts'
import type { Call, Reply, Route } from '../../http/route.ts'
import { notFound, unauthenticated, unavailable } from '../../jsonapi/errors.ts'
import { refuseUnknown } from '../../jsonapi/query.ts'
import { exposition, writeFamilies } from '../../lib/exposition.ts'
import { sameText } from '../../lib/secret.ts'
import { databaseFamilies } from './database.ts'
import { processFamilies } from './process.ts'

const handle = async (context: Context, { request, url }: Call): Promise<Reply> => {
  const { metricsToken } = context.config
  if (!metricsToken) throw notFound('There is nothing at this address.')
  const presented = /^bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  if (!sameText(presented, metricsToken)) throw unauthenticated('The request needs METRICS_TOKEN as its bearer token.')
  refuseUnknown(url.searchParams)
  const processes = context.supervisor ? await context.supervisor.total() : processFamilies(context)
  if (!processes) throw unavailable('The other processes did not say what they count. Try again in a moment.')
  const families = [...processes, ...(await databaseFamilies(context))]
  return { status: 200, mediaType: exposition, body: writeFamilies(families) }
}

/** A replica's metrics for Prometheus to scrape, those of all its processes as one. */
export const metricsRoutes: Route[] = [
  {
    method: 'GET',
    path: '/metrics',
    operationId: 'getMetrics',
    summary: 'Metrics of this replica',
    description:
      'Prometheus text format. Send `METRICS_TOKEN` as the bearer token. Returns 404 if it isn’t set. Not rate limited.',
    tag: 'Service',
    access: 'public',
    flat: true,
    query: {},
    answers: { 200: { description: 'The metrics.', schema: Type.String(), mediaType: exposition } },
    refusals: [401, 404],
    handle,
  },
]
