import type { Static } from '@sinclair/typebox'
import type { Queryable } from '../../../db/client.ts'
import { actOf } from '../../access/caller.ts'
import { findMerge, readMerges } from '../../catalog/curate/merge/list.ts'
import { mergeRecords } from '../../catalog/curate/merge/merge.ts'
import type { Merge, MergedType } from '../../catalog/curate/merge/record.ts'
import { undoMerge } from '../../catalog/curate/merge/undo.ts'
import type { Context } from '../../context.ts'
import { pathId } from '../../http/path-id.ts'
import { type Call, forOperators, type Reply, type Route } from '../../http/route.ts'
import { notFound, validationFailed } from '../../jsonapi/errors.ts'
import { flatFaults, readFlat, withMembers } from '../../jsonapi/flat-body.ts'
import { jsonApi } from '../../jsonapi/negotiate.ts'
import { readQuery } from '../../jsonapi/query.ts'
import { document, pageLinks, pageMeta } from '../../jsonapi/serialize.ts'
import { lifetimes, sayDuration } from '../../limits.ts'
import {
  collection,
  creation,
  example,
  listParameters,
  listShape,
  path,
  renderMerge,
  single,
  type,
} from './document.ts'
import { readMergeNames } from './names.ts'
import { previewRoute } from './preview.ts'

const list = async ({ db, config }: Context, { url }: Call): Promise<Reply> => {
  const { page, perPage, fields, filters } = readQuery(url.searchParams, listShape)
  const asked = {
    objectType: filters.object_type?.value as MergedType | undefined,
    intoId: filters.into_id?.value.toLowerCase(),
  }
  const { merges, total } = await readMerges(db, asked, { limit: perPage, offset: (page - 1) * perPage })
  const meta = pageMeta(page, perPage, merges.length, total)
  const address = `${config.baseUrl}${path}`
  const namesOf = await readMergeNames(db, merges)
  const data = merges.map((merge) => renderMerge(config.baseUrl, merge, namesOf(merge), fields.get(type)))
  const links = pageLinks(address, url.searchParams, page, meta.last_page)
  return { status: 200, body: document(`${address}${url.search}`, { data, links, meta }) }
}

const retrieve = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const merge = await findMerge(db, pathId(call))
  if (!merge || merge.undoneAt) throw notFound('There is no such merge, or it was undone.')
  const data = await named(db, config.baseUrl, merge)
  return { status: 200, body: document(data.links.self, { data }) }
}

const named = async (db: Queryable, baseUrl: string, merge: Merge) =>
  renderMerge(baseUrl, merge, (await readMergeNames(db, [merge]))(merge))

const create = async (context: Context, call: Call): Promise<Reply> =>
  withMembers(readFlat(await call.body()), type, (members) => merge(context, call, members))

const merge = async ({ db, config }: Context, call: Call, members: Record<string, unknown>): Promise<Reply> => {
  const faults = flatFaults(creation, members)
  if (faults.length > 0) throw validationFailed(faults)
  const given = members as Static<typeof creation>
  const order = {
    objectType: given.object_type as MergedType,
    fromIds: given.from_ids.map((id) => id.toLowerCase()),
    intoId: given.into_id.toLowerCase(),
    note: given.note,
  }
  const data = await named(db, config.baseUrl, await mergeRecords(db, order, actOf(call)))
  return { status: 201, headers: { Location: data.links.self }, body: document(data.links.self, { data }) }
}

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
    answers: { 200: { description: 'A page of merges.', schema: collection } },
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
    body: { schema: creation, mediaTypes: ['application/json', jsonApi], example },
    answers: { 201: { description: 'The merge.', schema: single, headers: { Location: 'The URL of the merge.' } } },
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
    answers: { 200: { description: 'The merge.', schema: single } },
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
