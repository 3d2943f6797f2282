import type { Database, Transaction } from '../../../../db/client.ts'
import { hasCode } from '../../../../db/faults.ts'
import { type Act, writeAudit } from '../../../audit/write.ts'
import { ApiError, conflict, notFound, resourceMerged, validationFailed } from '../../../jsonapi/errors.ts'
import { Audience } from '../../../lib/audience.ts'
import { findTargets } from '../../show/merged.ts'
import { followMerged } from '../../write/history/follow.ts'
import type { Writer } from '../../write/record.ts'
import { enter } from '../../write/write-transaction.ts'
import { findLeftOut } from './left-out.ts'
import { putBack } from './put-back.ts'
import { findRevision, madeRevision, type Revision } from './read.ts'

/** Which revision of which record. */
type Wanted = { objectType: string; objectId: string; revision: string }

/** The revision that a revert made, and the identifiers that stay deleted because another record has taken them. */
type Reverted = { revision: Revision; leftOut: string[] }

/**
 * Restores the fields that a revision changed to what they were before it. Other fields stay as they are. 404 if there is no
 * such revision, 422 if it belongs to another record, 409 if the fields can't be restored: a name is taken, what they refer to
 * is gone, or nothing would change.
 */
export const revert = async (db: Database, wanted: Wanted, { agent, now }: Act): Promise<Reverted> => {
  const { objectType, objectId, revision } = wanted
  const found = await findRevision(db, revision)
  if (!found) throw notFound('There is no such revision.')
  if (found.object_type !== objectType || found.object_id !== objectId)
    throw validationFailed([{ pointer: '/revision', detail: 'This revision belongs to another record.' }])
  const writer: Writer = { level: Audience.draft, now, agent, cause: { kind: 'revert' } }
  const entry = { eventType: 'revision.reverted', auditableType: objectType, auditableId: objectId }
  return enter(db, async (tx) => {
    await refuseMerged(tx, objectType, objectId)
    const [fields = {}] = await followMerged(tx, [found.before])
    await putBack[objectType]?.(tx, objectId, fields, writer)
    // Checked again now that nobody else can write the record, because a merge may have been faster.
    await refuseMerged(tx, objectType, objectId)
    const made = await madeRevision(tx, objectType, objectId)
    if (!made) throw conflict('The fields are already as they were before this revision.')
    await writeAudit(tx, { agent, now }, { ...entry, data: { revision } })
    return { revision: made, leftOut: await findLeftOut(tx, made) }
  }).catch((error) => {
    throw impossible(error) ?? error
  })
}

/** A merged record can only be restored by undoing its merge. */
const refuseMerged = async (tx: Transaction, type: string, id: string) => {
  const merged = (await findTargets(tx, [id])).get(id)
  if (merged?.type === type) throw resourceMerged(merged)
}

/** Turns any refusal by the write floor into a conflict: what it refuses is the record's current state, not a document. */
const impossible = (error: unknown): ApiError | undefined => {
  if (hasCode(error, '23505')) return conflict('Another record has since taken its place.')
  if (hasCode(error, '23503')) return conflict('Something that the record referred to was permanently deleted.')
  if (!(error instanceof ApiError)) return undefined
  const errors = error.errors.flatMap(({ source, ...one }) =>
    error.status === 409 ? one : conflict(sentence(one.detail, source?.pointer)).errors,
  )
  return new ApiError(409, errors, error.headers, error.meta)
}

/** A fault, preceded by the name of its field. */
const sentence = (detail = '', pointer = '') => {
  const [, field] = /^\/data\/(?:attributes|relationships)\/([^/]+)/.exec(pointer) ?? []
  return field ? `${field}: ${detail}` : detail
}
