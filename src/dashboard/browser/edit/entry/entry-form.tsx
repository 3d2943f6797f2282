import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Refused } from '../../kit/api.ts'
import { Field } from '../../kit/form.tsx'
import { Faults, fieldOf, Labelled } from '../../kit/labelled.tsx'
import { Notice, sayFailure } from '../../kit/notice.tsx'
import { CodesInput, Pick } from '../naming/pick.tsx'
import type { Draft } from './rows.ts'

type EntryFormProps = {
  draft: Draft
  failure?: Refused
  onChange: (draft: Draft) => void
  onSave: () => void
  onClose: () => void
  /** Moves the last row back into the form. */
  onUndo?: () => void
}

/** The field names that errors about a row refer to. */
const fields = ['number', 'player', 'team', 'codes', 'title', 'serial_number']

/** The form for the row being typed. A refused row stays in it, with the error next to its field. */
export const EntryForm = ({ draft, failure, onChange, onSave, onClose, onUndo }: EntryFormProps) => {
  const form = useRef<HTMLFormElement>(null)
  const change = (more: Partial<Draft>) => onChange({ ...draft, ...more })
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLElement>(draft.number ? '[name=player]' : '[name=number]')?.focus()
  }, [])
  useLayoutEffect(() => {
    if (failure) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [failure])
  const isHomeless = failure && !failure.faults.some((fault) => fields.includes(fieldOf(fault) ?? ''))
  const submit = (event: Event) => {
    event.preventDefault()
    onSave()
  }
  return (
    <form
      ref={form}
      class="entry-form"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        onClose()
      }}
    >
      <Faults.Provider value={failure?.faults ?? []}>
        <Field
          name="number"
          label="Number"
          autocomplete="off"
          {...heard(draft.number, (number) => change({ number }))}
        />
        <Labelled
          {...{ name: 'player', label: 'Player' }}
          input={(attributes) => (
            <Pick {...attributes} type="players" value={draft.player} onChange={(player) => change({ player })} />
          )}
        />
        <Labelled
          {...{ name: 'team', label: 'Team' }}
          input={(attributes) => (
            <Pick {...attributes} type="teams" value={draft.team} onChange={(team) => change({ team })} />
          )}
        />
        <Labelled
          {...{ name: 'codes', label: 'Codes' }}
          input={(attributes) => (
            <CodesInput
              {...attributes}
              placeholder="RC, AU"
              value={draft.codes}
              onChange={(codes) => change({ codes })}
            />
          )}
        />
        <Field name="title" label="Title" autocomplete="off" {...heard(draft.title, (title) => change({ title }))} />
        <Field
          {...{ name: 'serial_number', label: 'Serial number', autocomplete: 'off', placeholder: '/99' }}
          {...heard(draft.serial, (serial) => change({ serial }))}
        />
      </Faults.Provider>
      {isHomeless && <Notice kind="bad">{sayFailure(failure)}</Notice>}
      <div class="actions">
        <button type="submit" class="primary">
          Save row
        </button>
        {onUndo && (
          <button type="button" onClick={onUndo}>
            Undo last row
          </button>
        )}
        <button type="button" onClick={onClose}>
          Done
        </button>
        <span class="hint">Enter saves the row and starts the next one. Escape closes the form.</span>
      </div>
    </form>
  )
}

/** An input's value, and its handler. */
const heard = (value: string, onValue: (value: string) => void) => ({
  value,
  onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => onValue(currentTarget.value),
})
