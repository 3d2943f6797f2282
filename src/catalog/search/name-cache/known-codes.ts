import { Audience } from '../../../lib/audience.ts'
import { wordsOf } from '../../../lib/words.ts'
import { hasWords, type NameQuery } from '../name-query.ts'
import type { CardCounts } from './known-people.ts'

/** A code that cards may have, in lower case, and what it stands for: rc, rookie card. */
export type KnownCode = CardCounts & { id: string; code: string; name: string; audience: number }

/** A code that was found, with the number of cards that the reader sees. */
export type FoundCode = Pick<KnownCode, 'id' | 'name'> & { cards: number }

/** All codes of the catalog (its attributes), as one process remembers them. */
export type KnownCodes = {
  /** Adds a code, or replaces it. */
  put: (one: KnownCode) => void
  drop: (id: string) => void
  /** Notes new numbers of cards. */
  recount: (cards: Map<string, CardCounts>) => void
  /** The codes among some texts in lower case, as a level sees them. */
  among: (texts: readonly string[], level: number) => FoundCode[]
  /** Those whose name has what a query looks for. */
  called: (query: NameQuery, level: number) => FoundCode[]
  all: () => KnownCode[]
}

/** How many codes are found by name. */
const calledMost = 100

/** Starts without codes. */
export const newKnownCodes = (): KnownCodes => {
  const known = new Map<string, KnownCode & { words: string[] }>()
  const visible = (level: number, isIt: (one: KnownCode & { words: string[] }) => boolean) => {
    const found: FoundCode[] = []
    for (const one of known.values())
      if (one.audience >= level && isIt(one))
        found.push({ id: one.id, name: one.name, cards: level > Audience.draft ? one.published : one.live })
    return found
  }
  return {
    put: (one) => void known.set(one.id, { ...one, words: wordsOf(one.name) }),
    drop: (id) => void known.delete(id),
    recount: (cards) => {
      for (const one of known.values()) Object.assign(one, cards.get(one.id))
    },
    among: (texts, level) => visible(level, ({ code }) => texts.includes(code)),
    called: (query, level) => visible(level, ({ words }) => hasWords(words, query)).slice(0, calledMost),
    all: () => [...known.values()].map(({ words: _, ...one }) => one),
  }
}
