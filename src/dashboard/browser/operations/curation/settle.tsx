import { post, remove } from '../../kit/api.ts'
import type { One, Resource } from '../../kit/documents.ts'
import type { Group } from './groups.ts'
import { useKeys } from './keys.ts'
import type { Queue } from './queue.ts'

type SettleProps = { group: Group; queue: Queue; label: string }

/** Buttons, with their keys, that settle a group without a merge: its records are all right as they are, or it is skipped. */
export const Settle = ({ group, queue, label }: SettleProps) => {
  const acts = { d: () => dismiss(group, queue), s: () => queue.settle('Skipped.') }
  useKeys(acts)
  return (
    <>
      <button type="button" aria-keyshortcuts="d" aria-disabled={queue.isBusy} onClick={acts.d}>
        {label} <kbd>d</kbd>
      </button>
      <button type="button" aria-keyshortcuts="s" aria-disabled={queue.isBusy} onClick={acts.s}>
        Skip <kbd>s</kbd>
      </button>
    </>
  )
}

/** Marks all records of a group as different, and moves on to the next group. */
const dismiss = ({ attributes: { object_type, records } }: Group, queue: Queue) =>
  queue.settle('Marked as different.', async () => {
    const body = { object_type, ids: records.map(({ id }) => id) }
    const { data } = await post<One<Resource>>('/internal/duplicates/dismissals', body, { flat: true })
    return () => remove(`/internal/duplicates/dismissals/${data.id}`)
  })
