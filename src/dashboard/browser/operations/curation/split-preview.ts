/** A value to choose cards by. */
export type Value = { id: string; name: string; cards: number }

/** The API's preview of a split. */
export type SplitPreview = {
  player: { id: string; name: string; disambiguation: string | null; cards_count: number }
  moves: number
  cards: { id: string; name: string; set: { id: string; name: string }; year: string | null }[]
  choices: Record<'genres' | 'years' | 'sets' | 'teams', Value[]>
}
