import type { Database, Transaction } from '../../../db/client.ts'
import type { Act } from '../../audit/write.ts'
import { notFound } from '../../jsonapi/errors.ts'
import { personName, splitFullName } from '../model/person-name.ts'
import { enter } from '../write/enter.ts'
import { firstPlace, type NamedOnCards, renameChunk } from '../write/entity/rename.ts'
import { entityTables } from '../write/entity/tables.ts'
import { writeEntities } from '../write/entity/write.ts'
import type { Columns, EntityRecord, EntityType, Writer } from '../write/record.ts'

/** What has a name that other records show. */
export type RenamedType = Exclude<EntityType, 'playerteams'>
export const renamedTypes = Object.keys(entityTables).filter((type) => type !== 'playerteams') as RenamedType[]

type RenameOptions = {
  now: () => Date
  /** Who renames it, in the words of the audit log. */
  agent: Act['agent']
  /** Called after each chunk with the number of cards looked at so far. */
  progress?: (cards: number) => void | Promise<void>
  signal?: AbortSignal
}

/** Cards in one transaction: others wait for it, and on the embedded database everybody does. */
const cardsInOne = { postgres: 1000, embedded: 250 }

/**
 * Gives an entity another name or code (a player: a full name), on however many cards; answers how many cards it looked at.
 * The new name is stored first, with those of player-teams: from then on every write of a card has it. The cards that exist
 * follow, a chunk a transaction. Until the end some cards still show the old name, and `unfinishedRenames` lists the rename;
 * the same rename again continues, and leaves alone the cards that have their name. Throws 404 for an unknown id.
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

const isOnCards = (type: RenamedType): type is NamedOnCards => entityTables[type].usedBy === 'cards'

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

/** Renames that were begun and not finished, as arguments of `cardstock rename`, which finishes them. */
export const unfinishedRenames = async ({ sql }: Pick<Database, 'sql'>): Promise<string[]> => {
  const rows = await sql<{ name: string; value: string }[]>`
    select name, value from settings where name like ${`${mark}%`} order by name`
  return rows.map(({ name, value }) => `${name} ${JSON.stringify(value)}`)
}
