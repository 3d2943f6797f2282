import { useLocation, useRoute } from 'preact-iso/router'
import { sayCount, sayNumber } from '../kit/format.ts'
import { Page } from '../kit/page.tsx'
import { Pager } from '../kit/pager.tsx'
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

const perPage = 100

/** So many cards are printed at once, some forty sheets: a longer checklist is printed part by part. */
const perPart = 5000

/** A set's checklist with boxes to tick, in columns, for paper. */
export const PrintPage = () => {
  const { id = '' } = useRoute().params
  const { part: asked = '1' } = useLocation().query
  return (
    <CatalogPage
      key={id}
      of={`print ${id} ${asked}`}
      title="Checklist"
      lines={24}
      read={async (read, signal) => {
        const part = Math.max(1, Math.trunc(Number(asked)) || 1)
        const [set, list] = await Promise.all([
          read<One<CardSet>>(`sets/${id}`, {}, signal),
          readPart(read, id, part, signal),
        ])
        return { set: set.data, part, ...list }
      }}
    >
      {({ set, part, cards, total }) => (
        <Page
          title={set.attributes.name}
          lede={sayPart(part, cards.length, total)}
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
            {cards.map(({ id, line }) => (
              <li key={id}>{line}</li>
            ))}
          </ol>
          {total > perPart && (
            <Pager
              meta={{
                current_page: part,
                last_page: Math.ceil(total / perPart),
                from: cards.length > 0 ? before(part) + 1 : null,
                to: cards.length > 0 ? before(part) + cards.length : null,
                total,
              }}
              noun="card"
              hrefOf={(to) => at(`/sets/${id}/print?part=${to}`)}
            />
          )}
        </Page>
      )}
    </CatalogPage>
  )
}

/** How many cards the parts before this one have. */
const before = (part: number) => (part - 1) * perPart

const sayPart = (part: number, length: number, total: number) =>
  length > 0 && total > perPart
    ? `${sayNumber(before(part) + 1)}–${sayNumber(before(part) + length)} of ${sayCount(total, 'card')}`
    : sayCount(total, 'card')

const readPart = async (read: Read, id: string, part: number, signal: AbortSignal) => {
  const cards: { id: string; line: string }[] = []
  for (let page = before(part) / perPage + 1; ; page++) {
    const query = {
      'filter[set_id]': id,
      include: 'oncard,attributes',
      per_page: String(perPage),
      page: String(page),
    }
    const answer = await read<Many<Card>>('cards', query, signal)
    cards.push(...answer.data.map((card) => ({ id: card.id, line: lineOf(card, answer.included) })))
    if (page >= answer.meta.last_page || cards.length >= perPart) return { cards, total: answer.meta.total }
  }
}

const lineOf = (card: Card, included?: Resource[]) => {
  const on = along<Named>(card, 'oncard', included).map(({ attributes }) => attributes.name)
  const codes = along<Attribute>(card, 'attributes', included).map(({ attributes }) => attributes.attribute)
  const { number, title, serial_number: serial } = card.attributes
  return [number, on.join(' / '), title, ...codes, serial].filter(Boolean).join(' ')
}
