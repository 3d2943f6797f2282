import { at } from '../../kit/settings.ts'
import { dismiss } from './group.tsx'
import type { Group } from './groups.ts'
import { useKeys } from './keys.ts'
import type { Queue } from './queue.ts'
import { RecordFacts } from './record.tsx'

/** A player who may be several people, to split or to keep as one. */
export const Collision = ({ group, queue }: { group: Group; queue: Queue }) => {
  const { reason, records, object_type: type } = group.attributes
  const acts: Record<string, () => unknown> = {
    d: () => dismiss(group, queue),
    s: () => queue.settle('Skipped.'),
  }
  useKeys((key) => {
    if (!acts[key]) return false
    acts[key]()
    return true
  })
  return (
    <>
      {records.map((record) => (
        <div key={record.id} class="panel">
          <h2>{record.name}</h2>
          <p>
            {reason === 'genres' ? 'The cards are from several genres.' : 'The cards are more than 35 years apart.'}
          </p>
          <RecordFacts record={record} type={type} />
          <div class="actions">
            <a class="button primary" href={at(`/operations/split/${record.id}`)}>
              Split…
            </a>
            <button type="button" aria-keyshortcuts="d" aria-disabled={queue.isBusy} onClick={acts.d}>
              Same person <kbd>d</kbd>
            </button>
            <button type="button" aria-keyshortcuts="s" aria-disabled={queue.isBusy} onClick={acts.s}>
              Skip <kbd>s</kbd>
            </button>
          </div>
        </div>
      ))}
    </>
  )
}
