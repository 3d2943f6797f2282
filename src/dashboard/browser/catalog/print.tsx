import { useRoute } from 'preact-iso/router'
import { sayCount } from '../kit/format.ts'
import { Page } from '../kit/page.tsx'
import { at } from '../kit/settings.ts'
import { CatalogPage, Crumbs } from './catalog-page.tsx'
import {
  type Attribute,
  along,
  type Card,
  type CardSet,
  type Many,
  type Named,
  type One,
  type Read,
  type Resource,
} from './read.ts'

/** So many cards are printed at most: some forty sheets. */
const most = 5000

/** A set's whole checklist with boxes to tick, in columns, for paper. */
export const PrintPage = () => {
  const { id = '' } = useRoute().params
  return (
    <CatalogPage
      of={`print ${id}`}
      title="Checklist"
      lines={24}
      read={async (read, signal) => {
        const [set, list] = await Promise.all([read<One<CardSet>>(`sets/${id}`, {}, signal), readAll(read, id, signal)])
        return { set: set.data, ...list }
      }}
    >
      {({ set, cards, included, total }) => (
        <Page
          title={set.attributes.name}
          lede={`${sayCount(total, 'card')}${total > most ? `, the first ${most} of them` : ''}`}
          actions={
            <button type="button" class="primary" onClick={() => print()}>
              Print
            </button>
          }
        >
          <Crumbs>
            <a href={at(`/sets/${id}`)}>{set.attributes.name}</a>
          </Crumbs>
          <ol class="boxes">
            {cards.map((card) => (
              <li key={card.id}>{lineOf(card, included)}</li>
            ))}
          </ol>
        </Page>
      )}
    </CatalogPage>
  )
}

const readAll = async (read: Read, id: string, signal: AbortSignal) => {
  const cards: Card[] = []
  const included: Resource[] = []
  for (let page = 1; ; page++) {
    const query = { 'filter[set_id]': id, include: 'oncard,attributes', per_page: '100', page: String(page) }
    const answer = await read<Many<Card>>('cards', query, signal)
    cards.push(...answer.data)
    included.push(...(answer.included ?? []))
    if (page >= answer.meta.last_page || cards.length >= most) return { cards, included, total: answer.meta.total }
  }
}

const lineOf = (card: Card, included: Resource[]) => {
  const on = along<Named>(card, 'oncard', included).map(({ attributes }) => attributes.name)
  const codes = along<Attribute>(card, 'attributes', included).map(({ attributes }) => attributes.attribute)
  const { number, title, serial_number: serial } = card.attributes
  return [number, on.join(' / '), title, ...codes, serial].filter(Boolean).join(' ')
}
