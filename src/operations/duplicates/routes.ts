import { actOf } from '../../access/caller.ts'
import {
  type ComparedType,
  comparedTypes,
  dismiss,
  type GroupKind,
  readGroups,
  withdrawDismissal,
} from '../../catalog/curate/duplicates.ts'
import type { Context } from '../../context.ts'
import { pathId } from '../../http/path-id.ts'
import { type Call, forOperators, type Reply, type Route } from '../../http/route.ts'
import { invalidParameter, notFound, validationFailed } from '../../jsonapi/errors.ts'
import { flatFaults, readFlat, withMembers } from '../../jsonapi/flat-body.ts'
import { jsonApi } from '../../jsonapi/negotiate.ts'
import { readQuery } from '../../jsonapi/query.ts'
import { document, pageLinks, pageMeta } from '../../jsonapi/serialize.ts'
import {
  collection,
  dismissal,
  dismissalDocument,
  dismissalExample,
  dismissalType,
  listParameters,
  listShape,
  path,
  renderGroup,
  type,
} from './document.ts'

const list = async ({ db, config }: Context, { url }: Call): Promise<Reply> => {
  const { page, perPage, fields, filters } = readQuery(url.searchParams, listShape)
  const kind = (filters.kind?.value ?? 'duplicates') as GroupKind
  const objectType = filters.object_type?.value as ComparedType | undefined
  if (kind === 'collisions' && objectType && objectType !== 'players')
    throw invalidParameter('filter[object_type]', 'Only players have collisions.')
  const asked = { types: objectType ? [objectType] : comparedTypes, kind }
  const { groups, total } = await readGroups(db, asked, { limit: perPage, offset: (page - 1) * perPage })
  const meta = pageMeta(page, perPage, groups.length, total)
  const address = `${config.baseUrl}${path}`
  const data = groups.map((group) => renderGroup(group, fields.get(type)))
  const links = pageLinks(address, url.searchParams, page, meta.last_page)
  return { status: 200, body: document(`${address}${url.search}`, { data, links, meta }) }
}

const create = async (context: Context, call: Call): Promise<Reply> =>
  withMembers(readFlat(await call.body()), dismissalType, (members) => dismissBy(context, call, members))

const dismissBy = async ({ db, config }: Context, call: Call, members: Record<string, unknown>): Promise<Reply> => {
  const faults = flatFaults(dismissal, members)
  if (faults.length > 0) throw validationFailed(faults)
  const { object_type: objectType, ids: given } = members as { object_type: ComparedType; ids: string[] }
  const by = actOf(call)
  const different = { objectType, ids: given.map((id) => id.toLowerCase()) }
  const { id, ids } = await db.transaction((tx) => dismiss(tx, different, by))
  const self = `${config.baseUrl}${path}/dismissals/${id}`
  const attributes = { object_type: objectType, ids, agent_id: by.agent, created_at: by.now.toISOString() }
  return { status: 201, body: document(self, { data: { type: dismissalType, id, attributes, links: { self } } }) }
}

const withdraw = async ({ db }: Context, call: Call): Promise<Reply> => {
  const id = pathId(call)
  if (!(await db.transaction((tx) => withdrawDismissal(tx, id, actOf(call))))) throw notFound()
  return { status: 204 }
}

/** Records that may be the same, and players who may be several people. */
export const duplicateRoutes: Route[] = [
  {
    ...forOperators,
    method: 'GET',
    path,
    operationId: 'listDuplicateGroups',
    summary: 'Find possible duplicates',
    description:
      'Groups players, teams, brands, manufacturers, and sets of one year, genre and parent if their names are equal or differ only in case, accents, dots, apostrophes, spaces or broken UTF-8. With `filter[kind]=collisions`, lists players whose cards are in several genres or more than 35 years apart. Dismissed groups are left out.',
    query: listParameters,
    answers: { 200: { description: 'A page of groups.', schema: collection } },
    refusals: [400],
    handle: list,
  },
  {
    ...forOperators,
    method: 'POST',
    path: `${path}/dismissals`,
    operationId: 'dismissDuplicates',
    summary: 'Dismiss a group as different records',
    description: 'Hides this group and any part of it permanently. A new record with such a name brings it back.',
    needsWrite: true,
    body: { schema: dismissal, mediaTypes: ['application/json', jsonApi], example: dismissalExample },
    answers: { 201: { description: 'The dismissal.', schema: dismissalDocument } },
    refusals: [400, 422],
    handle: create,
  },
  {
    ...forOperators,
    method: 'DELETE',
    path: `${path}/dismissals/:id`,
    operationId: 'withdrawDuplicateDismissal',
    summary: 'Withdraw a dismissal',
    description: 'Shows the group again.',
    needsWrite: true,
    answers: { 204: { description: 'The dismissal is gone.' } },
    refusals: [404],
    handle: withdraw,
  },
]
