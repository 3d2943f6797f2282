import { useState } from 'preact/hooks'
import { useAnswer } from '../../kit/answer.ts'
import { Form, LongField } from '../../kit/form.tsx'
import { sayCount, sayGiven, sayName } from '../../kit/format.ts'
import { useLoaded } from '../../kit/load.ts'
import { Notice, Show } from '../../kit/notice.tsx'
import { isRecordType, nouns, placeOf, type RecordType } from '../../kit/records.tsx'
import { useFilters } from '../address.ts'
import { Filters } from '../filters.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { FindRecord, type Found } from './find-record.tsx'
import { MergePreview, type Merging, merge, type Preview, previewOf } from './merging.tsx'
import { readName } from './records.ts'
import { UndoMerge } from './undo-merge.tsx'

const types = Object.entries(nouns).map(([value, noun]) => ({ value, label: sayName(noun) }))

/** Merges two records. The URL may already name the first one. */
export const Merge = () => {
  const { filters, change } = useFilters('/operations/merge', { type: 'players', id: '' })
  const type = isRecordType(filters.type) ? filters.type : 'players'
  return (
    <OperatorPage title={`Merge ${type === 'attributes' ? 'codes' : type}`}>
      {!filters.id && (
        <Filters filters={{ ...filters, type }} change={change} choices={{ type: { label: 'Type', options: types } }} />
      )}
      <Pair key={`${type} ${filters.id}`} type={type} id={filters.id} />
    </OperatorPage>
  )
}

const Pair = ({ type, id }: { type: RecordType; id: string }) => {
  const named = useLoaded(async (signal) => (id ? { id, name: await readName(type, id, signal) } : null), id)
  const [chosen, setChosen] = useState<Found>()
  const [other, setOther] = useState<Found>()
  const [merged, setMerged] = useState<{ id: string; from: Found; into: Found }>()
  const [isUndone, setUndone] = useState(false)
  const first = chosen ?? named.value
  if (merged) return <Merged {...{ type, ...merged, isUndone }} undone={() => setUndone(true)} />
  return (
    <Show of={named} lines={4}>
      {() => (
        <>
          {first ? (
            <p>
              <strong>{first.name}</strong>
            </p>
          ) : (
            <FindRecord type={type} label={`First ${nouns[type]}`} onFound={setChosen} />
          )}
          {first && !other && (
            <FindRecord type={type} label={`Merge ${first.name} with`} without={first.id} hasFocus onFound={setOther} />
          )}
          {first && other && (
            <Decide
              {...{ type, first, other }}
              again={() => setOther(undefined)}
              done={(id, from, into) => setMerged({ id, from, into })}
            />
          )}
        </>
      )}
    </Show>
  )
}

type DecideProps = {
  type: RecordType
  first: Found
  other: Found
  again: () => void
  done: (id: string, from: Found, into: Found) => void
}

const Decide = ({ type, first, other, again, done }: DecideProps) => {
  const [into, setInto] = useState(other)
  const from = into === other ? first : other
  const merging: Merging = { type, from: [from.id], into: into.id }
  const preview = useAnswer<Preview>(previewOf(merging))
  return (
    <>
      <fieldset>
        <legend>Which one stays?</legend>
        {[other, first].map((one) => (
          <label key={one.id} class="choice">
            <input type="radio" name="into" checked={into === one} onChange={() => setInto(one)} />
            <span>
              {one.name} {one.context && <span class="faint">{one.context}</span>}
            </span>
          </label>
        ))}
      </fieldset>
      <Show of={preview} lines={4}>
        {(said) => <MergePreview preview={said} />}
      </Show>
      <Form
        label="Merge"
        beside={
          <button type="button" onClick={again}>
            Choose another {nouns[type]}
          </button>
        }
        onSubmit={async ({ note }) => done(await merge(merging, note?.trim()), from, into)}
      >
        <LongField name="note" label="Note (optional)" maxLength={1000} />
      </Form>
    </>
  )
}

type MergedProps = { type: RecordType; id: string; from: Found; into: Found; isUndone: boolean; undone: () => void }

const Merged = ({ type, id, from, into, isUndone, undone }: MergedProps) => {
  const href = placeOf(type, into.id)
  const there = placeOf(type, from.id)
  if (isUndone)
    return (
      <Notice kind="good">
        Undone: {sayGiven(from.name)} is a separate {nouns[type]} again. {there && <a href={there}>Show {from.name}</a>}
      </Notice>
    )
  return (
    <>
      <Notice kind="good">
        {sayCount(1, nouns[type])} merged: {sayGiven(from.name)} is now {sayGiven(into.name)}.{' '}
        {href && <a href={href}>Show {into.name}</a>}
      </Notice>
      <UndoMerge id={id} of={from.name} done={undone} />
    </>
  )
}
