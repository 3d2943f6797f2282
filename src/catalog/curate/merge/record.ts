import type { Transaction } from '../../../../db/client.ts'
import type { Act } from '../../../audit/write.ts'
import type { Fault } from '../../../jsonapi/errors.ts'
import type { Claims } from '../../write/locks/order.ts'
import type { Writer } from '../../write/record.ts'

/** The types whose records can be merged. */
export const mergedTypes = [
  ...(['players', 'teams', 'brands', 'manufacturers', 'genres', 'years', 'attributes'] as const),
  ...(['sets', 'cards'] as const),
] as const
export type MergedType = (typeof mergedTypes)[number]

/** Records of one type to be merged into one of them, and why. */
export type MergeOrder = { objectType: MergedType; fromIds: string[]; intoId: string; note?: string | null }

/** A merge as it is stored. */
export type Merge = Required<MergeOrder> & {
  id: string
  agentId: string | null
  createdAt: string
  undoneAt: string | null
}

/** Records of one type that are being merged in a transaction. */
export type Merging = { type: MergedType; from: string[]; into: string }

/** A merged record, and the one that it redirects to. */
export type Redirect = { type: string; id: string; into: string }

/**
 * How records of a type are merged: what is locked for it, what rules it out, and the work itself, which returns the records
 * that were merged along with them.
 */
export type Merger = {
  claims: (tx: Transaction, merging: Merging) => Promise<Claims>
  faults?: (tx: Transaction, merging: Merging) => Promise<Fault[]>
  work: (tx: Transaction, merging: Merging, writer: Writer) => Promise<Redirect[]>
}

export const writerOf = ({ agent, now }: Act, kind: 'merge' | 'split', id: string): Writer => ({
  ...{ level: 1, now, cause: { kind, id } },
  agent: agent as Writer['agent'],
})
