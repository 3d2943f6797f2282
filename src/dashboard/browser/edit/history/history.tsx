import { useState } from 'preact/hooks'
import { get, post } from '../../kit/api.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { sayCount } from '../../kit/format.ts'
import { useLoaded } from '../../kit/load.ts'
import { sayMoment } from '../../kit/moments.ts'
import { Empty, Failure, Show } from '../../kit/notice.tsx'
import { useAct } from '../../kit/use-action.ts'
import { useEdited } from '../record.ts'
import { type Revision, readNames, sayCause, sayChanges, sayWho } from './revisions.ts'

/** Opens the record's history. */
export const HistoryButton = () => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" aria-keyshortcuts="h" onClick={() => setOpen(true)}>
        History
      </button>
      {isOpen && <History onClose={() => setOpen(false)} />}
    </>
  )
}

type HistoryPage = {
  data: Revision[]
  links: { next: string | null }
  meta: { page: { total?: number; estimatedTotal?: { bestGuess: number } } }
}

const perPage = 20

/** The changes to the page's record, newest first, page by page. Each change can be reverted. */
const History = ({ onClose }: { onClose: () => void }) => {
  const edited = useEdited()
  const [pages, setPages] = useState<(string | null)[]>([null])
  const [said, say] = useState('')
  const { act, failure } = useAct()
  const after = pages.at(-1) ?? null
  const read = useLoaded(async (signal) => {
    const query = new URLSearchParams({ 'page[size]': String(perPage), ...(after ? { 'page[after]': after } : {}) })
    const page = await get<HistoryPage>(`/v2/${edited.type}/${edited.id}/revisions?${query}`, { signal })
    return { ...page, names: await readNames(edited.type, page.data, signal) }
  }, `${edited.id} ${after}`)
  const revert = async (revision: string) => {
    say('')
    const body = { object_type: edited.type, object_id: edited.id, revision }
    const { meta } = await post<{ meta: { left_out: unknown[] } }>('/internal/reverts', body, { flat: true })
    const leftOut = meta.left_out.length
    say(
      leftOut > 0 ? `Reverted, except ${sayCount(leftOut, 'identifier')} that another record has taken.` : 'Reverted.',
    )
    setPages([null])
    read.reload()
    await edited.read()
    edited.reloadPage()
  }
  return (
    <Dialog title="History" onClose={onClose}>
      <p role="status" class="edit-said">
        {said}
      </p>
      {failure && <Failure failure={failure} />}
      <Show of={read} lines={8}>
        {({ data, links, meta, names }) =>
          data.length === 0 ? (
            <Empty>
              <p>Nothing has changed since this record was created.</p>
              <p>Each change will be listed here with who made it, and you can revert it.</p>
            </Empty>
          ) : (
            <>
              <ol class="rows plain revisions">
                {data.map((revision) => (
                  <li key={revision.id}>
                    <span class="line">
                      <strong>{sayWho(revision)}</strong>
                      <span class="faint">
                        {sayMoment(revision.attributes.changed_at)}
                        {sayCause(revision)}
                      </span>
                      <button type="button" class="small" onClick={() => act(() => revert(revision.id))}>
                        Revert<span class="unseen"> the change from {sayMoment(revision.attributes.changed_at)}</span>
                      </button>
                    </span>
                    <ul class="plain">
                      {sayChanges(edited.type, revision, names).map(({ name, before, after }) => (
                        <li key={name}>
                          {name}: <del>{before}</del> <span aria-hidden="true">→</span> <ins>{after}</ins>
                        </li>
                      ))}
                    </ul>
                  </li>
                ))}
              </ol>
              <Steps
                total={meta.page.total ?? meta.page.estimatedTotal?.bestGuess ?? 0}
                newer={pages.length > 1 ? () => setPages(pages.slice(0, -1)) : undefined}
                older={links.next ? () => setPages([...pages, cursorIn(links.next ?? '')]) : undefined}
              />
            </>
          )
        }
      </Show>
      <div class="actions">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  )
}

const cursorIn = (address: string) => new URL(address).searchParams.get('page[after]')

type StepsProps = { total: number; newer?: () => void; older?: () => void }

const Steps = ({ total, newer, older }: StepsProps) => (
  <nav class="pager" aria-label="History pages">
    {newer && (
      <button type="button" onClick={newer}>
        Newer
      </button>
    )}
    <span>{sayCount(total, 'change')}</span>
    {older && (
      <button type="button" onClick={older}>
        Older
      </button>
    )}
  </nav>
)
