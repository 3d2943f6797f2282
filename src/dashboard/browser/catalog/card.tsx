/** @jsxImportSource preact */

import { Copyable } from '../kit/copyable.tsx'
import { FactList } from '../kit/fact.tsx'
import { sayCount } from '../kit/format.ts'
import { Page, Section } from '../kit/page.tsx'
import { at } from '../kit/settings.ts'
import { CardRows, CardTicks, Marks, OnCard, SetPath, Thumb } from './card-rows.tsx'
import { CatalogPage } from './catalog-page.tsx'
import type { CardContent, CardRow } from './content.ts'
import { Editable } from './editable.tsx'
import { PathCrumbs } from './set.tsx'
import { DraftMark } from './set-list.tsx'

/** A card: its images, its facts, its parallels, its neighbors, and its players' other cards. */
export const CardPage = () => (
  <CatalogPage<CardContent> title="Card" lines={16}>
    {(content, { title }) => {
      const { card, set, images, rainbow, others, api } = content
      return (
        <Page title={title} above={<PathCrumbs path={set} />} actions={<Editable part="tools" />}>
          <div class="card-page">
            <Editable part="images">
              <Images images={images} name={card.name} />
            </Editable>
            <div>
              <Editable part="facts">
                <Facts {...content} />
              </Editable>
              <CardTicks card={{ ...card, set }} isLarge />
              <Neighbors {...content} />
            </div>
          </div>
          {rainbow.length > 0 && <Rainbow id={card.id} rainbow={rainbow} />}
          {others.map(({ player, total, rows }) => (
            <Section
              key={player.id}
              title={`More ${player.name} cards`}
              actions={<a href={at(`/players/${player.id}`)}>All {sayCount(total, 'card')}</a>}
            >
              <CardRows rows={rows} />
            </Section>
          ))}
          <Section title="In the API">
            <Copyable text={`curl -H "Authorization: Bearer $KEY" "${api}"`} label="the command" />
          </Section>
        </Page>
      )
    }}
  </CatalogPage>
)

const sides = ['front', 'back']

const Images = ({ images, name }: { images: CardContent['images']; name: string }) => {
  if (images.length === 0) return <div class="no-image">No image yet</div>
  return (
    <div class="images">
      {images.map(({ original, large }, place) => (
        <a key={place} href={original} target="_blank" rel="noreferrer">
          <img
            src={large.url}
            width={large.width}
            height={large.height}
            alt={images.length > 1 ? `${name}, ${sides[place] ?? `image ${place + 1}`}` : name}
          />
        </a>
      ))}
    </div>
  )
}

const Facts = ({ card, set, year, values }: CardContent) => {
  const { number, serial, title, notes, codes, on } = card
  return (
    <FactList
      facts={[
        ['Status', card.isDraft && <DraftMark />],
        ['Number', number],
        ['On the card', on.length > 0 && <OnCard on={on} />],
        ['Title', title],
        ['Set', <SetPath key="set" path={set} />],
        ['Year', year && <a href={at(`/sets?year=${year.id}`)}>{year.name}</a>],
        ['Codes', codes.map(({ code, name }) => (name === code ? code : `${name} (${code})`)).join(', ')],
        ['Serial number', serial],
        ...values.map(({ name, value }) => [name, value] as const),
        ['Notes', notes],
      ]}
    />
  )
}

/** The cards before and after this one in the checklist. */
const Neighbors = ({ before, after }: CardContent) =>
  before || after ? (
    <nav class="neighbors" aria-label="In the checklist">
      {before && <Neighbor card={before} rel="prev" />}
      {after && <Neighbor card={after} rel="next" />}
    </nav>
  ) : null

const Neighbor = ({ card, rel }: { card: CardRow; rel: 'prev' | 'next' }) => (
  <a class="button" rel={rel} href={at(`/cards/${card.id}`)}>
    <span class="faint">{rel === 'prev' ? '‹ Previous' : 'Next ›'}</span> {card.name}
  </a>
)

/** The same card in each parallel, with picture and print run. */
const Rainbow = ({ id, rainbow }: Pick<CardContent, 'rainbow'> & { id: string }) => (
  <Section title="Rainbow" actions={<a href={at(`/cards/${id}/rainbow`)}>Side by side</a>}>
    <ul class="rainbow">
      {rainbow.map((card) => (
        <li key={card.id}>
          <Thumb card={card} />
          <span>
            <a href={at(`/cards/${card.id}`)} aria-current={card.isHere ? 'page' : undefined}>
              {card.set?.at(-1)?.name}
              <span class="unseen">: {card.name}</span>
            </a>
            <span class="line">
              <Marks card={card} />
            </span>
          </span>
        </li>
      ))}
    </ul>
  </Section>
)
