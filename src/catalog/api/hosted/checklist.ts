import { Type } from '@sinclair/typebox'
import { levelOf } from '../../../access/caller.ts'
import type { Context } from '../../../context.ts'
import { deprecationHeaders } from '../../../http/deprecations.ts'
import { limitParameter, pageNameParameter, pageParameters, sameAs } from '../../../http/parameters.ts'
import { pathId } from '../../../http/path-id.ts'
import { type Call, fromReplicas, type Route } from '../../../http/route.ts'
import { notFound } from '../../../jsonapi/errors.ts'
import { integer, oneOf } from '../../../jsonapi/fields.ts'
import { type QueryShape, readQuery } from '../../../jsonapi/query.ts'
import { pageLinksSchema, pageMetaWith, resourceSchema } from '../../../jsonapi/schema.ts'
import { pageLinks, pageMeta } from '../../../jsonapi/serialize.ts'
import { csvCell } from '../../../lib/guarded.ts'
import { mapInSlices } from '../../../lib/yield-to-event-loop.ts'
import { sayNumber, sizes } from '../../../limits.ts'
import { checklistColumns, readChecklistCells } from '../../list/checklist-cells.ts'
import { keysOf } from '../../list/keyset.ts'
import { findMissingNumbers } from '../../list/missing-numbers.ts'
import { readPage } from '../../list/read-page.ts'
import { firstSort } from '../../model/criteria.ts'
import { typesIn } from '../../model/fields.ts'
import { resourceOf } from '../../model/index.ts'
import { resourceInV2 } from '../../model/v2.ts'
import { renderingOf } from '../../show/answers.ts'
import { showRecords } from '../../show/pages.ts'
import { parseRow, renderText } from '../../show/render.ts'
import { cached, type Made } from '../../show/response-cache.ts'
import { idOfText, loadRow } from '../../show/rows.ts'
import { pageAnswer } from '../documented.ts'
import { parametersInV2, shapesInV2 } from '../query-v2.ts'
import { listPage } from '../read-v2.ts'
import { ownerOf } from '../relationships/related.ts'

const formats = ['json', 'csv']
const shape: QueryShape = {
  ...{ paginated: true, oldPageNames: ['limit', 'pageName'], include: [], fields: {}, filters: {} },
  options: { format: { values: formats } },
}

/** The id of the set in the path, if the caller can see it. Throws 404. */
export const requireSet = async ({ db }: Context, call: Call): Promise<string> => {
  const id = pathId(call)
  if (!(await loadRow(db, resourceOf('sets'), id, levelOf(call.caller)))) throw notFound()
  return id
}

/** GET of a page of a set's cards, with the numbers that the whole checklist lacks. */
const showChecklist = async (context: Context, call: Call): Promise<Made> => {
  const { db, config } = context
  const cards = resourceOf('cards')
  const query = readQuery(call.url.searchParams, shape)
  const id = await requireSet(context, call)
  const level = levelOf(call.caller)
  const page = await readPage(db, cards, {
    ...{ level, page: query.page, perPage: query.perPage },
    conditions: [{ name: 'set', operator: 'eq', values: [id] }],
    keys: keysOf(cards, [{ name: firstSort(cards), descending: false }]),
  })
  const headers = query.deprecated ? deprecationHeaders : {}
  if (query.options.format === 'csv') {
    const rows = await readChecklistCells(db, page.rows.map(idOfText))
    return { reply: { status: 200, headers, mediaType: 'text/csv; charset=utf-8', body: csvOf(rows) }, cacheable: true }
  }
  const lane = page.total > cardsAtOnce ? db.heavy : db
  const missing = await findMissingNumbers(lane, id, sizes.missingNumbers.most)
  const rendering = renderingOf(context, call.now)
  const texts = await mapInSlices(page.rows, (text) => renderText(cards, parseRow(text), rendering, new Map()))
  const meta = {
    ...pageMeta(query.page, query.perPage, texts.length, page.total),
    missing: { total: missing.total, truncated: missing.total > missing.numbers.length },
  }
  const address = `${config.baseUrl}${call.url.pathname}`
  const links = {
    self: `${address}${call.url.search}`,
    ...pageLinks(address, call.url.searchParams, query.page, meta.last_page),
  }
  const rest = `"missing":${JSON.stringify(missing.numbers)},"total_cards":${page.total}`
  const body = `{"links":${JSON.stringify(links)},"data":{"checklist":[${texts.join(',')}],${rest}},"meta":${JSON.stringify(meta)}}`
  return { reply: { status: 200, headers, body }, cacheable: rendering.cacheable }
}

