import type { PgTable } from 'drizzle-orm/pg-core'
import { arrayOf } from '../../../../db/arrays.ts'
import type { Database, Transaction } from '../../../../db/client.ts'
import { copyRows } from '../../../../db/copied-rows.ts'
import { hasCode } from '../../../../db/faults.ts'
import { bindRows, type ColumnName, insertRows } from '../../../../db/rows.ts'
import { cardAttributes, cards, oncard } from '../../../../db/schema/index.ts'
import { turn } from '../../../lib/yield-to-event-loop.ts'
import { noteTitles } from '../counts/title-words.ts'
import { importOf } from '../history/imported.ts'
import { lostRace } from '../locks/order.ts'
import { type By, type CardRow, entryColumns, entryRows, inserted, made, updated } from './rows.ts'

/**
 * Writes cards with their entries and attributes set-wise, in a handful of statements for any number. Entries and attributes
 * are laid out while the database writes the cards.
 */
export const writeCardRows = async (tx: Transaction, rows: CardRow[], writer: By) => {
  noteTitles(tx, rows)
  const [onCards] = await Promise.all([turn().then(() => layOutOnCards(tx, rows)), writeCards(tx, rows, writer)])
  await runAll(tx, onCards)
}

const writeCards = async (tx: Transaction, rows: CardRow[], writer: By) => {
  const fresh = rows.filter((row) => row.isNew)
  const changed = rows.filter((row) => !row.isNew)
  if (fresh.length > 0) await insertCards(tx, layOutCards(tx, fresh))
  if (changed.length === 0) return
  const { from, values } = bindRows(cards, inserted, changed, 3)
  await tx.sql.unsafe(
    `update cards c set ${updated.map((name) => `${name} = n.${name}`).join(', ')},
       version = c.version + 1, updated_at = $1::timestamptz, import_id = coalesce($2::uuid, c.import_id),
       deleted_at = case when n.deleted_at is not null then coalesce(c.deleted_at, n.deleted_at) end
     from ${from} where c.id = n.id`,
    [writer.now.toISOString(), importOf(writer), ...values],
    { prepare: true },
  )
  const ids = arrayOf(changed.map((row) => row.id))
  await tx.sql`
    with entries as (delete from oncard where card_id = any(${ids}::uuid[]))
    delete from card_attributes where card_id = any(${ids}::uuid[])`
}

type Statement = { text: string; values: string[] } | { text: string; copied: Uint8Array }

/** The statements that store new cards. */
export type NewRows = { cards: Statement; onCards: Statement[]; titled: CardRow[] }

/** Makes statements for cards that are all new, to be run later. */
export const layOutNew = (db: Kind, rows: CardRow[]): NewRows => ({
  cards: layOutCards(db, rows),
  onCards: layOutOnCards(db, rows),
  titled: rows.filter(({ title }) => title !== null),
})

/** Runs those statements, which does what `writeCardRows` does for new cards. */
export const writeNewRows = async (tx: Transaction, { cards, onCards, titled }: NewRows) => {
  noteTitles(tx, titled)
  await insertCards(tx, cards)
  await runAll(tx, onCards)
}

const layOutCards = (db: Kind, rows: CardRow[]) => layOut(db, cards, [...inserted, ...made], rows)

type Kind = Pick<Database, 'kind'>

/** From this number, a copy is used: it costs a server less than an insert, but one more round trip. */
const copiedFrom = 100

const layOut = <Table extends PgTable, Name extends ColumnName<Table>>(
  { kind }: Kind,
  table: Table,
  names: readonly Name[],
  rows: readonly { [N in Name]?: Table['$inferSelect'][N] | null }[],
): Statement =>
  kind === 'postgres' && rows.length >= copiedFrom ? copyRows(table, names, rows) : insertRows(table, names, rows)

const insertCards = async (tx: Transaction, statement: Statement) => {
  try {
    await runAll(tx, [statement])
  } catch (error) {
    throw hasCode(error, '23505') ? lostRace('a card id was taken') : error
  }
}

const runAll = (tx: Transaction, statements: Statement[]) =>
  Promise.all(
    statements.map((one) =>
      'copied' in one
        ? tx.sql.unsafe(one.text, [], { copied: one.copied })
        : tx.sql.unsafe(one.text, one.values, { prepare: true }),
    ),
  )

/** The statements that store the entries and attributes of cards. One without rows is left out. */
const layOutOnCards = (db: Kind, rows: CardRow[]): Statement[] => {
  const entries = rows.flatMap(entryRows)
  const attributes = rows.flatMap(({ id, attributeIds, set_no, number_key }) =>
    attributeIds.map((attribute_id) => ({ card_id: id, attribute_id, set_no, number_key })),
  )
  return [
    ...(entries.length > 0 ? [layOut(db, oncard, entryColumns, entries)] : []),
    ...(attributes.length > 0
      ? [layOut(db, cardAttributes, ['card_id', 'attribute_id', 'set_no', 'number_key'], attributes)]
      : []),
  ]
}
