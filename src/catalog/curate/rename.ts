import type { Database, Transaction } from '../../../db/client.ts'
import type { Act } from '../../audit/write.ts'
import { notFound } from '../../jsonapi/errors.ts'
import { personName, splitFullName } from '../model/person-name.ts'
import { firstPlace, isOnCards, renameChunk } from '../write/entity/rename.ts'
import { entityTables } from '../write/entity/tables.ts'
import { writeEntities } from '../write/entity/write.ts'
import type { Columns, EntityRecord, EntityType, Writer } from '../write/record.ts'
import { enter } from '../write/write-transaction.ts'

/** The types whose names other records show. */
type RenamedType = Exclude<EntityType, 'playerteams'>
export const renamedTypes = Object.keys(entityTables).filter((type) => type !== 'playerteams') as RenamedType[]

type RenameOptions = {
  now: () => Date
  /** Who renames it, as the audit log names them. */
  agent: Act['agent']
  /** Called after each chunk with the number of cards checked so far. */
  progress?: (cards: number) => void | Promise<void>
  signal?: AbortSignal
}

/** How many cards one transaction renames. Others wait for it, and on the embedded database everybody does. */
const cardsInOne = { postgres: 1000, embedded: 250 }

/**
 * Gives an entity another name or code (for a player, a full name), on any number of cards. Returns how many cards it checked.
 * The new name is stored first, with those of player-teams, so that every later write of a card uses it. Existing cards follow
 * in chunks, one transaction each. Until the end, some cards still show the old name, and `unfinishedRenames` lists the rename.
 * Repeating the same rename continues it, and skips cards that already have their name. Throws 404 for an unknown id.
 */
export const renameEntity = async (
  db: Database,
  type: RenamedType,
  id: string,
  name: string,
  options: RenameOptions,
): Promise<number> => {
  await enter(db, (tx) => storeName(tx, type, id, name, writerOf(options)))
  if (!isOnCards(type)) return 0
  let cards = 0
  for (let place = firstPlace; ; ) {
    options.signal?.throwIfAborted()
    const from = place
    const done = await enter(db, (tx) => renameChunk(tx, type, id, from, cardsInOne[db.kind], writerOf(options)))
    if (!done) break
    place = done.place
    cards += done.cards
    await options.progress?.(cards)
  }
  await db.sql`delete from settings where name = ${markOf(type, id)} and value = ${name}`
  return cards
}

const writerOf = ({ now, agent }: RenameOptions): Writer => ({
  level: 1,
  now: now(),
  agent,
  cause: { kind: 'command' },
})

const storeName = async (tx: Transaction, type: RenamedType, id: string, name: string, writer: Writer) => {
  const change = (before: EntityRecord | undefined) =>
    !before || before.deleted
      ? notFound()
      : { deleted: false, columns: { ...before.columns, ...namingColumns(type, name) } }
  const [outcome] = await writeEntities(tx, type, [{ id, change }], { ...writer, cardsFollow: true })
  if (outcome?.error) throw outcome.error
  if (isOnCards(type))
    await tx.sql`
      insert into settings (name, value) values (${markOf(type, id)}, ${name})
      on conflict (name) do update set value = excluded.value`
}

const namingColumns = (type: RenamedType, name: string): Columns => {
  if (type !== 'players') return { [entityTables[type].naming]: name }
  const { firstName, lastName } = splitFullName(name)
  return { first_name: firstName, last_name: lastName, name: personName({ firstName, lastName }) }
}

const mark = 'rename '
const markOf = (type: RenamedType, id: string) => `${mark}${type} ${id}`

/** Renames that were started but not finished, as arguments for `cardstock rename`, which finishes them. */
export const unfinishedRenames = async ({ sql }: Pick<Database, 'sql'>): Promise<string[]> => {
  const rows = await sql<{ name: string; value: string }[]>`
    select name, value from settings where name like ${`${mark}%`} order by name`
  return rows.map(({ name, value }) => `${name} ${JSON.stringify(value)}`)
}
