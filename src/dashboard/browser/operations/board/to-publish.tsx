import { get } from '../../kit/api.ts'
import { sayCount } from '../../kit/format.ts'
import { useLoaded } from '../../kit/load.ts'
import { Empty, Show } from '../../kit/notice.tsx'
import { Section } from '../../kit/page.tsx'
import { at } from '../../kit/settings.ts'
import { withDrafts } from '../curation/records.ts'
import { usePublishing } from './publish.tsx'
import { setPath } from './todo.ts'

type Ready = { set_id: string; set_name: string }
type Draft = { id: string; attributes: { name: string; cards_count_total: number } }
type Waiting = { id: string; name: string; cards: number; isReady?: boolean }
type Found = { waiting: Waiting[]; ready: number; drafts: number }

const most = 8

/** What is waiting to be published: sets whose other steps are done, then the newest drafts. */
export const ToPublish = () => {
  const read = useLoaded(readWaiting, 'to-publish')
  const { ask, dialog, said } = usePublishing(read.reload)
  return (
    <Section title="To publish">
      {said}
      <Show of={read} lines={10}>
        {({ waiting, ready, drafts }) =>
          waiting.length === 0 ? (
            <Empty>
              There are no drafts. <a href={at('/operations/imports')}>Import a checklist</a>. Its new sets start as
              drafts, and you publish them here.
            </Empty>
          ) : (
            <>
              <ul class="rows">
                {waiting.map((set) => (
                  <Row key={set.id} set={set} onPublish={() => ask(set)} />
                ))}
              </ul>
              <p class="faint">
                {sayShown(waiting.length, drafts, ready)}{' '}
                <a href={at('/operations/board?step=publish')}>Go to the board</a>
              </p>
            </>
          )
        }
      </Show>
      {dialog}
    </Section>
  )
}

const Row = ({ set, onPublish }: { set: Waiting; onPublish: () => void }) => (
  <li class="split">
    <span>
      <a href={at(`${setPath}/${set.id}`)}>{set.name}</a> <span class="faint">{sayCount(set.cards, 'card')}</span>{' '}
      {set.isReady && <span class="badge good">ready</span>}
    </span>
    <button type="button" onClick={onPublish}>
      Publish<span class="unseen"> {set.name}</span>…
    </button>
  </li>
)

/** `8 of 23 drafts. 2 sets ready: all steps before “Publish” are done.` */
const sayShown = (shown: number, drafts: number, ready: number) =>
  [
    shown < drafts ? `${shown} of ${sayCount(drafts, 'draft')}.` : `${sayCount(drafts, 'draft')}.`,
    ready > 0 && `${sayCount(ready, 'set')} ready: all steps before “Publish” are done.`,
  ]
    .filter(Boolean)
    .join(' ')

const readWaiting = async (signal: AbortSignal): Promise<Found> => {
  const [ready, drafts] = await Promise.all([
    get<{ data: Ready[]; meta: { full_total: number } }>(`/internal/actionable-sets?step=publish&limit=${most}`, {
      signal,
    }),
    readSets({ 'filter[status]': 'draft', 'filter[parent][null]': 'true', sort: '-created_at' }, signal),
  ])
  const firstIds = ready.data.map(({ set_id }) => set_id)
  const known = firstIds.length > 0 ? await readSets({ 'filter[id]': firstIds.join() }, signal) : undefined
  const first = ready.data.map(({ set_id: id, set_name: name }): Waiting => {
    const found = known?.data.find((one) => one.id === id)
    return { id, name, cards: found?.attributes.cards_count_total ?? 0, isReady: true }
  })
  const others = drafts.data
    .filter(({ id }) => !firstIds.includes(id))
    .map(({ id, attributes }): Waiting => ({ id, name: attributes.name, cards: attributes.cards_count_total }))
  return {
    waiting: [...first, ...others].slice(0, most),
    ready: ready.meta.full_total,
    drafts: drafts.meta.page.total,
  }
}

/** Sets with the count of all cards below them, including drafts. */
const readSets = (asked: Record<string, string>, signal: AbortSignal) => {
  const query = new URLSearchParams({ ...asked, 'page[size]': String(most) })
  return get<{ data: Draft[]; meta: { page: { total: number } } }>(`/v2/sets?${query}`, {
    signal,
    headers: withDrafts(),
  })
}
