import type { Queryable } from '../../../db/client.ts'
import { actOf } from '../../access/caller.ts'
import { findMerge, readMerges } from '../../catalog/curate/merge/list.ts'
import { mergeRecords } from '../../catalog/curate/merge/merge.ts'
import type { Merge, MergedType } from '../../catalog/curate/merge/record.ts'
import { undoMerge } from '../../catalog/curate/merge/undo.ts'
import type { Context } from '../../context.ts'
import { pathId } from '../../http/path-id.ts'
import { showNew, showOne, showPage, spanOf } from '../../http/plain-type.ts'
import { type Call, forOperators, type Reply, type Route } from '../../http/route.ts'
import { notFound } from '../../jsonapi/errors.ts'
import { readQuery } from '../../jsonapi/query.ts'
import { lifetimes, sayDuration } from '../../limits.ts'
import { flatOrDocument, withBody } from '../flat.ts'
import { creation, example, listParameters, listShape, path, renderMerge, shape } from './document.ts'
import { readMergeNames } from './names.ts'
import { previewRoute } from './preview.ts'

const list = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const query = readQuery(call.url.searchParams, listShape)
  const { fields, filters } = query
  const asked = {
    objectType: filters.object_type?.value as MergedType | undefined,
    intoId: filters.into_id?.value.toLowerCase(),
  }
  const { merges, total } = await readMerges(db, asked, spanOf(query))
  const namesOf = await readMergeNames(db, merges)
  const data = merges.map((merge) => renderMerge(config.baseUrl, merge, namesOf(merge), fields.get(shape.type)))
  return showPage(`${config.baseUrl}${path}`, query, { data, total }, call)
}

const retrieve = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const merge = await findMerge(db, pathId(call))
  if (!merge || merge.undoneAt) throw notFound('There is no such merge, or it was undone.')
  return showOne(await named(db, config.baseUrl, merge), call)
}

const named = async (db: Queryable, baseUrl: string, merge: Merge) =>
  renderMerge(baseUrl, merge, (await readMergeNames(db, [merge]))(merge))

const create = ({ db, config }: Context, call: Call): Promise<Reply> =>
  withBody(call, shape.type, creation, async (given) => {
    const order = {
      objectType: given.object_type as MergedType,
      fromIds: given.from_ids.map((id) => id.toLowerCase()),
      intoId: given.into_id.toLowerCase(),
      note: given.note,
    }
    return showNew(await named(db, config.baseUrl, await mergeRecords(db, order, actOf(call))))
  })

const undo = async ({ db }: Context, call: Call): Promise<Reply> => {
  await undoMerge(db, pathId(call), actOf(call))
  return { status: 204 }
}

/** Merging records into one. */
export const mergeRoutes: Route[] = [
  {
    ...forOperators,
    method: 'GET',
    path,
    operationId: 'listMerges',
    summary: 'List merges',
    description: 'Newest first, without undone merges.',
    query: listParameters,
    answers: { 200: { description: 'A page of merges.', schema: shape.page } },
    refusals: [400],
    handle: list,
  },
  {
    ...forOperators,
    method: 'POST',
    path,
    operationId: 'mergeRecords',
    summary: 'Merge records into one',
    description:
      'In one transaction, everything that refers to the merged records then refers to the target. Their names become aliases of the target, and their ids redirect to it. If player-teams or attribute values become equal, the older one stays. A card that named both then names the target once. A merged set’s cards and child sets move to the target. A card that the target set already has, by number, entries, title, attributes and serial number, is merged into that card. Returns 422 if a record isn’t live or is of another type, or if a set is an ancestor of another.',
    needsWrite: true,
    writesCatalog: true,
    body: { schema: creation, mediaTypes: flatOrDocument, example },
    answers: { 201: { ...shape.one('The merge.'), headers: { Location: 'The URL of the merge.' } } },
    refusals: [400, 422],
    handle: create,
  },
  previewRoute,
  {
    ...forOperators,
    method: 'GET',
    path: `${path}/:id`,
    operationId: 'getMerge',
    summary: 'Get a merge',
    description: 'Which records were merged into which one. Returns 404 once it is undone.',
    answers: { 200: shape.one('The merge.') },
    refusals: [404],
    handle: retrieve,
  },
  {
    ...forOperators,
    method: 'DELETE',
    path: `${path}/:id`,
    operationId: 'undoMerge',
    summary: 'Undo a merge',
    description: `Restores the merged records and everything the merge changed, and removes its redirects. Possible for ${sayDuration(lifetimes.undo.seconds)}. Returns 409, naming the records, if one of them was changed since, a later merge involves one, or another record has taken the name of one.`,
    needsWrite: true,
    writesCatalog: true,
    answers: { 204: { description: 'Undone.' } },
    refusals: [404, 409],
    handle: undo,
  },
]
