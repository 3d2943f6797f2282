import type { Database } from '../../db/client.ts'
import { newArguments } from '../../src/catalog/list/statement.ts'
import { readTogether } from '../../src/catalog/search/match/one-round-trip.ts'
import type { Known, Look } from '../../src/catalog/search/name-cache/feed-delta.ts'
import { labelColumns, labelTypes } from '../../src/catalog/search/name-cache/known-sets.ts'
import { followCatalog } from '../../src/catalog/search/name-cache/refresh.ts'

/** A handle of the same database that remembers nothing, as another process has. */
export const anotherHandle = (db: Database): Database => {
  const apart = (one: Database, shared: Database) => ({
    ...one,
    ...{ sql: one.sql, transaction: one.transaction, shared, heavy: { ...one.heavy, shared } },
  })
  const shared = { ...db.shared }
  return { ...apart(db, shared), servedTo: (asker) => apart(db.servedTo(asker), shared) }
}

/** What a process knows, in whatever state the catalog is. */
export const knownNow = async (db: Database): Promise<Known> => {
  const { select, bring } = followCatalog(db, undefined)
  if (!select) return bring()
  const args = newArguments()
  const { look } = await readTogether<{ look: Look }>(db.shared, { look: select(args) }, args)
  return bring(look)
}

/** Everything that is known, in an order that doesn't depend on how it came to be known. */
const told = ({ sets: known, people, codes }: Known) => {
  const ids = (some: Iterable<{ id: string }>) => [...some].map(({ id }) => id).toSorted()
  const sets = [...known.sets()]
  const all = [...sets, ...labelTypes.flatMap((type) => known.labels(type))].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const above = sets.flatMap((set) => [set.parent, ...labelColumns.map((column) => set[column])])
  const words = known.words.from('')
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1)
  const peopleWords = people.words.from('')
  return {
    people: people.all().toSorted(byId),
    codes: codes.all().toSorted(byId),
    peopleWords: peopleWords.map((word) => {
      const { players, teams } = people.find({ word }, 1)
      return [word, ids([...players.first(1000), ...teams.first(1000)])]
    }),
    all: all.map((one) => ({ ...one })),
    byId: all.map(({ id }) => known.get(id)?.name),
    byNo: sets.map(({ no }) => [no, known.setOf(no)?.id]).toSorted(([a], [b]) => Number(a) - Number(b)),
    labels: labelTypes.map((type) => [type, ids(known.labels(type))]),
    under: [...new Set([...all.map(({ id }) => id), ...above])]
      .toSorted()
      .map((id) => [id, ids(id === null ? [] : known.under(id))]),
    words: words.map((word) => [word, ids(known.withWord(word))]),
    beginnings: [...new Set(words.map((word) => word.slice(0, 2)))].map((some) => [some, known.words.from(some)]),
  }
}

export type ToldSets = ReturnType<typeof told>

/** What a process knows that has followed the catalog so far. */
export const followedSets = async (db: Database): Promise<ToldSets> => told(await knownNow(db))

/** What a process knows that has just begun. */
export const freshSets = (db: Database): Promise<ToldSets> => followedSets(anotherHandle(db))
