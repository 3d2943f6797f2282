import { numberKey } from '../../../model/card-number.ts'
import type { CardRecord, CardState } from '../../../write/record.ts'

/**
 * A card as a row would leave it, except that a title or notes that only differ in accents or case stay where the row's have fewer accents, or
 * as many and no better case, and a number that only differs in zeros or case stays. `respelled` are those that stay. A row that `decides` has
 * its way.
 */
export const spelledBetter = (
  before: CardRecord,
  after: CardState,
  decides: boolean,
): { state: CardState; respelled?: string[] } => {
  if (decides) return { state: after }
  const kept = texts.filter((field) => isWorse(field, after[field], before[field]))
  if (kept.length === 0) return { state: after }
  return {
    state: { ...after, ...Object.fromEntries(kept.map((field) => [field, before[field]])) },
    respelled: kept.map((field) => said[field](before)),
  }
}

const texts = ['number', 'title', 'notes'] as const

const said = {
  number: ({ number }: CardRecord) => `the number ${number}`,
  title: ({ title }: CardRecord) => `“${title}”`,
  notes: () => 'the spelling of its notes',
}

const isWorse = (field: (typeof texts)[number], text: string | null, stored: string | null) => {
  if (field === 'number') return text !== stored && text !== null && numberKey(text) === numberKey(stored)
  if (text === stored || text === null || stored === null || plain(text) !== plain(stored)) return false
  const [accents, others] = [accentsIn(text), accentsIn(stored)]
  return accents < others || (accents === others && !(isOneCase(stored) && !isOneCase(text)))
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const accentsIn = (text: string) => text.normalize('NFD').match(/\p{M}/gu)?.length ?? 0
const isOneCase = (text: string) => text === text.toUpperCase() || text === text.toLowerCase()
