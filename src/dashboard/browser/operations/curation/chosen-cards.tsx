import { sayNumber } from '../../kit/format.ts'
import { at } from '../../kit/settings.ts'
import type { SplitPreview } from './split-preview.ts'

type ChosenCardsProps = {
  cards: SplitPreview['cards']
  /** How many are chosen in all. */
  of: number
  /** Those that were ticked one by one; undefined while all are meant. */
  ticked?: ReadonlySet<string>
  onTick: (ticked: ReadonlySet<string>) => void
}

/** The cards that would move, each with a box: whoever unticks one ticks all others one by one. */
export const ChosenCards = ({ cards, of, ticked, onTick }: ChosenCardsProps) => {
  const isOn = (id: string) => ticked?.has(id) ?? true
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
          These are the first {sayNumber(cards.length)} of {sayNumber(of)}. To see others, choose a genre, year, set or
          team.
        </p>
      )}
      {cards.length > 0 && (
        <div class="actions">
          {ticked?.size !== 0 && (
            <button type="button" onClick={() => onTick(new Set())}>
              Untick all
            </button>
          )}
          {ticked && ticked.size < cards.length && (
            <button type="button" onClick={() => onTick(new Set(cards.map(({ id }) => id)))}>
              Tick all
            </button>
          )}
        </div>
      )}
      <ul class="rows ticked">
        {cards.map(({ id, name, set, year }) => (
          <li key={id}>
            <label class="choice">
              <input
                type="checkbox"
                checked={isOn(id)}
                onChange={({ currentTarget }) => toggle(id, currentTarget.checked)}
              />
              <span>
                {name} <span class="faint">{[set.name, year].filter(Boolean).join(' · ')}</span>
              </span>
            </label>
            <a href={at(`/cards/${id}`)}>
              See<span class="unseen"> {name}</span>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
