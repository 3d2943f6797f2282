import { actOf } from '../../access/caller.ts'
import type { ComparedType } from '../../catalog/curate/comparisons.ts'
import { dismiss, type GroupKind, readGroups, withdrawDismissal } from '../../catalog/curate/duplicates.ts'
import type { Context } from '../../context.ts'
import { pathId } from '../../http/path-id.ts'
import { showPage, spanOf } from '../../http/plain-type.ts'
import { type Call, forOperators, type Reply, type Route } from '../../http/route.ts'
import { invalidParameter, notFound } from '../../jsonapi/errors.ts'
import { readQuery } from '../../jsonapi/query.ts'
import { document } from '../../jsonapi/serialize.ts'
import { flatOrDocument, withBody } from '../flat.ts'
import {
  collection,
  dismissal,
  dismissalExample,
  dismissalShape,
  listParameters,
  listShape,
  path,
  renderGroup,
  type,
} from './document.ts'

const list = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const query = readQuery(call.url.searchParams, listShape)
  const { fields, filters } = query
  const kind = (filters.kind?.value ?? 'duplicates') as GroupKind
  const asked = filters.object_type?.value as ComparedType | undefined
  if (kind === 'collisions' && asked && asked !== 'players')
    throw invalidParameter('filter[object_type]', 'Only players have collisions.')
  const { groups, total } = await readGroups(db, { type: asked, kind }, spanOf(query))
  const data = groups.map((group) => renderGroup(group, fields.get(type)))
  return showPage(`${config.baseUrl}${path}`, query, { data, total }, call)
}

const create = ({ db, config }: Context, call: Call): Promise<Reply> =>
  withBody(call, dismissalShape.type, dismissal, async (given) => {
    const by = actOf(call)
    const objectType = given.object_type as ComparedType
    const different = { objectType, ids: given.ids.map((id) => id.toLowerCase()) }
    const { id, ids } = await db.transaction((tx) => dismiss(tx, different, by))
    const self = `${config.baseUrl}${path}/dismissals/${id}`
    const row = { object_type: objectType, ids, agent_id: by.agent, created_at: by.now.toISOString() }
    return { status: 201, body: document(self, { data: dismissalShape.render(self, id, row) }) }
  })

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
      'Groups players, teams, brands, manufacturers, and sets of one year, genre and parent if their names are equal or differ only in case, accents, dots, apostrophes, spaces, dashes, width, invisible characters or broken UTF-8, and players who share a set or team and whose names are one letter apart, and cards of one set that share number and people. With `filter[kind]=collisions`, lists players whose cards are in several genres or more than 35 years apart. Dismissed groups are left out.',
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
    body: { schema: dismissal, mediaTypes: flatOrDocument, example: dismissalExample },
    answers: { 201: dismissalShape.one('The dismissal.') },
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
