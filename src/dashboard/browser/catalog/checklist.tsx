import { sayGiven } from '../kit/format.ts'
import { at } from '../kit/settings.ts'
import { Table } from '../kit/table.tsx'
import { type Attribute, along, type Card, idOf, type Named, type Resource } from './read.ts'

type ChecklistProps = { caption: string; cards: Card[]; included?: Resource[]; withSet?: boolean }

/** Cards in the order of their numbers: who is on them, what they are, how many were made. */
export const Checklist = ({ caption, cards, included, withSet }: ChecklistProps) => (
  <Table
    caption={caption}
    rows={cards}
    keyOf={({ id }) => id}
    isCompact
    columns={[
      { title: 'No.', cell: (card) => <CardNumber card={card} /> },
      {
        title: 'Card',
        cell: (card) => (
          <>
            <span class="line">
              <span>
                <OnCard card={card} included={included} />
              </span>
              <Marks card={card} included={included} />
            </span>
            {withSet && <SetOf card={card} included={included} />}
          </>
        ),
      },
    ]}
  />
)

const CardNumber = ({ card }: { card: Card }) => (
  <a href={at(`/cards/${card.id}`)}>
    {card.attributes.number ?? 'card'}
    <span class="unseen"> {card.attributes.name}</span>
  </a>
)

/** Players and teams on a card, each with a link to its page, and the card’s title. */
export const OnCard = ({ card, included }: { card: Card; included?: Resource[] }) => {
  const on = along<Named>(card, 'oncard', included)
  return (
    <>
      {on.map((one, place) => (
        <span key={one.id}>
          {place > 0 && ' / '}
          <OnCardEntry of={one} />
        </span>
      ))}
      {card.attributes.title && (
        <span>
          {on.length > 0 && ' · '}
          {card.attributes.title}
        </span>
      )}
    </>
  )
}

const OnCardEntry = ({ of }: { of: Named }) => {
  const player = of.type === 'players' ? of.id : idOf(of, 'player')
  const team = of.type === 'teams' ? of.id : idOf(of, 'team')
  if (player) return <a href={at(`/players/${player}`)}>{of.attributes.name}</a>
  return team ? <a href={at(`/teams/${team}`)}>{of.attributes.name}</a> : <span>{of.attributes.name}</span>
}

/** The codes of a card’s attributes, and how many were made of it. */
const Marks = ({ card, included }: { card: Card; included?: Resource[] }) => (
  <>
    {attributesOf(card, included).map(({ id, attributes }) => (
      <abbr key={id} class="badge" title={attributes.name}>
        {attributes.attribute}
      </abbr>
    ))}
    {card.attributes.serial_number && <span class="badge">{card.attributes.serial_number}</span>}
  </>
)

/** Under /v2 the relationship has a name of its own. */
const attributesOf = (card: Card, included?: Resource[]) =>
  ['attributes', 'card_attributes'].flatMap((name) => along<Attribute>(card, name, included))

const SetOf = ({ card, included }: { card: Card; included?: Resource[] }) => (
  <div>
    {along<Named>(card, 'set', included).map((set) => (
      <a key={set.id} class="faint" href={at(`/sets/${set.id}`)}>
        {[...along<Named>(set, 'parent', included), set].map(({ attributes }) => sayGiven(attributes.name)).join(' › ')}
      </a>
    ))}
  </div>
)
