import type { Context } from '../../../context.ts'
import { pathId } from '../../../http/path-id.ts'
import type { Call, Reply, Route } from '../../../http/route.ts'
import { cursorPageType } from '../../../jsonapi/cursor-profile.ts'
import { notFound } from '../../../jsonapi/errors.ts'
import { readListQuery } from '../../../jsonapi/list-query.ts'
import { examplePage, historyPage, renderRevision, shape, type } from '../../curate/history/document.ts'
import { readHistory, wasEver } from '../../curate/history/read.ts'
import { around } from '../../list/page.ts'
import type { Resource } from '../../model/resource.ts'
import { resourcesInV2 } from '../../model/v2.ts'
import { cursorPage, listCursors, readPlaces } from '../../show/pages.ts'
import { aNoun, exampleId, tagOf, title } from '../documented.ts'
import { parametersInV2 } from '../query-v2.ts'

/** GET of a record's history, newest first. Deleted records still have theirs. */
const listHistory =
  (resource: Resource) =>
  async (context: Context, call: Call): Promise<Reply> => {
    const { db } = context
    const query = readListQuery(call.url.searchParams, shape)
    const id = pathId(call)
    const cursors = listCursors(context, call, query, 'newest')
    const places = readPlaces(cursors, query)
    const { revisions, more, total, isGuess } = await readHistory(db, resource, id, { size: query.size, ...places })
    if (revisions.length === 0 && !(await wasEver(db, resource, id))) throw notFound()
    const texts = revisions.map((one) => JSON.stringify(renderRevision(one, query.fields.get(type))))
    const at = revisions.map((one) => [one.id])
    return cursorPage(context, call, cursors, texts, { places: at, total, isGuess, ...around(places, more) })
  }

const historyRoute = (resource: Resource): Route => {
  const { noun, path } = resource
  return {
    tag: tagOf(resource),
    access: 'catalog',
    scope: 'read:all-status',
    method: 'GET',
    path: `/v2/${path}/:id/revisions`,
    operationId: `list${title(resource)}Revisions`,
    summary: `List the revisions of ${aNoun(resource)}`,
    description: `Newest first: who changed it, when and how, and each changed field before and after. Creating leaves no revision, but deleting does, and the history of a deleted ${noun} stays available. \`POST /internal/reverts\` restores a revision’s fields.`,
    query: parametersInV2(undefined, shape, [type]),
    answers: {
      200: {
        description: 'A page of revisions.',
        schema: historyPage,
        mediaType: cursorPageType,
        example: examplePage(`/v2/${path}/${exampleId(resource.type)}/revisions`),
      },
    },
    refusals: [400, 404],
    handle: listHistory(resource),
  }
}

/** The history of every type of record. */
export const historyRoutes: Route[] = resourcesInV2.map(historyRoute)
