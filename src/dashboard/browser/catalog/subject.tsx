import { useLocation, useRoute } from 'preact-iso/router'
import { sayCount, sayGiven } from '../kit/format.ts'
import { Empty } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { Pager } from '../kit/pager.tsx'
import { at } from '../kit/settings.ts'
import { CatalogPage, Crumbs } from './catalog-page.tsx'
import { Checklist } from './checklist.tsx'
import { type Card, type Many, type One, type Player, withSets } from './read.ts'

/** A player or a team, and all cards that show them. */
const SubjectPage = ({ path }: { path: 'players' | 'teams' }) => {
  const { id = '' } = useRoute().params
  const { page = '1' } = useLocation().query
  return (
    <CatalogPage
      key={id}
      of={`${path} ${id} ${page}`}
      title={path === 'players' ? 'Player' : 'Team'}
      lines={20}
      read={async (read, signal) => {
        const [subject, cards] = await Promise.all([
          read<One<Player>>(`${path}/${id}`, {}, signal),
          read<Many<Card>>(`${path}/${id}/cards`, { include: 'set,oncard,attributes', per_page: '100', page }, signal),
        ])
        const included = await withSets(read, cards.included ?? [], signal)
        return { subject: subject.data.attributes, cards, included }
      }}
    >
      {({ subject, cards, included }) => (
        <Page
          title={subject.name}
          lede={[subject.position, sayCount(cards.meta.total, 'card')].filter(Boolean).join(' · ')}
        >
          <Crumbs>{null}</Crumbs>
          {cards.meta.total > 0 ? (
            <>
              <Checklist caption={`Cards of ${subject.name}`} cards={cards.data} included={included} withSet />
              <Pager meta={cards.meta} noun="card" hrefOf={(to) => at(`/${path}/${id}?page=${to}`)} />
            </>
          ) : (
            <Empty>No card shows {sayGiven(subject.name)}.</Empty>
          )}
        </Page>
      )}
    </CatalogPage>
  )
}

export const PlayerPage = () => <SubjectPage path="players" />
export const TeamPage = () => <SubjectPage path="teams" />
