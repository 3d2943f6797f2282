import { Choice } from '../../kit/form.tsx'
import { sayNumber } from '../../kit/format.ts'
import { at } from '../../kit/settings.ts'

/** A value to choose cards by. */
export type Value = { id: string; name: string; cards: number }

/** The API's preview of a split. */
export type SplitPreview = {
  player: { id: string; name: string; disambiguation: string | null; cards_count: number }
  moves: number
  cards: { id: string; name: string; set: { id: string; name: string }; year: string | null }[]
  choices: Record<'genres' | 'years' | 'sets' | 'teams', Value[]>
}

type ChosenCardsProps = {
  cards: SplitPreview['cards']
  /** How many are chosen in total. */
  of: number
  /** Those that were checked one by one. Undefined while all are chosen. */
  ticked?: ReadonlySet<string>
  onTick: (ticked: ReadonlySet<string>) => void
}

/** The cards that would move, each with a checkbox. Unchecking one turns the choice of all into a list of the others. */
export const ChosenCards = ({ cards, of, ticked, onTick }: ChosenCardsProps) => {
  const toggle = (id: string, isTicked: boolean) => {
    const next = new Set(ticked ?? cards.map((card) => card.id))
    if (isTicked) next.add(id)
    else next.delete(id)
    onTick(next)
  }
  return (
    <>
      {of > cards.length && (
        <p class="faint">
          Showing the first {sayNumber(cards.length)} of {sayNumber(of)}. To see others, choose a genre, year, set or
          team.
        </p>
      )}
      {cards.length > 0 && (
        <div class="actions">
          {ticked?.size !== 0 && (
            <button type="button" onClick={() => onTick(new Set())}>
              Deselect all
            </button>
          )}
          {ticked && ticked.size < cards.length && (
            <button type="button" onClick={() => onTick(new Set(cards.map(({ id }) => id)))}>
              Select all
            </button>
          )}
        </div>
      )}
      <ul class="rows ticked">
        {cards.map(({ id, name, set, year }) => (
          <li key={id}>
            <Choice
              label={
                <span>
                  {name} <span class="faint">{[set.name, year].filter(Boolean).join(' · ')}</span>
                </span>
              }
              checked={ticked?.has(id) ?? true}
              onChange={(isTicked) => toggle(id, isTicked)}
            />
            <a href={at(`/cards/${id}`)}>
              Show<span class="unseen"> {name}</span>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
