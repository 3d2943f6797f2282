import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { conflict, noSuch, validationFailed } from '../../../jsonapi/errors.ts'
import { counted } from '../../../lib/counted.ts'
import type { Tallies } from '../locks/order.ts'
import { count } from '../locks/tallies.ts'
import type { EntityChange, Writer } from '../record.ts'

/** A name that no year has. Whoever gives a year a parent, or deletes a year, locks it: the others' years are then known. */
const lockName = 'parents of years'

const pointer = '/data/attributes/parent_year'

const changesParent = ({ before, after }: EntityChange) =>
  !after.deleted && after.columns.parent_year != null && before?.columns.parent_year !== after.columns.parent_year

const isDeleted = ({ before, after }: EntityChange) => before !== undefined && !before.deleted && after.deleted

/** The parents that years get, to be locked: whoever publishes or hides one of them then knows its children, or waits. */
export const parentsOf = (years: EntityChange[]): Tallies => {
  const tallies: Tallies = new Map()
  for (const year of years) if (changesParent(year)) count(tallies, 'sets', 'years', year.after.columns.parent_year)
  return tallies
}

/** The names to lock before years get parents or are deleted. */
export const parentLocks = (years: EntityChange[]): string[] =>
  years.some((year) => changesParent(year) || isDeleted(year)) ? [lockName] : []

/**
 * Refuses years, once they are written, that are their own ancestors or whose parent isn't there, and deleted ones that are the
 * parent of others. Restored and mirrored years may come before their parents.
 */
export const refuseParents = async (tx: Transaction, years: EntityChange[], writer: Writer) => {
  if (writer.mirrored) return
  const changed = years.filter(changesParent).map(({ id }) => id)
  if (changed.length > 0) {
    const circles = await tx.sql`
      with recursive above (id, at) as (
        select id, parent_year from years where id = any(${arrayOf(changed)}::uuid[])
        union
        select above.id, y.parent_year from above join years y on y.id = above.at where above.at <> above.id
      )
      select from above where id = at limit 1`
    if (circles.length > 0)
      throw validationFailed([{ pointer, detail: 'A year cannot be its own parent, or that of a year above it.' }])
  }
  if (writer.restoring) return
  if (changed.length > 0) {
    const missing = await tx.sql`
      select from years t where t.id = any(${arrayOf(changed)}::uuid[])
        and not exists (select from years p where p.id = t.parent_year and p.audience >= ${writer.level}::int) limit 1`
    if (missing.length > 0) throw validationFailed([noSuch('year', { pointer })])
  }
  const deleted = years.filter(isDeleted).map(({ id }) => id)
  if (deleted.length === 0) return
  const [row] = await tx.sql<{ children: number }[]>`
    select count(*)::int as children from years where parent_year = any(${arrayOf(deleted)}::uuid[]) and audience >= 1`
  if (row && row.children > 0)
    throw conflict(`The year is the parent of ${counted(row.children, 'live year')} and cannot be deleted.`)
}
