import type { Fault, Refused } from '../../kit/api.ts'
import { Notice, sayFailure } from '../../kit/notice.tsx'
import { isRecordType, nouns, placeOf } from '../../kit/records.tsx'
import { useAct } from '../../kit/use-action.ts'
import { undoMerge } from './merging.tsx'

type UndoProps = { id: string; of: string; done: () => void }

/** A button that undoes a merge, or says why that isn't possible. */
export const UndoMerge = ({ id, of, done }: UndoProps) => {
  const { act, failure, isBusy } = useAct()
  const undo = (merge: string) => act(() => undoMerge(merge).then(done))
  return (
    <>
      <button type="button" aria-disabled={isBusy} onClick={() => undo(id)}>
        Undo<span class="unseen"> the merge of {of}</span>
      </button>
      {failure && <Reasons failure={failure} undoFirst={undo} />}
    </>
  )
}

const Reasons = ({ failure, undoFirst }: { failure: Refused; undoFirst: (merge: string) => void }) =>
  failure.status === 409 ? (
    <Notice kind="bad">
      <p>This merge can’t be undone.</p>
      <ul>
        {failure.faults.map((fault) => (
          <li key={fault.detail}>
            <Reason fault={fault} undoFirst={undoFirst} />
          </li>
        ))}
      </ul>
    </Notice>
  ) : (
    <Notice kind="bad">{sayFailure(failure)}</Notice>
  )

/** Why not, with a link to what is in the way. */
const Reason = ({ fault, undoFirst }: { fault: Fault; undoFirst: (merge: string) => void }) => {
  const { type, id } = (fault.meta ?? {}) as { type?: string; id?: string }
  if (!type || !id) return <>{fault.detail}</>
  if (type === 'merges')
    return (
      <>
        A later merge involves one of these records.{' '}
        <button type="button" onClick={() => undoFirst(id)}>
          Undo that one first
        </button>
      </>
    )
  const href = placeOf(type, id)
  const noun = isRecordType(type) ? nouns[type] : 'record'
  return (
    <>
      A {noun} was changed since{href ? ': ' : '.'}
      {href && <a href={href}>show the {noun}</a>}
    </>
  )
}
