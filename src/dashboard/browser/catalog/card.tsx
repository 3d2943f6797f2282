import { useRoute } from 'preact-iso/router'
import { sayGiven } from '../kit/format.ts'
import { Page, Section } from '../kit/page.tsx'
import { at } from '../kit/settings.ts'
import { CatalogPage, Crumbs } from './catalog-page.tsx'
import { OnCard } from './checklist.tsx'
import {
  type Attribute,
  along,
  type Card,
  type CardImage,
  type CardSet,
  idOf,
  type Many,
  type One,
  type Resource,
  withSets,
} from './read.ts'

/** A card: its images, what is known of it, and the same card in parallels. */
export const CardPage = () => {
  const { id = '' } = useRoute().params
  return (
    <CatalogPage
      key={id}
      of={`card ${id}`}
      title="Card"
      lines={16}
      read={async (read, signal) => {
        const [card, images] = await Promise.all([
          read<One<Card>>(`cards/${id}`, { include: 'set,oncard,attributes,children' }, signal),
          read<Many<CardImage>>('card-images', { 'filter[card_id]': id }, signal),
        ])
        return { card, known: await withSets(read, card.included ?? [], signal), images: images.data }
      }}
    >
      {({ card: { data: card }, known: included, images }) => (
        <Page title={card.attributes.name}>
          <Crumbs>
            {along<CardSet>(card, 'set', included)
              .flatMap((set) => [...along<CardSet>(set, 'parent', included), set])
              .map((set) => (
                <a key={set.id} href={at(`/sets/${set.id}`)}>
                  {set.attributes.name}
                </a>
              ))}
          </Crumbs>
          <div class="card-page">
            <Images images={images} name={card.attributes.name} />
            <Facts card={card} included={included} />
          </div>
          <Copies card={card} included={included} />
        </Page>
      )}
    </CatalogPage>
  )
}

const Images = ({ images, name }: { images: CardImage[]; name: string }) => {
  if (images.length === 0) return <div class="no-image">No image yet</div>
  return (
    <div class="images">
      {images.map(({ id, attributes }, place) => {
        const large = attributes.variants.find((one) => one.name === 'large') ?? {
          ...attributes,
          url: attributes.download_url,
        }
        return (
          <a key={id} href={attributes.download_url} target="_blank" rel="noreferrer">
            <img
              src={large.url}
              width={large.width}
              height={large.height}
              alt={images.length > 1 ? `${name}, image ${place + 1} of ${images.length}` : name}
            />
          </a>
        )
      })}
    </div>
  )
}

type Parts = { card: Card; included: Resource[] }

const Facts = ({ card, included }: Parts) => {
  const { number, serial_number: serial, title, notes } = card.attributes
  const attributes = along<Attribute>(card, 'attributes', included)
  const facts = [
    ['Number', number],
    [
      'On the card',
      along(card, 'oncard', included).length > 0 ? (
        <OnCard key="on" card={{ ...card, attributes: { ...card.attributes, title: null } }} included={included} />
      ) : null,
    ],
    ['Title', title],
    ['Attributes', attributes.map((one) => `${one.attributes.attribute} (${one.attributes.name})`).join(', ')],
    ['Serial number', serial],
    ['Notes', notes],
  ] as const
  return (
    <dl class="facts">
      {facts.map(([name, value]) =>
        value ? (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ) : null,
      )}
    </dl>
  )
}

/** The card that this one is a parallel of, and its own parallels. */
const Copies = ({ card, included }: Parts) => {
  const parent = idOf(card, 'parent')
  const children = along<Card>(card, 'children', included)
  if (!parent && children.length === 0) return null
  return (
    <Section title="In other sets">
      <ul class="plain">
        {parent && (
          <li>
            <a href={at(`/cards/${parent}`)}>The card this is a parallel of</a>
          </li>
        )}
        {children.map((child) => (
          <li key={child.id}>
            <a href={at(`/cards/${child.id}`)}>{child.attributes.name}</a>{' '}
            <span class="faint">
              {along<CardSet>(child, 'set', included).map((set) => sayGiven(set.attributes.name))}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
