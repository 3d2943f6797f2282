import { arrayOfTexts } from '../../../../../db/arrays.ts'
import type { Database, Transaction } from '../../../../../db/client.ts'
import { plainName } from '../../../../lib/plain-text.ts'
import { personName } from '../../../model/person-name.ts'
import { writeEntities } from '../../../write/entity/write.ts'
import type { CardItem, Entry } from '../../read/item.ts'
import type { Part } from '../run/chunk-context.ts'
import { enterImport, makeAlone, noteMade, writerOf } from '../session.ts'
import { type Folds, foldNames, foldOfNew } from './candidates.ts'

type Told = Entry & { player: NonNullable<Entry['player']>; disambiguation: string }
type Namesake = { name: string; id: string; disambiguation: string | null; born: number | null }

/**
 * Finds the players that cards name with years of their lives: the namesake whose date of birth or disambiguation says so, and no other. If
 * there is none, makes a player with that disambiguation. Sets the entries' ids.
 */
export const findLives = async (db: Database, cards: CardItem[], part: Part) => {
  const { known, session, now, report } = part
  const told: Told[] = []
  for (const { entries } of cards) for (const entry of entries) if (isTold(entry)) told.push(entry)
  if (told.length === 0) return
  const take = (id: string, some: Told[]) => {
    known.ids.set(id, true)
    for (const entry of some) entry.playerId = id
  }
  const settle = async (db: Pick<Database, 'sql'>) => {
    const namesakes = await readNamesakes(db, told)
    for (const entry of told) {
      const found = namesakes.find((one) => one.name === personName(entry.player) && isOf(one, entry.disambiguation))
      if (found && !entry.playerId) take(found.id, [entry])
    }
    return [
      ...Map.groupBy(
        told.filter(({ playerId }) => !playerId),
        keyOf,
      ),
    ]
  }
  const missing = await settle(db)
  if (missing.length === 0) return
  if (session.isDry) {
    const folds: Folds = new Map()
    await foldNames(
      db,
      'players',
      [...new Set(missing.flatMap(([, some]) => some.map(({ player }) => personName(player))))],
      folds,
      new Set(),
    )
    for (const [key, some] of missing) {
      const id = known.pretended.players.get(key) ?? Bun.randomUUIDv7()
      if (!known.pretended.players.has(key)) report.players += 1
      known.pretended.players.set(key, id)
      for (const { player } of some)
        known.pretended.players.getOrInsert(foldOfNew('players', folds.get(personName(player)) ?? ''), id)
      take(id, some)
    }
    return
  }
  report.players += await enterImport(db, session, async (tx: Transaction) => {
    await makeAlone(tx)
    const fresh = (await settle(tx)).map(([, some]) => ({ id: Bun.randomUUIDv7(), some }))
    const plans = fresh.map(({ id, some: [first] }) => ({
      id,
      change: () => ({ columns: columnsOf(first as Told), deleted: false }),
    }))
    if (plans.length > 0) await writeEntities(tx, 'players', plans, writerOf(session, now))
    await noteMade(
      tx,
      session,
      'players',
      plans.map(({ id }) => id),
    )
    for (const { id, some } of fresh) take(id, some)
    return fresh.length
  })
}

const isTold = (entry: Entry): entry is Told =>
  entry.player !== null && entry.disambiguation !== undefined && entry.playerId === undefined

const keyOf = ({ player, disambiguation }: Told) => `${personName(player).toLowerCase()} (${disambiguation})`

const columnsOf = ({ player, disambiguation }: Told) => ({
  ...{ first_name: player.firstName, last_name: player.lastName, position: null, name: personName(player) },
  disambiguation,
})

const readNamesakes = ({ sql }: Pick<Database, 'sql'>, told: Told[]) => {
  const names = [...new Set(told.map(({ player }) => personName(player)))]
  return sql<Namesake[]>`
    with w as materialized (select name, name_fold(name) as fold from unnest(${arrayOfTexts(names)}::text[]) as w (name))
    select w.name, p.id, p.disambiguation, extract(year from p.born_on)::int as born
    from w join players p on p.folded collate "C" = w.fold collate "C" and p.audience >= 1
    union
    select w.name, p.id, p.disambiguation, extract(year from p.born_on)::int
    from w join players p on alias_folds(p.aliases) @> array[w.fold] and p.aliases is not null and p.audience >= 1
    order by 2`
}

/** Whether a namesake has these years. One of the two may not know the year of death. */
const isOf = ({ disambiguation, born }: Namesake, years: string) => {
  const [own, told] = [yearsIn(disambiguation ?? ''), yearsIn(years)]
  const bornIn = own.born ?? born
  return bornIn === told.born && (own.died === null || told.died === null || own.died === told.died)
}

const yearsIn = (text: string): { born: number | null; died: number | null } => {
  const [, alone, from, to] = /^(?:b\.|born|\*) ?(\d{4})$|^(\d{4}) ?- ?(\d{4})?$/i.exec(plainName(text)) ?? []
  return { born: Number(alone ?? from) || null, died: Number(to) || null }
}
