import list from '../../../../vocabulary/genres.csv' with { type: 'text' }
import { rowsOf, semicolonParts } from '../../../../vocabulary/rows.ts'

const plain = (text: string) => text.trim().toLowerCase().replace('é', 'e')

const rows = rowsOf(list).map(([genre = '', spellings]) => ({ genre, spellings: semicolonParts(spellings) }))
const byName = new Map(rows.map(({ genre }) => [plain(genre), genre]))
const spelled = new Map([
  ...byName,
  ...rows.flatMap(({ genre, spellings }) => spellings.map((text) => [text, genre] as const)),
])

/** Genres as the catalog spells them. */
export const genres: readonly string[] = [...byName.values()]

/** A genre as the catalog spells it, ignoring case and accents. Null if it isn't known. */
export const findGenre = (text: string): string | null => byName.get(plain(text)) ?? null

/** The genre in its column, in whatever spelling (NBA, Baseball Cards). Unknown genres stay as they are. Null for what is none. */
export const readGenre = (text: string): string | null =>
  isNoGenre.test(text) ? null : (spelled.get(plain(text)) ?? spelled.get(plain(text).replace(cards, '')) ?? text)

const cards = /(?: trading)? cards?$/

/** A number of a site's category, and a part of a release. */
const isNoGenre =
  /^(?:\d+|(?:base|rookie|insert|parallel|autograph|auto|relic|memorabilia|checklist)s?(?: (?:cards?|sets?))?)$/i
