import { optionsOf, Select } from '../../kit/form.tsx'
import { sayCount, sayNumber } from '../../kit/format.ts'
import { Empty, Failure, Notice, Placeholder } from '../../kit/notice.tsx'
import { at } from '../../kit/settings.ts'
import { useFilters } from '../address.ts'
import { OperatorPage } from '../operator-page.tsx'
import { Collision } from './collision.tsx'
import { DuplicateGroup } from './group.tsx'
import type { Asked } from './groups.ts'
import { useKeys } from './keys.ts'
import { useQueue } from './queue.ts'

const types = optionsOf(['players', 'teams', 'brands', 'manufacturers', 'sets', 'cards'])

const kinds = [
  { value: 'duplicates', label: 'Possible duplicates' },
  { value: 'collisions', label: 'Possible namesakes' },
]

/** Groups of records that may be the same, one group after the other. */
export const Duplicates = () => {
  const { filters, change } = useFilters('/operations/duplicates', { type: '', kind: 'duplicates' })
  const isCollisions = filters.kind === 'collisions'
  return (
    <OperatorPage title="Duplicates" actions={<a href={at('/operations/merges')}>Past merges</a>}>
      <div class="inline filters">
        <Select
          name="kind"
          label="Look for"
          options={kinds}
          value={filters.kind}
          onChange={(kind) => change({ kind, type: '' })}
        />
        {!isCollisions && (
          <Select
            name="type"
            label="Type"
            none="All types"
            options={types}
            value={filters.type}
            onChange={(type) => change({ type })}
          />
        )}
      </div>
      <Groups key={`${filters.kind} ${filters.type}`} asked={filters} />
    </OperatorPage>
  )
}

const Groups = ({ asked }: { asked: Asked }) => {
  const queue = useQueue(asked)
  const { state, last, failure, isBusy, begin, undo } = queue
  useKeys(last ? { u: undo } : {})
  const group = state?.waiting[0]
  const Shown = asked.kind === 'collisions' ? Collision : DuplicateGroup
  return (
    <>
      {last && (
        <Notice kind="good">
          {last.said}{' '}
          <button type="button" aria-keyshortcuts="u" aria-disabled={isBusy} onClick={undo}>
            Undo <kbd>u</kbd>
          </button>
        </Notice>
      )}
      {failure && <Failure failure={failure} retry={state ? undefined : begin} isBusy={isBusy} />}
      {!state && !failure && <Placeholder lines={14} />}
      {state && group && (
        <>
          <p class="faint" role="status">
            {sayNumber(state.done + 1)} of {sayNumber(state.total)}
          </p>
          <Shown key={group.id} group={group} queue={queue} />
        </>
      )}
      {state && !group && !isBusy && <Done done={state.done} skipped={state.skipped} again={begin} asked={asked} />}
    </>
  )
}

type DoneProps = { done: number; skipped: number; again: () => void; asked: Asked }

const Done = ({ done, skipped, again, asked }: DoneProps) => (
  <Empty>
    {done === 0 ? (
      <p>
        {asked.kind === 'collisions'
          ? 'No player has cards from several genres or more than 35 years apart.'
          : 'No two records look the same.'}{' '}
        Check here after each <a href={at('/operations/imports')}>import</a>.
      </p>
    ) : (
      <p>
        {sayCount(done, 'group')} done{skipped > 0 && `, ${sayNumber(skipped)} of them skipped`}.
      </p>
    )}
    {skipped > 0 && (
      <button type="button" onClick={again}>
        Go back to skipped groups
      </button>
    )}
  </Empty>
)
