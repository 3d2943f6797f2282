import { sayCard } from '../catalog/card-lines.ts'
import { setOf } from '../catalog/ticks.tsx'
import { sayCount } from '../kit/format.ts'
import { useLoaded } from '../kit/load.ts'
import { Empty, Show } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { at } from '../kit/settings.ts'
import { askCards } from './ask.ts'
import { useKept } from './kept.ts'

/** What the reader wants, set by set, for paper. */
export const Wants = () => {
  const ids = useKept()
    .flatMap(({ want }) => want)
    .join()
  const loaded = useLoaded(async () => (await askCards(ids.split(',').filter(Boolean))).rows, ids)
  return (
    <Page
      title="My want list"
      above={
        <nav class="crumbs" aria-label="Breadcrumbs">
          <a href={at('/collection')}>Collection</a>
        </nav>
      }
      actions={
        ids && (
          <button type="button" class="primary" onClick={() => print()}>
            Print
          </button>
        )
      }
    >
      {ids ? (
        <Show of={loaded} lines={12}>
          {(rows) => (
            <>
              <p class="faint">{sayCount(rows.length, 'card')}</p>
              {[...Map.groupBy(rows, (row) => setOf(row))].map(([set, cards]) => (
                <section key={set}>
                  <h2 class="for-paper">{cards[0]?.set?.map(({ name }) => name).join(' › ')}</h2>
                  <ol class="boxes">
                    {cards.map((card) => (
                      <li key={card.id}>{sayCard(card)}</li>
                    ))}
                  </ol>
                </section>
              ))}
            </>
          )}
        </Show>
      ) : (
        <Empty>
          <p>You want nothing yet.</p>
          <p>
            Open <a href={at('/sets')}>a set</a> and press ☆ for each card that you look for.
          </p>
        </Empty>
      )}
    </Page>
  )
}
