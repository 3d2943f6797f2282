import { useRef, useState } from 'preact/hooks'
import { get } from '../../kit/api.ts'
import { sayCount, sayGiven } from '../../kit/format.ts'
import { useLoaded } from '../../kit/load.ts'
import { Show } from '../../kit/notice.tsx'
import { nouns } from '../../kit/records.tsx'
import { bestOf, type Group } from './groups.ts'
import { useKeys } from './keys.ts'
import { MergePreview, type Merging, merge, type Preview, previewOf, undoMerge } from './merging.tsx'
import type { Queue } from './queue.ts'
import { GroupedRecord } from './record.tsx'
import { Settle } from './settle.tsx'

type GroupProps = { group: Group; queue: Queue }

/** How a group's names differ, in words. */
const reasons: Record<string, string> = {
  equal: 'with the same name',
  case: 'whose names differ in capitalization',
  spelling: 'whose names differ in spelling',
  encoding: 'with garbled letters in a name',
  similar: 'with a set or team in common, whose names are one letter apart',
  number: 'of one set with the same number and people',
}

/** A group side by side. One record is chosen to stay and the checked ones are merged into it, or all are different. */
export const DuplicateGroup = ({ group, queue }: GroupProps) => {
  const { object_type: type, reason, records } = group.attributes
  const [into, setInto] = useState(() => bestOf(records)?.id ?? '')
  const [left, setLeft] = useState<string[]>([])
  const from = records.flatMap(({ id }) => (id === into || left.includes(id) ? [] : id))
  const merging: Merging = { type, from, into }
  const path = previewOf(merging)
  const preview = useLoaded(async (signal) => (from.length > 0 ? await get<Preview>(path, { signal }) : null), path)
  const isReady = preview.value && !preview.isLoading && !preview.failure && !queue.isBusy
  const target = records.find(({ id }) => id === into)
  const mergeThem = () =>
    isReady &&
    queue.settle(`${sayCount(from.length, nouns[type])} merged into ${sayGiven(target?.name ?? '')}.`, async () => {
      const id = await merge(merging)
      return () => undoMerge(id)
    })
  const button = useRef<HTMLButtonElement>(null)
  const choose = (id: string) => {
    setInto(id)
    setLeft(left.filter((one) => one !== id))
  }
  useKeys({
    ...Object.fromEntries(records.slice(0, 9).map(({ id }, place) => [place + 1, () => choose(id)])),
    // A single key doesn't merge. It moves to the button below the preview, and Enter presses that.
    m: () => button.current?.focus(),
  })
  return (
    <>
      <h2>
        {sayCount(records.length, nouns[type])} {reasons[reason]}
      </h2>
      <fieldset class="side-by-side">
        <legend>Which one stays?</legend>
        {records.map((record, place) => (
          <GroupedRecord
            key={record.id}
            {...{ record, type, place, name: group.id }}
            isChosen={record.id === into}
            onChoose={() => choose(record.id)}
            isIn={records.length > 2 ? !left.includes(record.id) : undefined}
            onIn={(isIn) => setLeft(isIn ? left.filter((one) => one !== record.id) : [...left, record.id])}
          />
        ))}
      </fieldset>
      <div class="decision">
        {from.length === 0 ? (
          <p>Select at least one to merge.</p>
        ) : (
          <Show of={preview} lines={4}>
            {(said) => said && <MergePreview preview={said} />}
          </Show>
        )}
        <div class="actions">
          <button
            ref={button}
            type="button"
            class="primary"
            aria-keyshortcuts="m"
            aria-disabled={!isReady}
            onClick={mergeThem}
          >
            Merge <kbd>m</kbd>
          </button>
          <Settle group={group} queue={queue} label="Not the same" />
        </div>
        <p class="faint">
          <kbd>1</kbd> to <kbd>{Math.min(records.length, 9)}</kbd> choose the one that stays. <kbd>m</kbd> goes to
          Merge, <kbd>Enter</kbd> merges.
        </p>
      </div>
    </>
  )
}
