import { type Endings, readByEnding } from '../../catalog/list/grouped/by-ending.ts'
import { findMerged } from '../../catalog/show/merged.ts'
import { findSetPaths } from '../../catalog/show/set-tree.ts'
import type { CollectedCards, CollectedSet } from '../browser/catalog/content.ts'
import type { Ask } from './ask.ts'
import { showCards, showCardsById } from './cards.ts'

/** The sets of a collection that the reader may see: where they are in the catalog, and how many cards they have. */
export const collectedSets = async (ask: Ask, ids: string[]): Promise<CollectedSet[]> => {
  const { db } = ask.context
  const [paths, counts] = await Promise.all([
    findSetPaths(db, ids, ask.level),
    db.sql<{ id: string; cards: number }[]>`select id, live_cards as cards from sets where id = any(${ids}::uuid[])`,
  ])
  const cardsOf = new Map(counts.map(({ id, cards }) => [id, cards]))
  return [...paths].map(([id, path]) => ({ id, path, cards: cardsOf.get(id) ?? 0 }))
}

/** Cards of a collection with their sets. Those that were merged are found as what they are now. */
export const collectedCards = async (ask: Ask, ids: string[]): Promise<CollectedCards> => {
  const merged = await findMerged(ask.context.db, ids, ask.level)
  const moved = Object.fromEntries([...merged].map(([id, into]) => [id, into.id]))
  const rows = await showCardsById(ask, [...new Set(ids.map((id) => moved[id] ?? id))], { withSets: true })
  return { rows, moved }
}

/** Cards that somebody shows in a link, which has only the ends of their ids. */
export const sharedCards = async (ask: Ask, asked: Endings[]): Promise<CollectedCards> => {
  const texts = await readByEnding(ask.context.db.heavy, asked, ask.level)
  return { rows: await showCards(ask, texts, { withSets: true }), moved: {} }
}
