import { useLocation, useRoute } from 'preact-iso/router'
import { sayDate, sayNumber } from '../kit/format.ts'
import { Empty } from '../kit/notice.tsx'
import { Page, Section } from '../kit/page.tsx'
import { Pager } from '../kit/pager.tsx'
import { at } from '../kit/settings.ts'
import { CatalogPage, Crumbs } from './catalog-page.tsx'
import { Checklist } from './checklist.tsx'
import { along, type Card, type CardSet, type Many, type Named, type One, type Resource } from './read.ts'
import { SetGroups } from './set-list.tsx'

const references = 'genre,year,brand,manufacturer,parent'

/** A set: where it belongs, its parallels and inserts, and its checklist in the order of the card numbers. */
export const SetPage = () => {
  const { id = '' } = useRoute().params
  const { page = '1' } = useLocation().query
  return (
    <CatalogPage
      key={id}
      of={`set ${id} ${page}`}
      title="Set"
      lines={24}
      read={async (read, signal) => {
        const [set, cards] = await Promise.all([
          read<One<CardSet>>(`sets/${id}`, { include: `${references},children` }, signal),
          read<Many<Card>>(
            'cards',
            { 'filter[set_id]': id, include: 'oncard,attributes', per_page: '100', page },
            signal,
          ),
        ])
        return { set, cards }
      }}
    >
      {({ set: { data: set, included }, cards }) => (
        <Page
          title={set.attributes.name}
          lede={set.attributes.description}
          actions={
            cards.meta.total > 0 && (
              <a class="button" href={at(`/sets/${id}/print`)}>
                Print the checklist
              </a>
            )
          }
        >
          <ParentCrumbs set={set} included={included} />
          <SetFacts set={set} included={included} />
          <ChildSets sets={along<CardSet>(set, 'children', included)} />
          <Section title="Checklist">
            {cards.meta.total > 0 ? (
              <>
                <Checklist caption={`Cards of ${set.attributes.name}`} cards={cards.data} included={cards.included} />
                <Pager meta={cards.meta} noun="card" hrefOf={(to) => at(`/sets/${id}?page=${to}`)} />
              </>
            ) : (
              <Empty>This set has no cards yet.</Empty>
            )}
          </Section>
        </Page>
      )}
    </CatalogPage>
  )
}

type Parts = { set: CardSet; included?: Resource[] }

const ParentCrumbs = ({ set, included }: Parts) => (
  <Crumbs>
    {along<CardSet>(set, 'parent', included).map(({ id, attributes }) => (
      <a key={id} href={at(`/sets/${id}`)}>
        {attributes.name}
      </a>
    ))}
  </Crumbs>
)

const SetFacts = ({ set, included }: Parts) => {
  const named = (name: string) => along<Named>(set, name, included)[0]
  const { release_date: release, kind, status } = set.attributes
  const [genre, year] = [named('genre'), named('year')]
  const cards = sayNumber(set.attributes.cards_count)
  const plain = { Brand: named('brand')?.attributes.name, Manufacturer: named('manufacturer')?.attributes.name }
  return (
    <dl class="facts">
      {status === 'draft' && (
        <>
          <dt>Status</dt>
          <dd>
            <span class="badge warning">draft</span>
          </dd>
        </>
      )}
      {kind !== 'base' && (
        <>
          <dt>Kind</dt>
          <dd>{kind}</dd>
        </>
      )}
      {genre && (
        <>
          <dt>Genre</dt>
          <dd>
            <a href={at(`/sets?genre=${genre.id}`)}>{genre.attributes.name}</a>
          </dd>
        </>
      )}
      {year && (
        <>
          <dt>Year</dt>
          <dd>
            <a href={at(`/sets?year=${year.id}`)}>{year.attributes.name}</a>
          </dd>
        </>
      )}
      {Object.entries({ ...plain, Released: release ? sayDate(release) : undefined, Cards: cards }).map(
        ([title, value]) =>
          value ? (
            <>
              <dt key={title}>{title}</dt>
              <dd>{value}</dd>
            </>
          ) : null,
      )}
    </dl>
  )
}

const ChildSets = ({ sets }: { sets: CardSet[] }) =>
  sets.length > 0 ? (
    <Section title="Parallels, inserts and more">
      <SetGroups sets={sets} />
    </Section>
  ) : null
