import { type CollectedCards, type CollectedSet, mostAsked } from '../catalog/content.ts'
import { post } from '../kit/api.ts'
import type { Collected } from './kept.ts'

const ask = <T>(what: string, body: object) => post<T>(`/pages/collection/${what}`, body, { flat: true })

/** The parts of a list that can be asked for at a time. */
const inParts = <T>(all: T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / mostAsked) }, (_, part) =>
    all.slice(part * mostAsked, (part + 1) * mostAsked),
  )

/** What the catalog says of some sets. Those that aren't in it are left out. */
export const askSets = async (ids: string[]): Promise<CollectedSet[]> => {
  const found: CollectedSet[] = []
  for (const sets of inParts(ids)) found.push(...(await ask<{ sets: CollectedSet[] }>('sets', { sets })).sets)
  return found
}

/** Cards by their ids. Those that aren't in the catalog are left out. */
export const askCards = async (ids: string[]): Promise<CollectedCards> => {
  const found: CollectedCards = { rows: [], moved: {} }
  for (const cards of inParts(ids)) {
    const { rows, moved } = await ask<CollectedCards>('cards', { cards })
    found.rows.push(...rows)
    Object.assign(found.moved, moved)
  }
  return found
}

/** The cards that a link shows, by the ends of their ids. */
export const askShared = async (collection: Collected[]) => {
  const found: CollectedCards['rows'] = []
  const all = collection.flatMap(({ set, have, want }) => [...have, ...want].map((card) => ({ set, card })))
  for (const part of inParts(all)) {
    const sets = Map.groupBy(part, ({ set }) => set)
    const shared = Object.fromEntries([...sets].map(([set, cards]) => [set, cards.map(({ card }) => card)]))
    found.push(...(await ask<CollectedCards>('cards', { shared })).rows)
  }
  return found
}
