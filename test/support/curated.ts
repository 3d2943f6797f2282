import type { Database } from '../../db/client.ts'
import { mergeRecords } from '../../src/catalog/curate/merge/merge.ts'
import { giveIdentifiers } from '../../src/catalog/write/attached/give-identifiers.ts'
import { enter } from '../../src/catalog/write/write-transaction.ts'

/** The tables for what curators add to a catalog and change in it. */
export const curatedTables = ['identifiers', 'merges', 'redirects', 'revisions', 'curated_fields'] as const

/** Merges two players of an imported catalog, whose names then are aliases, and gives a card an identifier. */
export const curate = async (db: Database, now: Date) => {
  const [one, other] = await db.sql<{ id: string }[]>`
    select id from players where audience > 0 order by id limit 2`
  const [card] = await db.sql<{ id: string }[]>`select id from cards where deleted_at is null order by id limit 1`
  if (!one || !other || !card) throw new Error('the catalog has no two players, or no card')
  await mergeRecords(db, { objectType: 'players', fromIds: [one.id], intoId: other.id }, { agent: 'command-line', now })
  await enter(db, (tx) =>
    giveIdentifiers(tx, [{ cardId: card.id, source: 'tcdb', value: '1234' }], { level: 1, now, agent: 'command-line' }),
  )
}

/** Everything that curators did here, by table, and the players' aliases. */
export const curatedOf = async ({ sql }: Pick<Database, 'sql'>) => {
  const of = async (table: string) => [
    table,
    [...(await sql.unsafe(`select * from ${table} t order by t::text`))] as unknown[],
  ]
  const aliases = [...(await sql`select id, aliases from players where aliases is not null order by id`)]
  return new Map<string, unknown[]>([
    ...((await Promise.all(curatedTables.map(of))) as [string, unknown[]][]),
    ['aliases', aliases],
  ])
}