/** The numbers of a set with more cards than this are read in the lane for long reads. */
const cardsAtOnce = 2000

const csvOf = (rows: string[][]) =>
  [[...checklistColumns], ...rows].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')

const inV1 = (): Route => ({
  ...{ method: 'GET', path: '/v1/sets/:id/checklist', operationId: 'getSetChecklist', tag: 'Sets' },
  ...{ access: 'catalog', scope: 'read', flat: true },
  summary: 'Get the checklist of a set',
  description: `A page of the set’s cards in order, and in \`missing\`, on each page, the numbers from 1 to the highest that no card has: the first ${sayNumber(sizes.missingNumbers.most)}, with how many they are in \`meta\`. Only numbers of one to eight digits count. With \`format=csv\`, the page’s cards are a table that an import reads.`,
  query: {
    ...pageParameters('cards'),
    ...limitParameter,
    ...pageNameParameter,
    format: { schema: { ...oneOf(formats), default: 'json' }, description: 'The form of the answer.' },
  },
  answers: {
    200: {
      description: 'The checklist.',
      schema: Type.Object(
        {
          links: pageLinksSchema(),
          data: Type.Object({
            checklist: Type.Array(resourceSchema(resourceOf('cards'))),
            missing: Type.Array(Type.String(), { maxItems: sizes.missingNumbers.most }),
            total_cards: integer(0),
          }),
          meta: pageMetaWith('SetChecklist', {
            missing: Type.Object({ total: integer(0), truncated: Type.Boolean() }),
          }),
        },
        { $id: 'SetChecklist' },
      ),
      others: { 'text/csv': { schema: Type.String(), example: `${checklistColumns.join(',')}\r\n` } },
    },
  },
  refusals: [400, 404],
  handle: cached(showChecklist),
})

/** GET of a set's cards by cursor, with the set among the included records. */
const inV2 = (): Route => {
  const [cards, sets] = [resourceInV2('cards'), resourceInV2('sets')]
  const list = { ...shapesInV2(cards).list, sizeName: 'per_page' }
  return {
    ...{ method: 'GET', path: '/v2/sets/:id/checklist', operationId: 'getSetChecklistV2', tag: 'Sets' },
    ...{ access: 'catalog', scope: 'read' },
    summary: 'Get the checklist of a set by cursor',
    description: 'The set’s cards in order, as in the list of cards. `included` always has the set.',
    query: {
      ...parametersInV2(cards, list, typesIn(cards, list.include)),
      per_page: {
        schema: Type.Integer({ minimum: 1, maximum: sizes.page.most }),
        description: sameAs('page[size]'),
      },
    },
    answers: { 200: pageAnswer(cards, 'A page of cards.') },
    refusals: [400, 404],
    handle: listPage(cards, {
      shape: list,
      fixed: async (context, call) => {
        const { row } = await ownerOf(context, call, sets)
        return [{ name: 'set', operator: 'eq', values: [row.id] }]
      },
      show: async (context, call, records, query, level) => {
        const include = [...new Set(['set', ...query.include])]
        if (records.length > 0)
          return showRecords(context, call, records, { ...query, include, includeGiven: true }, level)
        const { row } = await ownerOf(context, call, sets)
        const rendering = renderingOf(context, call.now)
        return { texts: [], included: [renderText(sets, row, rendering, query.fields)], cacheable: rendering.cacheable }
      },
    }),
  }
}

/** The checklist of a set, as clients of a hosted service read it (decisions.md §21). */
export const checklistReads: Route[] = fromReplicas([inV1(), inV2()])
