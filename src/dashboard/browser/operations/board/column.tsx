import { useEffect, useId, useState } from 'preact/hooks'
import { useAnswer } from '../../kit/answer.ts'
import { sayCount, sayName, sayNumber } from '../../kit/format.ts'
import { Empty, Show } from '../../kit/notice.tsx'
import { at } from '../../kit/settings.ts'
import { queryOf } from '../address.ts'
import { usePublishing } from './publish.tsx'
import { setPath } from './todo.ts'
import { TodoStatus } from './todo-status.tsx'

type ActionableSet = {
  todo_id: string
  set_id: string
  set_name: string
  genre: string | null
  year: string | null
  priority: 0 | 1
  card_count: number
  has_sources: boolean
  notes: string | null
}
type Answer = { data: ActionableSet[]; meta: { total: number; full_total: number } }
type ColumnProps = {
  step: string
  /** Called with the number of sets in the column whenever it is read. */
  onCount: (step: string, count: number) => void
  asked: { status: string; priority: string; genre_id: string; year: string }
}

/** Tells the other columns that a todo has changed, since a set may have moved to one of them. */
const changed = new EventTarget()
const tellChanged = () => changed.dispatchEvent(new Event('change'))

/** The sets that are ready for one step. */
export const Column = ({ step, asked, onCount }: ColumnProps) => {
  const id = useId()
  const publishing = usePublishing(tellChanged)
  const [limit, setLimit] = useState('10')
  const read = useAnswer<Answer>(`/internal/actionable-sets?${queryOf({ step, limit, ...asked })}`)
  useEffect(() => {
    changed.addEventListener('change', read.reload)
    return () => changed.removeEventListener('change', read.reload)
  }, [read.reload])
  const count = read.value?.meta.full_total
  useEffect(() => {
    if (count !== undefined) onCount(step, count)
  }, [step, count])
  return (
    <section class="column" aria-labelledby={id}>
      <h2 id={id}>
        {sayName(step)}{' '}
        <span class="badge">{read.value && !read.failure ? sayNumber(read.value.meta.full_total) : '–'}</span>
      </h2>
      {publishing.said}
      <Show of={read} lines={4}>
        {({ data, meta }) => (
          <>
            {data.length === 0 && <Empty>No sets.</Empty>}
            <ul class="cards">
              {data.map((set) => (
                <SetCard
                  key={set.todo_id}
                  set={set}
                  status={asked.status}
                  onPublish={step === 'publish' ? publishing.ask : undefined}
                />
              ))}
            </ul>
            {meta.full_total > meta.total && limit === '10' && (
              <button type="button" onClick={() => setLimit('100')}>
                Show more<span class="unseen"> for {sayName(step)}</span>
              </button>
            )}
            {meta.full_total > meta.total && limit !== '10' && (
              <p class="faint">
                Showing the first {meta.total} of {sayNumber(meta.full_total)}.
              </p>
            )}
          </>
        )}
      </Show>
      {publishing.dialog}
    </section>
  )
}

type SetCardProps = { set: ActionableSet; status: string; onPublish?: (set: { id: string; name: string }) => void }

const SetCard = ({ set, status, onPublish }: SetCardProps) => {
  const publish = onPublish && (() => onPublish({ id: set.set_id, name: set.set_name }))
  const workflow = at(`${setPath}/${set.set_id}`)
  return (
    <li class="panel">
      <h3>
        <a href={workflow}>{set.set_name}</a>
      </h3>
      <p class="faint">{[set.year, set.genre, sayCount(set.card_count, 'card')].filter(Boolean).join(' · ')}</p>
      <p>
        <span class={set.priority ? 'badge warning' : 'badge'}>{set.priority ? 'current' : 'backlog'}</span>{' '}
        <span class={set.has_sources ? 'badge good' : 'badge'}>{set.has_sources ? 'sources' : 'no sources'}</span>
      </p>
      {set.notes && <p>{set.notes}</p>}
      {publish && (
        <p>
          <button type="button" onClick={publish}>
            Publish<span class="unseen"> {set.set_name}</span>…
          </button>
        </p>
      )}
      <TodoStatus
        setId={set.set_id}
        todoId={set.todo_id}
        status={status}
        label={`Status of ${set.set_name}`}
        onChange={tellChanged}
        onComplete={publish}
      >
        <a href={workflow}>Show its workflow</a>
      </TodoStatus>
    </li>
  )
}
