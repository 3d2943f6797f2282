import { arrayOf } from '../../../../db/arrays.ts'
import type { Database, Queryable, Transaction } from '../../../../db/client.ts'
import { copyIn } from '../../../../db/copied-rows.ts'
import { importMade } from '../../../../db/schema/index.ts'
import type { Agent } from '../../../audit/write.ts'
import { Audience } from '../../../lib/audience.ts'
import type { ByDocument } from '../../model/attached.ts'
import type { Remembered } from '../../write/card/optimistic.ts'
import { copiedIds } from '../../write/counts/changes.ts'
import { enter } from '../../write/enter.ts'
import { findLeads, type Leads } from '../../write/history/merged.ts'
import type { Claims } from '../../write/locks/order.ts'
import type { EntityType, Writer } from '../../write/record.ts'
import type { Seen } from './seen.ts'

/** An import that runs, as its parts see it. */
export type Session = {
  /** What the history and the records that it says something of call it. */
  id: string
  agent: Agent | undefined
  publish: boolean
  /** Takes the source's word for fields that somebody changed. */
  overwrite: boolean
  /** Writes nothing, and reports what it would write. */
  isDry: boolean
  /** When it began, in RFC 3339: what it made came after. */
  began: string
  /** Whether records were merged here: then an id in a file may be that of a merged one. */
  hasMerges: boolean
  /** The cards that the file has. */
  seen: Seen
  /** What its inserts of new cards know of the catalog. */
  remembered: Remembered
}

/** Where a name stands: the genre and the year of the set. */
export type Standing = { genreId: string | null; year: number | null }

/** The sets of this run, by their key. */
export type PlacedSets = Map<string, Standing & { id: string; deleted: boolean }>

/** Who an import writes as; `restoring` writes back what an export holds, deleted records too. */
export const writerOf = ({ id, agent }: Session, now: Date, restoring?: true): Writer => ({
  ...{ level: Audience.draft, now, agent, cause: { kind: 'import', id } },
  ...(restoring ? { restoring } : {}),
})

/** An import that somebody undid before it was through: nothing more of it is written. */
export class ImportOver extends Error {}

/** The transaction of whatever an import writes, as long as nobody has undone the import. */
export const enterImport = <T>(
  db: Database,
  { id }: Session,
  work: (tx: Transaction) => Promise<T>,
  claim?: (tx: Transaction) => Promise<Claims>,
): Promise<T> =>
  enter(
    db,
    async (tx) => {
      const [run] = await tx.sql<{ isOver: boolean }[]>`
        select finished_at is not null as "isOver" from import_runs where id = ${id} for share`
      if (run?.isOver) throw new ImportOver('The import was undone before it was through.')
      return work(tx)
    },
    claim,
  )

/**
 * Makes other imports that make names or sets wait for the end of this transaction, so that what it does not find nobody else is
 * making. Call it before anything is locked.
 */
export const makeAlone = async ({ sql }: Pick<Queryable, 'sql'>) => {
  await sql`
    insert into settings (name, value) values ('import_names', 'held by the import that makes names or sets')
    on conflict (name) do update set value = excluded.value`
}

/** Notes what an import made, in the transaction that makes it: undoing it starts there. */
export const noteMade = async (
  tx: Transaction,
  { id: import_id }: Session,
  object_type: EntityType | ByDocument | 'cards' | 'sets' | 'merges',
  ids: string[],
) => {
  if (ids.length === 0) return
  const row = { id: Bun.randomUUIDv7(), import_id, object_type, ids }
  if (tx.kind === 'postgres' && ids.length >= copiedIds)
    await copyIn(tx, importMade, ['id', 'import_id', 'object_type', 'ids'], [row])
  else
    await tx.sql`
      insert into import_made (id, import_id, object_type, ids)
      values (${row.id}, ${import_id}, ${object_type}, ${arrayOf(ids)}::text::uuid[])`
}

/** Whether records were merged here by now: only then anybody has to ask where ids lead. */
export const hasMerges = async ({ sql }: Pick<Queryable, 'sql'>, session: Pick<Session, 'hasMerges'>) => {
  if (session.hasMerges) return true
  const [row] = await sql<{ found: boolean }[]>`select exists (select from redirects) as found`
  session.hasMerges = row?.found ?? false
  return session.hasMerges
}

/** Where the ids of merged records lead, by these ids. */
export const findMerged = async (
  db: Pick<Queryable, 'sql'>,
  { hasMerges }: Session,
  ids: Iterable<string>,
): Promise<Leads> => (hasMerges ? findLeads(db, ids) : new Map())
