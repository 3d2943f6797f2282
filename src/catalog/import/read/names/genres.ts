import { foldText } from '../../../../lib/fold-text.ts'
import gameList from '../../../../vocabulary/games.csv' with { type: 'text' }
import genreList from '../../../../vocabulary/genres.csv' with { type: 'text' }
import { rowsOf, semicolonParts } from '../../../../vocabulary/rows.ts'

const plain = (text: string) => text.trim().toLowerCase().replace('é', 'e')

/** The form in which spellings of a genre are one: Yu-Gi-Oh! and YuGiOh, but Formula 1 and Formula 2. */
const spellingKey = (text: string) => foldText(text).replace(/[^\p{L}\p{N}]/gu, '')

const listOf = (csv: string) =>
  rowsOf(csv).map(([genre = '', spellings]) => ({ genre, spellings: semicolonParts(spellings) }))
const inNames = listOf(genreList)
const byName = new Map(inNames.map(({ genre }) => [plain(genre), genre]))
const spelled = new Map(
  [...inNames, ...listOf(gameList)].flatMap((row) =>
    [row.genre, withoutEnd(row.genre), ...row.spellings].map((text) => [spellingKey(text), row] as const),
  ),
)

/** Genres that end the names of sets, as the catalog spells them. */
export const genres: readonly string[] = [...byName.values()]

/** A genre that ends the names of sets, as the catalog spells it, ignoring case and accents. Null if it isn't known. */
export const findGenre = (text: string): string | null => byName.get(plain(text)) ?? null

/**
 * The genre in its column, in whatever spelling (NBA, Baseball Cards, Pokemon TCG). Unknown genres stay as they are. Null for what is none.
 */
export const readGenre = (text: string): string | null => (isNoGenre.test(text) ? null : (rowOf(text)?.genre ?? text))

const rowOf = (text: string) => spelled.get(spellingKey(text)) ?? spelled.get(spellingKey(withoutEnd(text)))

/** Whether a genre, in whatever spelling, is a card game. */
export const isGame = (text: string): boolean => games.has(rowOf(text)?.genre ?? text)

const games = new Set(['Pokémon', ...listOf(gameList).map(({ genre }) => genre)])

/** The key that all spellings of a genre share. */
export const genreKey = (text: string): string => spellingKey(withoutEnd(rowOf(text)?.genre ?? text))

/** What else a genre may be called in the catalog, likelier names first. */
export const genreSpellings = (text: string): string[] => {
  const { genre = text, spellings = [] } = rowOf(text) ?? {}
  const bare = withoutEnd(genre)
  return [...new Set([genre, bare, ...ends.map((end) => `${bare} ${end}`), ...spellings])]
}

const ends = ['TCG', 'CCG', 'Card Game', 'Trading Card Game', 'Collectible Card Game']

/** A genre without what says that it's one of cards. */
function withoutEnd(text: string): string {
  return text.trim().replace(/(?: (?:trading|collectible))? cards?(?: game)?$| (?:TCG|CCG)$/i, '')
}

/** A number of a site's category, and a part of a release. */
const isNoGenre =
  /^(?:\d+|(?:base|rookie|insert|parallel|autograph|auto|relic|memorabilia|checklist)s?(?: (?:cards?|sets?))?)$/i
