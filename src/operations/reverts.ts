import { Type } from '@sinclair/typebox'
import { actOf } from '../access/caller.ts'
import { exampleRevision, objectTypes, renderRevision, revertDocument } from '../catalog/curate/history/document.ts'
import { revert } from '../catalog/curate/history/revert.ts'
import { resourceInV2 } from '../catalog/model/v2.ts'
import type { Context } from '../context.ts'
import { type Call, forOperators, type Reply, type Route } from '../http/route.ts'
import { validationFailed } from '../jsonapi/errors.ts'
import { oneOf, uuid } from '../jsonapi/fields.ts'
import { flatFaults, readFlat, withMembers } from '../jsonapi/flat-body.ts'
import { document } from '../jsonapi/serialize.ts'
import { flatOrDocument } from './flat.ts'

const body = Type.Object(
  {
    object_type: oneOf(objectTypes),
    object_id: uuid(),
    revision: Type.String({
      pattern: '^[1-9][0-9]{0,17}$',
      title: 'the id of a revision',
      description: 'The revision’s id, as the record’s history shows it.',
    }),
  },
  { $id: 'Revert' },
)

const create = async (context: Context, call: Call): Promise<Reply> =>
  withMembers(readFlat(await call.body()), 'reverts', (members) => revertBy(context, call, members))

const revertBy = async ({ db, config }: Context, call: Call, members: Record<string, unknown>): Promise<Reply> => {
  // Revisions are numbers, and some callers send them as such.
  if (Number.isSafeInteger(members.revision)) members.revision = String(members.revision)
  const faults = flatFaults(body, members)
  if (faults.length > 0) throw validationFailed(faults)
  const { object_type: objectType, object_id, revision } = members as Record<string, string>
  const objectId = String(object_id).toLowerCase()
  const wanted = { objectType: String(objectType), objectId, revision: String(revision) }
  const { revision: made, leftOut } = await revert(db, wanted, actOf(call))
  const location = `${config.baseUrl}/v2/${resourceInV2(wanted.objectType).path}/${objectId}/revisions`
  const meta = { left_out: leftOut.map((id) => ({ type: 'identifiers', id })) }
  return {
    status: 201,
    headers: { Location: location },
    body: document(location, { data: renderRevision(made), meta }),
  }
}

/** Undoing changes to the catalog. */
export const revertRoutes: Route[] = [
  {
    ...forOperators,
    method: 'POST',
    path: '/internal/reverts',
    operationId: 'revertRevision',
    summary: 'Revert a revision',
    description:
      'Puts the fields that the revision changed back to what they were before, as a new revision. Other fields stay as they are. Reverting a deletion brings the record back with everything that was attached to it, except identifiers that another record has since taken: `meta.left_out` lists those. A 409 says why the old values no longer fit: the name is taken, a field referred to something that is gone, or nothing would change.',
    needsWrite: true,
    writesCatalog: true,
    body: {
      schema: body,
      mediaTypes: flatOrDocument,
      example: {
        object_type: 'players',
        object_id: exampleRevision.attributes.object_id,
        revision: exampleRevision.id,
      },
    },
    answers: {
      201: {
        description: 'The new revision. `Location` is the record’s history.',
        schema: revertDocument,
        example: document('https://cards.example.org/v2/players/0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d26/revisions', {
          data: exampleRevision,
          meta: { left_out: [] },
        }),
      },
    },
    refusals: [400, 404, 409, 422],
    handle: create,
  },
]
