import type { Transaction } from '../../../db/client.ts'
import type { cards, Row, sets } from '../../../db/schema/index.ts'
import type { Act } from '../../audit/write.ts'
import type { ApiError } from '../../jsonapi/errors.ts'
import type { ObjectKind } from '../model/attached.ts'
import type { recordColumns } from '../model/record-columns.ts'
import type { Input } from '../model/resource.ts'

// The types of src/catalog/write, which all of its floors share (docs/architecture.md).

/**
 * Who writes, and how. References must be visible at `level` (1 sees drafts, 2 published data, 3 nothing). `agent` is the actor
 * in the audit log and the history, by default the service itself. `cause` is what the history says caused the change, by
 * default a request. `expects` gets the revision of a record (its version and creation time) once that is locked, and may
 * throw.
 *
 * `restoring` writes back the content of an export, including deleted records. `cardsFollow` leaves the names of cards to a
 * chunked rename. `mirrored` writes what another service decided (src/catalog/sync/mirror). `isFolded` leaves the audit log to
 * the caller, who writes one entry for many transactions.
 */
export type Writer = {
  level: number
  now: Date
  agent?: Act['agent']
  cause?: Cause
  restoring?: true
  cardsFollow?: true
  mirrored?: Mirrored
  isFolded?: true
  expects?: (revision: string) => void
}

/** What imports say about fields of a record that somebody has since changed, by field. */
export type Curated = ReadonlyMap<string, unknown>

/** What caused a change, and the id of that merge or import (decisions.md §13). */
type Cause = {
  kind: 'request' | 'import' | 'prune' | 'undo' | 'merge' | 'split' | 'revert' | 'command'
  id?: string
}

/** What comes with mirrored records: times of new cards by id, and positions of new sets in checklist order. */
type Mirrored = { times: Map<string, Times>; places: Map<string, number> }

/** When a record was created and changed, in RFC 3339. */
export type Times = { createdAt: string; updatedAt: string }

/**
 * The writes of a resource's documents. A missing one has no route. `create` returns the id of the record that it created or
 * restored.
 */
export type Writes = {
  create?: (tx: Transaction, id: string, input: Input, writer: Writer) => Promise<string>
  update?: (tx: Transaction, id: string, input: Input, writer: Writer) => Promise<void>
  remove?: (tx: Transaction, id: string, writer: Writer, options: { force: boolean }) => Promise<void>
}

/** The outcome for one record. `restored`: it was deleted, and is back. */
export type Outcome = {
  id: string
  result: 'created' | 'updated' | 'unchanged' | 'failed'
  restored?: boolean
  error?: ApiError
}

/** What an oncard entry names: a player, a team, or a player-team (both at once). */
export type EntryType = 'players' | 'teams' | 'playerteams'
export type Entry = { type: EntryType; id: string }

/** A stored entry with its player and team. */
export type StoredEntry = Entry & { playerId: string | null; teamId: string | null }

/** A player, team, player-team or attribute on a card. A player-team's `name` is its player's. */
export type Subject = {
  type: EntryType | 'attributes'
  id: string
  name: string
  audience: number
  playerId: string | null
  teamId: string | null
}

/**
 * A card as a writer wants it: its own columns, who and what is on it, and whether it is deleted. Everything else is derived.
 */
export type CardState = Pick<Row<typeof cards>, (typeof recordColumns.cards)[number]['name']> & {
  entries: Entry[]
  attributeIds: string[]
  deleted: boolean
}

/** A card as stored. */
export type CardRecord = CardState & {
  id: string
  entries: StoredEntry[]
  name: string
  revision: string
}

/**
 * What one card should become. `change` gets the stored card once its set is locked, with that set's audience and, in an
 * import, what imports say about its curated fields. It may refuse.
 */
export type CardPlan = {
  id: string
  /** The set that the card moves to or is created in. It is locked together with the current one. */
  setId?: string
  /** The id of an earlier plan. If that card is refused, so is this one. */
  follows?: string
  change: (before: CardRecord | undefined, audience: number, curated?: Curated) => CardState | ApiError
}

/** `restored`: the card was deleted, alone or with its set, and is back. */
export type CardOutcome = Outcome & { restored: boolean }

export type CardChange = { id: string; follows?: string; before: CardRecord | undefined; after: CardState }

/** A set as a writer wants it: its own columns, and whether it is deleted. Everything else is derived. */
export type SetState = Pick<Row<typeof sets>, (typeof recordColumns.sets)[number]['name']> & { deleted: boolean }

/** A set as stored. */
export type SetRecord = SetState & LockedSet & { revision: string }

/**
 * What a writer of cards needs to know about a set: its position in checklist order, who sees it, how many live cards it has.
 */
export type LockedSet = Pick<Row<typeof sets>, 'id' | 'no' | 'audience' | 'live_cards'>

/** What one set should become. `change` gets the stored set once it is locked, and may refuse. */
export type SetPlan = { id: string; change: (before: SetRecord | undefined, curated?: Curated) => SetState | ApiError }

export type SetChange = { id: string; before: SetRecord | undefined; after: SetState }

/** The catalog's plain entities, by resource type. */
export type EntityType =
  | 'attributes'
  | 'brands'
  | 'genres'
  | 'manufacturers'
  | 'years'
  | 'players'
  | 'teams'
  | 'playerteams'

/** An entity's stored columns by name. */
export type Columns = Record<string, string | null>
export type EntityState = { columns: Columns; deleted: boolean }
export type EntityRecord = EntityState & { id: string; audience: number; revision: string }
export type EntityPlan = {
  id: string
  change: (before: EntityRecord | undefined, curated?: Curated) => EntityState | ApiError
}
export type EntityChange = { id: string; before: EntityRecord | undefined; after: EntityState; audience: number }

/** A player with a team. */
export type Pair = { playerId: string; teamId: string }

/** What something is attached to. */
export type Owner = { kind: ObjectKind; id: string }

/** The outcome for a record of an export. */
export type Restored = Omit<Outcome, 'error'> & { reason?: string }
