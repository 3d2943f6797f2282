import list from '../../../../vocabulary/genres.csv' with { type: 'text' }
import { partsOf, rowsOf } from '../../../../vocabulary/rows.ts'

/** Genres as the catalog spells them. */
export const genres = rowsOf(list).map(([genre = '']) => genre)

/** A genre as the catalog spells it, ignoring case and accents. Null if it isn't known. */
export const findGenre = (text: string) => genres.find((genre) => plain(genre) === plain(text)) ?? null

const plain = (text: string) => text.trim().toLowerCase().replace('é', 'e')

const spelled = new Map(
  rowsOf(list).flatMap(([genre = '', spellings]) => [plain(genre), ...partsOf(spellings)].map((text) => [text, genre])),
)

/** The genre in its column, in whatever spelling (NBA, Baseball Cards). Unknown genres stay as they are. Null for what is none. */
export const readGenre = (text: string): string | null =>
  isNoGenre.test(text) ? null : (spelled.get(plain(text)) ?? spelled.get(plain(text).replace(cards, '')) ?? text)

const cards = /(?: trading)? cards?$/

/** A number of a site's category, and a part of a release. */
const isNoGenre =
  /^(?:\d+|(?:base|rookie|insert|parallel|autograph|auto|relic|memorabilia|checklist)s?(?: (?:cards?|sets?))?)$/i
