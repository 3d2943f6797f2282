import { useState } from 'preact/hooks'
import { sayCard } from '../catalog/card-lines.ts'
import type { CardRow } from '../catalog/content.ts'
import type { Mark } from '../catalog/marks.ts'
import { setOf } from '../catalog/ticks.tsx'
import { Asked } from '../kit/dialog.tsx'
import { sayCount } from '../kit/format.ts'
import { useLoaded } from '../kit/load.ts'
import { Empty, Show } from '../kit/notice.tsx'
import { Page, Section } from '../kit/page.tsx'
import { at } from '../kit/settings.ts'
import { askSets, askShared } from './ask.ts'
import { type Collected, countIn, keepCards, readKept, removeAll } from './kept.ts'
import { CollectedSets, placesOf, Totals } from './sets.tsx'

type ShownProps = { collection: Collected[]; onLeave: () => void }

/** A collection that somebody shows in a link. It changes the reader's own only when they say so. */
export const Shown = ({ collection, onLeave }: ShownProps) => {
  const loaded = useLoaded(async () => {
    const [sets, rows] = await Promise.all([askSets(collection.map(({ set }) => set)), askShared(collection)])
    return { sets, rows }
  }, location.hash)
  return (
    <Page
      title="A collection that somebody shows you"
      lede="You only look at it: your own stays as it is."
      actions={
        <button type="button" onClick={onLeave}>
          Go to my collection
        </button>
      }
    >
      <Show of={loaded} lines={8}>
        {({ sets, rows }) => {
          const places = placesOf(collection, sets)
          if (places.length === 0) return <Empty>None of its sets is in this catalog.</Empty>
          return (
            <>
              <Totals collection={collection} sets={places.length} />
              <Section title="Sets">
                <CollectedSets places={places} />
              </Section>
              <CardsOf title="Has" collection={collection} rows={rows} mark="have" />
              <CardsOf title="Wants" collection={collection} rows={rows} mark="want" />
              <Section title="Make it yours">
                <Take collection={collection} rows={rows} onTaken={onLeave} />
              </Section>
            </>
          )
        }}
      </Show>
    </Page>
  )
}

/** A card's mark in what is shown. */
const markIn = (collection: Collected[]) => {
  const ends = (mark: Mark) => new Set(collection.flatMap((own) => own[mark].map((end) => `${own.set} ${end}`)))
  const [have, want] = [ends('have'), ends('want')]
  return (row: CardRow): Mark | undefined => {
    const key = `${setOf(row)} ${row.id.slice(-8)}`
    return have.has(key) ? 'have' : want.has(key) ? 'want' : undefined
  }
}

type CardsProps = { title: string; collection: Collected[]; rows: CardRow[]; mark: Mark }

const CardsOf = ({ title, collection, rows, mark }: CardsProps) => {
  const markOf = markIn(collection)
  const own = rows.filter((row) => markOf(row) === mark)
  if (own.length === 0) return null
  return (
    <Section title={`${title} ${sayCount(own.length, 'card')}`}>
      {[...Map.groupBy(own, (row) => setOf(row))].map(([set, cards]) => (
        <details key={set} class="shown" open={own.length <= fewCards}>
          <summary>
            {cards[0]?.set?.map(({ name }) => name).join(' › ')} <span class="faint">{cards.length}</span>
          </summary>
          <ul class="plain">
            {cards.map((card) => (
              <li key={card.id}>
                <a href={at(`/cards/${card.id}`)}>{sayCard(card)}</a>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </Section>
  )
}

/** So many cards are listed at once; more are folded by set. */
const fewCards = 100

type TakeProps = { collection: Collected[]; rows: CardRow[]; onTaken: () => void }

/** Takes what is shown into the reader's own collection, beside it or in its place. */
const Take = ({ collection, rows, onTaken }: TakeProps) => {
  const [kept] = useState(readKept)
  const markOf = markIn(collection)
  const add = () => {
    keepCards(
      rows.flatMap((row) => {
        const mark = markOf(row)
        return mark ? [{ set: setOf(row), id: row.id, mark }] : []
      }),
    )
    onTaken()
  }
  const own = countIn(kept, 'have') + countIn(kept, 'want')
  return (
    <div class="actions">
      <button type="button" onClick={add}>
        Add it to my collection
      </button>
      {own > 0 && (
        <Asked
          title="Replace your collection?"
          label="Replace mine with it"
          onConfirm={async () => {
            removeAll()
            add()
          }}
        >
          <p>The {sayCount(own, 'card')} in your collection are taken out first.</p>
        </Asked>
      )}
    </div>
  )
}
