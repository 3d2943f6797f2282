import { countedAt } from '../../model/counts.ts'
import type { PersonType } from '../known/known-people.ts'
import type { KnownName } from '../known/known-sets.ts'
import type { Fit } from './pattern.ts'

export type NameType = PersonType | KnownName['type']

/** A record with how well its name fits, and about how many cards it has. */
export type FoundName = { no: number; type: NameType; id: string; name: string; fit: Fit; cards: number }

/** How many records of a list belong to the record `t`, as a level sees them, in SQL. */
export const tallied = (list: number, level: number) =>
  `coalesce((select ${countedAt(level)} from tallies where list = ${list} and id = t.id), 0)`
