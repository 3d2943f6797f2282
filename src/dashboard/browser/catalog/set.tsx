/** @jsxImportSource preact */
import { FactList } from '../kit/fact.tsx'
import { sayCount, sayDate, sayNumber } from '../kit/format.ts'
import { Page, Section } from '../kit/page.tsx'
import { at } from '../kit/settings.ts'
import { CatalogPage, Crumbs } from './catalog-page.tsx'
import { ChecklistSection } from './checklist.tsx'
import type { Ref, SetContent } from './content.ts'
import { Editable } from './editable.tsx'
import { DraftMark, kinds } from './set-list.tsx'
import { SetTree } from './set-tree.tsx'

/** A set: its facts, its pictures, what is below it, and the whole checklist. */
export const SetPage = () => (
  <CatalogPage<SetContent> title="Set" lines={24}>
    {(content, { title }) => {
      const { set, path, pictures, tree, sources } = content
      return (
        <Page
          title={title}
          above={<PathCrumbs path={path} />}
          lede={set.description}
          actions={<Editable part="tools" />}
        >
          <Editable part="facts">
            <SetFacts {...content} />
          </Editable>
          {pictures.length > 0 && <PictureStrip pictures={pictures} />}
          {tree.length > 0 && (
            <Section title="Inserts, parallels and more" actions={<a href="#checklist">Skip to checklist</a>}>
              <SetTree nodes={tree} />
            </Section>
          )}
          <ChecklistSection key={set.id} {...content} name={title} />
          {sources.length > 0 && <Sources sources={sources} />}
        </Page>
      )
    }}
  </CatalogPage>
)

/** Breadcrumbs from the list of sets to the record on the page. */
export const PathCrumbs = ({ path }: { path: Ref[] }) => (
  <Crumbs>
    {path.map(({ id, name }) => (
      <a key={id} href={at(`/sets/${id}`)}>
        {name}
      </a>
    ))}
  </Crumbs>
)

const SetFacts = ({ set, place, cards }: SetContent) => {
  const { genre, year, brand, manufacturer } = place
  const listed = (by: string, of?: Ref) => of && <a href={at(`/sets?${by}=${of.id}`)}>{of.name}</a>
  return (
    <FactList
      isWide
      facts={[
        ['Status', set.isDraft && <DraftMark />],
        ['Kind', set.kind !== 'base' && set.kind],
        ['Genre', listed('genre', genre)],
        ['Year', listed('year', year)],
        ['Brand', brand?.name],
        ['Manufacturer', manufacturer?.name],
        ['Released', set.release && sayDate(set.release)],
        ['Checklist', sayCards(cards)],
      ]}
    />
  )
}

/** `132 cards`; `398 cards: 199 base, 199 parallel`. */
const sayCards = ({ own, below, total }: SetContent['cards']) => {
  const parts = kinds.flatMap((kind) => {
    const cards = (below[kind] ?? 0) + (kind === 'base' ? own : 0)
    return cards ? [`${sayNumber(cards)} ${kind}`] : []
  })
  const all = sayCount(total, 'card')
  return own === total ? all : `${all}: ${parts.join(', ')}`
}

const PictureStrip = ({ pictures }: Pick<SetContent, 'pictures'>) => (
  <ul class="strip" aria-label={sayCount(pictures.length, 'picture')}>
    {pictures.map(({ id, name, picture }) => (
      <li key={id}>
        <a href={at(`/cards/${id}`)}>
          <img src={picture.url} width={picture.width} height={picture.height} alt={name} />
        </a>
      </li>
    ))}
  </ul>
)

/** Where a checklist came from. */
const Sources = ({ sources }: Pick<SetContent, 'sources'>) => (
  <p class="faint">
    Source:{' '}
    {sources.map(({ url, title }, place) => (
      <span key={url}>
        {place > 0 && ', '}
        <a href={url} rel="noreferrer">
          {title ?? url}
        </a>
      </span>
    ))}
  </p>
)
