import type { Database } from '../../../../../db/client.ts'
import { ApiError } from '../../../../jsonapi/errors.ts'
import { sayNumber, sizes } from '../../../../limits.ts'
import { personName } from '../../../model/person-name.ts'
import { readCards, readSubjects, sameCard } from '../../../write/card/read.ts'
import { readCurated } from '../../../write/history/curated.ts'
import { cardFields, differenceOf, type Fields } from '../../../write/history/fields.ts'
import type { CardRecord, CardState, Entry, Outcome, StoredEntry } from '../../../write/record.ts'
import type { CardItem } from '../../read/item.ts'
import { countLive, countOutcomes } from '../cards.ts'
import { nameKept } from '../kept-names.ts'
import { sayLost } from '../plan/lost.ts'
import { nameOf as nameOfCard, noteOf, type Row } from '../plan/row.ts'
import { addChange, addNote, type Change } from '../report.ts'
import type { Part } from '../run/chunk-context.ts'
import { writerOf } from '../session.ts'
import { named, withoutEmpty } from './shown.ts'

type Planned = { row: Row; before: CardRecord | undefined; after: CardState }

/** Counts and lists what a chunk would do to its cards, without writing anything. */
export const planOnly = async (db: Database, rows: Row[], { report, session, now }: Part) => {
  const ids = rows.map(({ plan }) => plan.id)
  const stored = await readCards(db, ids)
  const curated = await readCurated(db, [...stored.keys()], writerOf(session, now))
  const pretended = session.pretendedCards
  const planned: Planned[] = []
  const outcomes = rows.map((row): Outcome => {
    const { id } = row.plan
    const before = pretended?.get(id) ?? stored.get(id)
    const after = row.plan.change(before, before ? 1 : 0, curated.get(id))
    if (after instanceof ApiError) return { id, result: 'failed', error: after }
    if (before && sameCard(before, after)) return { id, result: 'unchanged' }
    planned.push({ row, before, after })
    if (pretended?.put(id, before, after, row.item, nameOfCard(row.item)))
      addNote(report, noteOf(row.item, 'dry-run-inexact', forgotten))
    return { id, restored: before?.deleted && !after.deleted, result: before ? 'updated' : 'created' }
  })
  const words = rows.map(({ word }) => word)
  await nameKept(db, 'cards', words)
  countOutcomes(rows, outcomes, await sayLost(db, rows), report)
  countLive(rows, outcomes, session)
  const names = await readNames(db, planned)
  const changes = planned.map((one) => changeOf(one, names))
  for (const one of await named(db, 'cards', changes, session)) addChange(report, one)
}

const forgotten = `a dry run remembers ${sayNumber(sizes.dryRunCards.most)} new or changed cards: from here on, a later row for one of the others is counted as a new card's`

/** Reads the names of what is on the cards now. */
const readNames = async (db: Database, planned: Planned[]) => {
  const entries: StoredEntry[] = planned.flatMap(({ before }) => before?.entries ?? [])
  const people = entries.flatMap(({ playerId, teamId }): Entry[] => [
    ...(playerId ? [{ type: 'players' as const, id: playerId }] : []),
    ...(teamId ? [{ type: 'teams' as const, id: teamId }] : []),
  ])
  const codes = planned.flatMap(({ before }) => before?.attributeIds ?? [])
  const subjects = await readSubjects(db, people, codes)
  return (id: string | null) => (id ? (subjects.get(id)?.name ?? id) : null)
}

type NameOf = (id: string | null) => string | null

const changeOf = ({ row: { item, plan }, before, after }: Planned, nameOf: NameOf): Change => {
  const said: Fields = {
    ...cardFields(after),
    oncard: after.entries === before?.entries ? shownCard(before, nameOf).oncard : shownEntries(item),
    attributes: after.attributeIds === before?.attributeIds ? shownCard(before, nameOf).attributes : item.attributes,
  }
  const base = { type: 'cards', id: plan.id, name: nameOfCard(item) }
  if (!before) return { ...base, before: null, after: withoutEmpty(said) }
  const difference = differenceOf(cardFields(before), cardFields(after))
  const only = (fields: Fields) =>
    Object.fromEntries(Object.keys(difference?.after ?? {}).map((name) => [name, fields[name]]))
  return { ...base, before: only(shownCard(before, nameOf)), after: only(said) }
}

const shownCard = (card: CardRecord, nameOf: NameOf): Fields => ({
  ...cardFields(card),
  oncard: (card.entries as StoredEntry[]).map(({ playerId, teamId }) => shownEntry(nameOf(playerId), nameOf(teamId))),
  attributes: card.attributeIds.map(nameOf),
})

const shownEntries = ({ entries }: CardItem) =>
  entries.map(({ player, team }) => shownEntry(player && personName(player), team))

const shownEntry = (player: string | null, team: string | null) =>
  player && team ? `${player} (${team})` : (player ?? team)
