import type { Transaction } from '../../../../db/client.ts'
import { Audience } from '../../../lib/audience.ts'
import { askSets } from '../locks/order.ts'
import type { SetChange } from '../record.ts'
import { audienceOfSet } from './rows.ts'

const isPublished = (set: SetChange['after'] | undefined) => audienceOfSet(set) >= Audience.published

/**
 * Locks the published children of sets that are published or stop being it, because their rows say whether readers see their parent.
 * Usually there are none, so they aren't locked with the other sets: if there are, the transaction starts over. No others come, since
 * the parents' tallies are locked.
 */
export const lockShownChildren = async (tx: Transaction, changes: SetChange[]) => {
  const crossing = changes.filter(({ before, after }) => before && isPublished(before) !== isPublished(after))
  if (crossing.length === 0) return
  const children = await tx.sql<{ id: string }[]>`
    select id from sets where parent_id = any(${crossing.map(({ id }) => id)}::uuid[]) and audience >= ${Audience.published}`
  askSets(
    tx,
    children.map(({ id }) => id),
  )
}

/** Notes on sets that were written, and on their children, whether their parent is hidden. The parents' tallies are locked. */
export const noteHiddenParents = async ({ sql }: Transaction, ids: string[]) => {
  await sql`
    update sets s set parent_hidden = not s.parent_hidden
    from sets c left join sets p on p.id = c.parent_id
    where s.id = c.id and (c.id = any(${ids}::uuid[]) or c.parent_id = any(${ids}::uuid[]))
      and c.parent_hidden <> (c.audience >= ${Audience.published} and coalesce(p.audience < ${Audience.published}, false))`
}
