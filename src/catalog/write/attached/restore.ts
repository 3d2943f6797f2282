import type { Transaction } from '../../../../db/client.ts'
import { Audience } from '../../../lib/audience.ts'
import { attachments, type ByDocument, typeOfKind } from '../../model/attached.ts'
import type { Columns, Owner, Restored, Writer } from '../record.ts'
import { lockIdentifiers, renumberIdentifier } from './identifiers.ts'
import { attributesOf, countedBy, lockOwners, ownerOf } from './owners.ts'
import { reviveAttached } from './revive.ts'
import { commitAttached, deleteAttached, insertAttached, readContent, updateAttached } from './write.ts'

/** An object attribute, a set source or an identifier as in an export. */
export type RestoredAttached = { id: string; type: ByDocument; content: Columns; deleted: boolean }

/**
 * Makes one attached record, by id, what an export says, even a deleted one. Its owner must exist. If the owner is deleted, the
 * record is hidden. Bringing a deleted record back to life is refused, since its place may be taken, unless an undo deleted it.
 */
export const restoreAttached = async (tx: Transaction, record: RestoredAttached, writer: Writer): Promise<Restored> => {
  const { id, type, content } = record
  const stored = await readContent(tx, type, id)
  if (!stored) return insert(tx, record, writer)
  if (stored.deleted_at && record.deleted) return { id, result: 'unchanged' }
  if (stored.deleted_at) {
    if (!(await wasUndone(tx, id))) return { id, result: 'failed', reason: 'The record was deleted.' }
    await reviveAttached(tx, type, id, writer)
    await updateAttached(tx, type, id, content, writer)
    return { id, result: 'updated', restored: true }
  }
  if (record.deleted) await deleteAttached(tx, type, id, writer)
  else if (Object.entries(content).every(([name, value]) => stored[name] === value)) return { id, result: 'unchanged' }
  else await updateAttached(tx, type, id, content, writer)
  return { id, result: 'updated' }
}

const wasUndone = async (tx: Transaction, id: string) => {
  const [last] = await tx.sql<{ cause: string }[]>`
    select cause from revisions where object_id = ${id} order by id desc limit 1`
  return last?.cause === 'undo'
}

const insert = async (
  tx: Transaction,
  { id, type, content, deleted }: RestoredAttached,
  writer: Writer,
): Promise<Restored> => {
  const { now } = writer
  const owner = ownerOf(type, content)
  const [locked = 0] = await lockOwners(tx, [owner], attributesOf(content))
  if (locked === 0 && !(await exists(tx, owner)))
    return { id, result: 'failed', reason: `There is no such ${owner.kind}.` }
  const audience = deleted ? Audience.deleted : locked
  if (type === 'identifiers' && !deleted) {
    await lockIdentifiers(tx, [content], writer)
    if (await renumberIdentifier(tx, id, content, audience, now)) return { id, result: 'updated' }
  }
  if (!(await insertAttached(tx, type, id, content, audience, now, deleted)))
    return { id, result: 'failed', reason: attachments[type].leftOut ?? 'This record already exists.' }
  await commitAttached(tx, type, undefined, { id, audience, ...countedBy(type, content) }, now)
  return { id, result: 'created' }
}

const exists = async (tx: Transaction, { kind, id }: Owner) => {
  const rows = await tx.sql`select 1 from ${tx.sql(typeOfKind(kind))} where id = ${id}`
  return rows.length > 0
}
