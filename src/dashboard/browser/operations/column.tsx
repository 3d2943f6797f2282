import { useEffect, useId, useState } from 'preact/hooks'
import { asking, get, patch, type Refused } from '../kit/api.ts'
import { Select } from '../kit/form.tsx'
import { sayCount, sayNumber } from '../kit/format.ts'
import { useLoaded } from '../kit/load.ts'
import { Empty, Failure, Show } from '../kit/notice.tsx'
import { queryOf } from './address.ts'
import { optionsOf, sayName, todoStatuses } from './steps.ts'

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
type ColumnProps = { step: string; asked: { status: string; priority: string; genre_id: string; year: string } }

/** Said to the other columns when a todo was changed, since it may bring a set into one of them. */
const changed = new EventTarget()

/** The sets on which one step can be done. */
export const Column = ({ step, asked }: ColumnProps) => {
  const id = useId()
  const [limit, setLimit] = useState('10')
  const path = `/internal/actionable-sets?${queryOf({ step, limit, ...asked })}`
  const read = useLoaded((signal) => get<Answer>(path, { signal }), path)
  useEffect(() => {
    changed.addEventListener('change', read.reload)
    return () => changed.removeEventListener('change', read.reload)
  }, [read.reload])
  return (
    <section class="column" aria-labelledby={id}>
      <h2 id={id}>
        {sayName(step)} <span class="badge">{sayNumber(read.value?.meta.full_total ?? 0)}</span>
      </h2>
      <Show of={read} lines={4}>
        {({ data, meta }) => (
          <>
            {data.length === 0 && <Empty>Nothing here.</Empty>}
            <ul class="cards">
              {data.map((set) => (
                <SetCard key={set.todo_id} set={set} status={asked.status} />
              ))}
            </ul>
            {meta.full_total > meta.total && limit === '10' && (
              <button type="button" onClick={() => setLimit('100')}>
                Show more<span class="unseen"> of {sayName(step)}</span>
              </button>
            )}
            {meta.full_total > meta.total && limit !== '10' && (
              <p class="faint">
                The first {meta.total} of {sayNumber(meta.full_total)}.
              </p>
            )}
          </>
        )}
      </Show>
    </section>
  )
}

const SetCard = ({ set, status }: { set: ActionableSet; status: string }) => {
  const [failure, setFailure] = useState<Refused>()
  const change = (wanted: string) => {
    setFailure(undefined)
    patch(`/internal/sets/${set.set_id}/todos/${set.todo_id}`, asking('set_todos', { status: wanted })).then(
      () => changed.dispatchEvent(new Event('change')),
      setFailure,
    )
  }
  return (
    <li class="panel">
      <h3>{set.set_name}</h3>
      <p class="faint">{[set.year, set.genre, sayCount(set.card_count, 'card')].filter(Boolean).join(' · ')}</p>
      <p>
        <span class={set.priority ? 'badge warning' : 'badge'}>{set.priority ? 'current' : 'backlog'}</span>{' '}
        <span class={set.has_sources ? 'badge good' : 'badge'}>{set.has_sources ? 'sources' : 'no sources'}</span>
      </p>
      {set.notes && <p>{set.notes}</p>}
      <Select
        name={set.todo_id}
        label={`Status of ${set.set_name}`}
        value={status}
        options={optionsOf(todoStatuses)}
        onChange={change}
      />
      {failure && <Failure failure={failure} />}
    </li>
  )
}
