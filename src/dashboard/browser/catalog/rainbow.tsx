/** @jsxImportSource preact */
import { sayCount } from '../kit/format.ts'
import { Empty } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { at } from '../kit/settings.ts'
import { CardTicks, Thumb } from './card-rows.tsx'
import { CatalogPage } from './catalog-page.tsx'
import type { RainbowContent, RainbowPart } from './content.ts'
import { marksOf, shortOf, useMarks } from './marks.ts'
import { sayHave } from './mine.tsx'
import { PathCrumbs } from './set.tsx'
import { setOf } from './ticks.tsx'

/** All parallels of a card side by side, from the most common to the rarest. What the reader or the catalog lacks is gray. */
export const RainbowPage = () => (
  <CatalogPage<RainbowContent> title="Rainbow" lines={16}>
    {({ card, set, parts }, { title }) => (
      <Page title={title} above={<PathCrumbs path={set} />} lede={<Lede parts={parts} />}>
        {parts.length > 1 ? (
          <Parts parts={parts} here={card.id} />
        ) : (
          <Empty>
            <p>The catalog has no parallels of this card.</p>
            <a href={at(`/cards/${card.id}`)}>{card.name}</a>
          </Empty>
        )}
      </Page>
    )}
  </CatalogPage>
)

/** Whether the reader has a card. */
const isHad = ({ card }: RainbowPart) => card !== undefined && marksOf(setOf(card)).get(shortOf(card.id)) === 'have'

const keyOf = (parts: RainbowPart[]) => parts.map(({ card }) => card?.id).join()

const Lede = ({ parts }: Pick<RainbowContent, 'parts'>) => {
  const have = useMarks(() => parts.filter(isHad).length, 0, keyOf(parts))
  const cards = parts.filter(({ card }) => card).length
  const absent = parts.length - cards
  return (
    <>
      {have > 0 ? `You have ${sayHave(have, cards)}` : sayCount(cards, 'card')}
      {absent > 0 && `, and ${sayCount(absent, 'parallel')} without this card in the catalog`}
    </>
  )
}

const Parts = ({ parts, here }: Pick<RainbowContent, 'parts'> & { here: string }) => {
  // Nothing is gray for a reader who has none of them.
  const lacking = useMarks(
    () => (parts.some(isHad) ? parts.filter((part) => !isHad(part)).map(({ card }) => card?.id) : []).join(),
    '',
    keyOf(parts),
  )
  return (
    <ul class="card-grid spectrum">
      {parts.map((part, place) => (
        <Part
          key={place}
          part={part}
          here={here}
          isLacking={part.card !== undefined && lacking.includes(part.card.id)}
        />
      ))}
    </ul>
  )
}

type PartProps = { part: RainbowPart; here: string; isLacking: boolean }

const Part = ({ part: { name, printRun, card }, here, isLacking }: PartProps) =>
  card ? (
    <li class={isLacking ? 'lacking' : undefined}>
      <a href={at(`/cards/${card.id}`)} aria-current={card.id === here ? 'page' : undefined}>
        <Thumb card={card} />
        <span>
          {name}
          <span class="unseen">: {card.name}</span>
        </span>
      </a>
      <Run printRun={printRun} />
      <CardTicks card={card} />
    </li>
  ) : (
    <li class="absent">
      <span class="thumb none" />
      <span>{name}</span>
      <Run printRun={printRun} />
      <span class="faint">Not in the catalog</span>
    </li>
  )

const Run = ({ printRun }: Pick<RainbowPart, 'printRun'>) =>
  printRun ? <span class="badge">{printRun}</span> : <span class="faint">Not numbered</span>
