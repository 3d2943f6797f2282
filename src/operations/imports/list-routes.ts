import { Type } from '@sinclair/typebox'
import type { Context } from '../../context.ts'
import { type Call, flatForOperators, type Reply, type Route } from '../../http/route.ts'
import { link, nullable } from '../../jsonapi/fields.ts'
import { capital } from '../../lib/capital.ts'
import { sizes } from '../../limits.ts'
import { readAsked } from '../preview-query.ts'
import { findKept } from './accepted.ts'
import { countsIn, lists, path } from './document.ts'
import { example } from './example.ts'
import { type ReportList, readStretch, reportLists } from './report-lists.ts'

/** A page of one of a report's lists. */
const show =
  (list: ReportList) =>
  async (context: Context, call: Call): Promise<Reply> => {
    const from = readAfter(call)
    const { job, found } = await findKept(context, call)
    const count = countsIn(job)[list]
    const { rows, next } = await readStretch(context.db, found.id, list, { from, count })
    const address = `${context.config.baseUrl}${path}/${job.id}/${list}`
    const leadsOn = next === undefined ? null : `${address}?${new URLSearchParams({ 'page[after]': String(next) })}`
    return { status: 200, body: { data: rows, links: { next: leadsOn }, meta: { total: count } } }
  }

const readAfter = ({ url }: Call): number => {
  let from = 0
  readAsked(url.searchParams, {}, (name, [value = ''], refuse) => {
    if (name !== 'page[after]') return false
    if (/^\d{1,9}$/.test(value)) from = Number(value)
    else refuse('Must be a cursor from `links.next`.')
    return true
  })
  return from
}

const title = (list: ReportList) => list.split('_').map(capital).join('')

/** The lists of an import's report, in pages. The poll has the first thousand of each. */
export const reportRoutes: Route[] = reportLists.map((list) => ({
  ...flatForOperators,
  method: 'GET',
  path: `${path}/:job_id/${list}`,
  operationId: `listImport${title(list)}`,
  summary: `List the ${list.replace('_', ' ')} of an import`,
  description: `The list \`${list}\` of the report, ${sizes.findings.most} at a time, or fewer if they are long. Follow \`links.next\` until it is null. \`meta.total\` counts all of them, also those beyond what a report keeps.`,
  query: {
    'page[after]': { schema: Type.String(), description: 'The cursor of a page, from `links.next`.', example: '1000' },
  },
  answers: {
    200: {
      description: 'A page of the list.',
      schema: Type.Object(
        {
          data: lists[list],
          links: Type.Object({ next: nullable(link()) }),
          meta: Type.Object({ total: Type.Integer({ minimum: 0 }) }),
        },
        { $id: `Import${title(list)}` },
      ),
      example: { data: example[list], links: { next: null }, meta: { total: example.counts[list] } },
    },
  },
  refusals: [400, 404],
  handle: show(list),
}))
