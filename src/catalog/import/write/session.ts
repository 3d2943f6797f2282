import type { Database, Queryable, Transaction } from '../../../../db/client.ts'
import { copyIn } from '../../../../db/copied-rows.ts'
import { importMade } from '../../../../db/schema/index.ts'
import type { Agent } from '../../../audit/write.ts'
import { Audience } from '../../../lib/audience.ts'
import type { ByDocument } from '../../model/attached.ts'
import type { Remembered } from '../../write/card/optimistic.ts'
import { copiedIds } from '../../write/counts/changes.ts'
import { findLeads, type Leads } from '../../write/history/merged.ts'
import type { Claims } from '../../write/locks/order.ts'
import type { EntityType, Writer } from '../../write/record.ts'
import { enter } from '../../write/write-transaction.ts'
import type { SetItem, SetKind } from '../read/item.ts'
import type { Seen, SeenInFile } from './cards-in-file.ts'
import type { PretendedCards } from './dry/pretended-cards.ts'

/** A running import, as its parts see it. */
export type Session = {
  /** Its id in the history and in the records it writes. */
  id: string
  agent: Agent | undefined
  publish: boolean
  /** Overwrites fields that somebody changed with the file's values. */
  overwrite: boolean
  /** Writes nothing, but reports what it would write. */
  isDry: boolean
  /** In a dry run: the names of the labels and sets that it would create, by the ids it gave them. */
  pretendedNames: Map<string, string>
  /** In a dry run: the cards as it would have written them. */
  pretendedCards: PretendedCards | undefined
  /** When it began, in RFC 3339. Everything it created is newer. */
  began: string
  /** Whether records were merged here, so that an id in a file may be a merged one's. */
  hasMerges: boolean
  /** The cards that the file has. */
  seen: Seen
  /** The sets in which it made cards, and those of parallels with cards whose parent it didn't find. */
  gained: Set<string>
  orphaned: Set<string>
  /** Sets whose kind its files say otherwise, or that may be parallels by their names, by id. */
  doubtful: Map<string, Doubt>
  /** What its inserts of new cards remember about the catalog. */
  remembered: Remembered
}

/** What a file says of a set: that it's of another kind than it is, in a column. Its parent's cards tell what it is. */
export type Doubt = { item: SetItem; kind: SetKind; parentId: string }

/** The context of a name: its set's genre and year, and on rows of cards also the set and the number. */
export type Standing = { genreId: string | null; year: number | null; id?: string; number?: string | null }

/**
 * The sets of this run, by their key. `fullName` is what the file calls it behind its parents, `name` what it is called itself. `hasNoBases`: the
 * file has it as a parallel, and it is none. `storedGenreId` is the genre that it has in the catalog.
 */
export type PlacedSets = Map<
  string,
  Standing & {
    id: string
    deleted: boolean
    fullName: string
    name?: string
    file?: string
    parentKey?: string | null
    storedGenreId?: string | null
    hasNoBases?: boolean
  }
>

/** Who an import writes as. `restoring` writes what an export contains, deleted records included. */
export const writerOf = ({ id, agent }: Session, now: Date, restoring?: true): Writer => ({
  ...{ level: Audience.draft, now, agent, cause: { kind: 'import', id } },
  ...(restoring ? { restoring } : {}),
})

/** Thrown if somebody undid the import before it finished. Nothing more of it is written. */
export class ImportOver extends Error {}

/** A transaction for anything an import writes. Throws ImportOver if somebody has undone the import. */
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
      if (run?.isOver) throw new ImportOver('The import was undone before it finished.')
      return work(tx)
    },
    claim,
  )

/**
 * Makes other imports that create names or sets wait for the end of this transaction, so that nobody else is creating what it
 * doesn't find. Call it before anything is locked.
 */
export const makeAlone = async ({ sql }: Pick<Queryable, 'sql'>) => {
  await sql`
    insert into settings (name, value) values ('import_names', 'held by the import that makes names or sets')
    on conflict (name) do update set value = excluded.value`
}

/** Notes what an import created, in the same transaction, so that it can be undone. */
export const noteMade = async (
  tx: Transaction,
  { id: import_id }: Session,
  object_type: EntityType | ByDocument | 'sets' | 'merges',
  ids: string[],
) => {
  if (ids.length > 0) await insertMade(tx, [{ id: Bun.randomUUIDv7(), import_id, object_type, ids, file: null }])
}

/** The same for cards, by the file whose rows they are. */
export const noteMadeCards = async (tx: Transaction, { id: import_id }: Session, made: SeenInFile[]) => {
  const rows = made.map((some) => ({ id: Bun.randomUUIDv7(), import_id, object_type: 'cards', ...some }))
  if (rows.length > 0) await insertMade(tx, rows)
}

const insertMade = async (tx: Transaction, rows: (typeof importMade.$inferSelect)[]) => {
  if (tx.kind === 'postgres' && rows.some(({ ids }) => ids.length >= copiedIds))
    await copyIn(tx, importMade, ['id', 'import_id', 'object_type', 'ids', 'file'], rows)
  else
    await tx.sql`
      insert into import_made (id, import_id, object_type, ids, file)
      select n.id, n.import_id, n.object_type, n.ids, n.file
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
        as n (id uuid, import_id uuid, object_type text, ids uuid[], file int)`
}

/** Whether records have been merged here by now. If not, nobody has to look up redirects. */
export const hasMerges = async ({ sql }: Pick<Queryable, 'sql'>, session: Pick<Session, 'hasMerges'>) => {
  if (session.hasMerges) return true
  const [row] = await sql<{ found: boolean }[]>`select exists (select from redirects) as found`
  session.hasMerges = row?.found ?? false
  return session.hasMerges
}

/** What the ids of merged records redirect to, by id. */
export const findMerged = async (
  db: Pick<Queryable, 'sql'>,
  { hasMerges }: Session,
  ids: Iterable<string>,
): Promise<Leads> => (hasMerges ? findLeads(db, ids) : new Map())
