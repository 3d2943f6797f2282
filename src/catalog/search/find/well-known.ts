import type { Database } from '../../../../db/client.ts'
import { countedAt, lists } from '../../model/counts.ts'
import { type Node, termsOf } from '../language/query.ts'
import { wordsOf } from '../words.ts'
import type { PersonType } from './lookup.ts'
import { isNamedExactly } from './persons.ts'

type Known = { id: string; names: string[] }
type Kept = { readAt: number; byWord: Promise<Map<string, Known[]>> }

/** The most players or teams that are well known, and how many cards they need. */
const known = { most: 3000, cards: 100 }

/** Fame changes slowly, and only affects the order of a thousand namesakes. */
const keptMilliseconds = 600_000

const kept = new WeakMap<Database, Map<string, Kept>>()

/**
 * The ids of well-known players or teams whose names match a query exactly. They have their cards counted even if too many others share
 * the name.
 */
export const wellKnown = async (db: Database, node: Node, type: PersonType, level: number): Promise<string[]> => {
  const byWord = await keptOf(db, type, level)
  const words = termsOf(node, false).flatMap(({ wanted }) =>
    wanted.kind === 'words' || wanted.kind === 'name' ? wanted.pattern.any.flat().map(({ word }) => word) : [],
  )
  const some = new Set(words.flatMap((word) => byWord.get(word) ?? []))
  return [...some].filter(({ names }) => isNamedExactly(node, type, names)).map(({ id }) => id)
}

const keptOf = (db: Database, type: PersonType, level: number): Promise<Map<string, Known[]>> => {
  const all = kept.get(db.shared) ?? new Map<string, Kept>()
  kept.set(db.shared, all)
  const key = `${type} ${level}`
  const found = all.get(key)
  if (found && performance.now() - found.readAt < keptMilliseconds) return found.byWord
  const byWord = readKnown(db, type, level)
  all.set(key, { readAt: performance.now(), byWord })
  byWord.catch(() => all.delete(key))
  return byWord
}

const readKnown = async (db: Database, type: PersonType, level: number) => {
  const count = countedAt(level)
  const rows = await db.shared.sql.unsafe<{ id: string; name: string; aliases: string | null }[]>(
    `select t.id, t.name, t.aliases from (
      select id from tallies where list = ${lists.cards} and ${count} >= ${known.cards} order by ${count} desc limit ${known.most}
    ) k join ${type} t on t.id = k.id and t.audience >= ${level}`,
  )
  const byWord = new Map<string, Known[]>()
  for (const { id, name, aliases } of rows) {
    const one = { id, names: [name, ...(aliases?.split('\n') ?? [])] }
    for (const word of new Set(one.names.flatMap(wordsOf))) byWord.set(word, [...(byWord.get(word) ?? []), one])
  }
  return byWord
}
