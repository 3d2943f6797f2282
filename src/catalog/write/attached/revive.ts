import type { Transaction } from '../../../../db/client.ts'
import { conflict } from '../../../jsonapi/errors.ts'
import type { ByDocument } from '../../model/attached.ts'
import { tableOf } from '../../model/tables.ts'
import { restoration } from '../history/fields.ts'
import { writeRevisions } from '../history/revisions.ts'
import { lostRace } from '../locks/order.ts'
import type { Writer } from '../record.ts'
import { pointerOf, refuseTaken, requireAttributes } from './faults.ts'
import { lockIdentifiers } from './identifiers.ts'
import { attributesOf, countedBy, lockOwners, ownerOf, requireVisibleOwner } from './owners.ts'
import { commitAttached, readContent } from './write.ts'

/** Restores a deleted attached record. Its owner must exist. 409 if another record has taken its place. */
export const reviveAttached = async (tx: Transaction, type: ByDocument, id: string, writer: Writer) => {
  const stored = await readContent(tx, type, id)
  if (!stored) throw conflict('The record was permanently deleted.')
  const owner = ownerOf(type, stored)
  const [locked = 0] = await lockOwners(tx, [owner], attributesOf(stored))
  const audience = requireVisibleOwner(owner, locked, pointerOf(type), writer.level)
  await requireAttributes(tx, attributesOf(stored))
  const now = await readContent(tx, type, id)
  if (!now?.deleted_at) return
  if (ownerOf(type, now).id !== owner.id) throw lostRace('something attached was moved')
  if (type === 'identifiers') await lockIdentifiers(tx, [stored], writer)
  await refuseTaken(tx, type, id, stored)
  await tx.sql`
    update ${tx.sql(tableOf(type))}
    set audience = ${audience}, deleted_at = null, updated_at = ${writer.now.toISOString()}::timestamptz,
      version = version + 1
    where id = ${id}`
  await commitAttached(tx, type, undefined, { id, audience, ...countedBy(type, stored) }, writer.now)
  await writeRevisions(tx, type, [{ id, ...restoration }], writer)
}
