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
const Bearer = ({ path }: { path: 'players' | 'teams' }) => {
  const { id = '' } = useRoute().params
  const { page = '1' } = useLocation().query
  return (
    <CatalogPage
      key={id}
      of={`${path} ${id} ${page}`}
      title={path === 'players' ? 'Player' : 'Team'}
      lines={20}
      read={async (read, signal) => {
        const [bearer, cards] = await Promise.all([
          read<One<Player>>(`${path}/${id}`, {}, signal),
          read<Many<Card>>(`${path}/${id}/cards`, { include: 'set,oncard,attributes', per_page: '100', page }, signal),
        ])
        const included = await withSets(read, cards.included ?? [], signal)
        return { bearer: bearer.data.attributes, cards, included }
      }}
    >
      {({ bearer, cards, included }) => (
        <Page
          title={bearer.name}
          lede={[bearer.position, sayCount(cards.meta.total, 'card')].filter(Boolean).join(' · ')}
        >
          <Crumbs>{null}</Crumbs>
          {cards.meta.total > 0 ? (
            <>
              <Checklist caption={`Cards of ${bearer.name}`} cards={cards.data} included={included} withSet />
              <Pager meta={cards.meta} noun="card" hrefOf={(to) => at(`/${path}/${id}?page=${to}`)} />
            </>
          ) : (
            <Empty>No card shows {sayGiven(bearer.name)}.</Empty>
          )}
        </Page>
      )}
    </CatalogPage>
  )
}

export const PlayerPage = () => <Bearer path="players" />
export const TeamPage = () => <Bearer path="teams" />
