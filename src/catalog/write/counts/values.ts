import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { noValue, numberId, serialLimitId } from '../../model/counts.ts'
import type { Tallies } from '../locks/order.ts'
import { count, countsOf } from '../locks/tallies.ts'
import type { CardState } from '../record.ts'

const ids = { numbers: numberId, serial_limits: (limit: string | null) => serialLimitId(limit ?? '') }

type Value = [list: keyof typeof ids, value: string | null]

/** A card's values that a filter of its list may ask for, each counted: its number, and its serial limit if it has one. */
const valuesOf = ({ number, serial_number }: Pick<CardState, 'number' | 'serial_number'>): Value[] => {
  const limit = serialLimitOf(serial_number)
  const numbers: Value = ['numbers', number]
  return limit === undefined ? [numbers] : [numbers, ['serial_limits', limit]]
}

/** The N of a serial number `/N` without leading zeros, the same as in the index `cards_serial_limit`. */
const serialLimitOf = (serialNumber: string | null) => {
  if (!serialNumber) return undefined
  const [, digits] = /\/ ?([0-9]{1,9})$/.exec(serialNumber) ?? []
  return digits === undefined ? undefined : String(Number(digits))
}

/** How many cards gain or lose each value. */
export type ValueChanges = Map<string, { value: Value; live: number; published: number }>

/** Adds or removes the values of a card with this audience. */
export const addValues = (changes: ValueChanges, card: CardState, audience: number, sign: 1 | -1) => {
  const [live, published] = countsOf(audience)
  for (const value of valuesOf(card)) {
    const key = `${value[0]} ${value[1] === null ? '' : `/${value[1]}`}`
    const change = changes.get(key) ?? { value, live: 0, published: 0 }
    change.live += sign * live
    change.published += sign * published
    changes.set(key, change)
  }
}

/**
 * Counts only the values that changed. Renames don't involve numbers, so writers of cards that keep theirs need not wait for
 * each other.
 */
export const countValues = (tallies: Tallies, changes: ValueChanges) => {
  for (const { value, live, published } of changes.values()) {
    const [list, of] = value
    if (live !== 0 || published !== 0) count(tallies, list, list, ids[list](of), live, published)
  }
}

/** A set whose cards are shown or hidden: what each of them adds to a count. */
export type MovedSet = { id: string; live: number; published: number }

/** Counts the live cards of these sets by value. The database adds them up, since a set may have as many numbers as cards. */
export const countValuesOfSets = async (tx: Transaction, tallies: Tallies, sets: MovedSet[]) => {
  if (sets.length === 0) return
  const rows = await tx.sql<{ list: keyof typeof ids; id: string; live: string; published: string }[]>`
    with moved as (
      select c.number, c.serial_number, m.live, m.published
      from unnest(
        ${arrayOf(sets.map((set) => set.id))}::uuid[], ${arrayOf(sets.map((set) => set.live))}::int[],
        ${arrayOf(sets.map((set) => set.published))}::int[]
      ) as m (id, live, published)
      join cards c on c.set_id = m.id and c.deleted_at is null
    )
    select list, id, sum(live) as live, sum(published) as published from (
      select 'numbers' as list, coalesce(md5(number)::uuid, ${noValue}::uuid) as id, live, published from moved
      union all
      select 'serial_limits', ('00000000-0000-0000-0000-' || lpad(digits::int::text, 12, '0'))::uuid, live, published
      from moved cross join lateral (select substring(serial_number from '/ ?([0-9]{1,9})$')) as limited (digits)
      where digits is not null
    ) v
    group by list, id having sum(live) <> 0 or sum(published) <> 0`
  for (const { list, id, live, published } of rows) count(tallies, list, list, id, Number(live), Number(published))
}
