/** A value that cards can be chosen by. */
export type Value = { id: string; name: string; cards: number }

/** What the API says before a player is split. */
export type SplitPreview = {
  player: { id: string; name: string; disambiguation: string | null; cards_count: number }
  moves: number
  cards: { id: string; name: string; set: { id: string; name: string }; year: string | null }[]
  choices: Record<'genres' | 'years' | 'sets' | 'teams', Value[]>
}
