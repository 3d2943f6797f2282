import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { noValue, numberId, serialLimitId } from '../../model/counts.ts'
import { count, countsOf, type Tallies } from '../counts/tallies.ts'
import type { CardState } from './record.ts'

/** The N of a serial number `/N` without leading zeros, read as the index `cards_serial_limit` reads it. */
const serialLimitOf = (serialNumber: string | null) => {
  const [, digits] = /\/ ?([0-9]{1,9})$/.exec(serialNumber ?? '') ?? []
  return digits === undefined ? undefined : String(Number(digits))
}

const ids = { numbers: numberId, serial_limits: (limit: string | null) => serialLimitId(limit ?? '') }

type Value = [list: keyof typeof ids, value: string | null]

const valuesOf = ({ number, serialNumber }: Pick<CardState, 'number' | 'serialNumber'>): Value[] => {
  const limit = serialLimitOf(serialNumber)
  return limit === undefined
    ? [['numbers', number]]
    : [
        ['numbers', number],
        ['serial_limits', limit],
      ]
}

/** How many cards come to have a value that a filter of their list may ask for, or have it no more. */
export type ValueChanges = Map<string, { value: Value; live: number; published: number }>

/** Adds a card with its audience (0 once it is deleted), or takes it away. */
export const addValues = (changes: ValueChanges, card: CardState, audience: number, sign: 1 | -1) => {
  const [live, published] = countsOf(audience)
  for (const value of valuesOf(card)) {
    const key = JSON.stringify(value)
    const change = changes.get(key) ?? { value, live: 0, published: 0 }
    change.live += sign * live
    change.published += sign * published
    changes.set(key, change)
  }
}

/**
 * Counts what changes by value. What does not is left alone: nothing is renamed by way of a number, so that writers of cards
 * that keep theirs need not wait for each other.
 */
export const countValues = (tallies: Tallies, changes: ValueChanges) => {
  for (const { value, live, published } of changes.values()) {
    const [list, of] = value
    if (live !== 0 || published !== 0) count(tallies, list, list, ids[list](of), live, published)
  }
}

/** A set whose cards come into sight or leave it: what each of them adds to a count. */
export type MovedSet = { id: string; live: number; published: number }

/** Counts the live cards of such sets by value; the database adds them up, since a set may have as many numbers as cards. */
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
