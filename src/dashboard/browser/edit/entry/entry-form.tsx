import type { VNode } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { Refused } from '../../kit/api.ts'
import { Faults, Field } from '../../kit/form.tsx'
import { Notice, sayFailure } from '../../kit/notice.tsx'
import { CodesInput, Pick } from '../naming/pick.tsx'
import type { Draft } from './rows.ts'

type EntryFormProps = {
  draft: Draft
  failure?: Refused
  onChange: (draft: Draft) => void
  onSave: () => void
  onClose: () => void
  /** Takes the last row back into the form. */
  onUndo?: () => void
}

/** The names under which the service finds fault with the fields of a row. */
const fields = ['number', 'player', 'team', 'codes', 'title', 'serial_number']

/** The row that is being typed. What is refused stays in it, with the refusal beside its field. */
export const EntryForm = ({ draft, failure, onChange, onSave, onClose, onUndo }: EntryFormProps) => {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const change = (more: Partial<Draft>) => onChange({ ...draft, ...more })
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLElement>(draft.number ? '[name=player]' : '[name=number]')?.focus()
  }, [])
  useLayoutEffect(() => {
    if (failure) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [failure])
  const faults = failure?.faults ?? []
  const isOf = (name: string) => faults.filter(({ source }) => source?.pointer?.endsWith(`/${name}`))
  const isHomeless = failure && !faults.some((fault) => fields.some((name) => isOf(name).includes(fault)))
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
      <Faults.Provider value={faults}>
        <Field
          name="number"
          label="Number"
          autocomplete="off"
          {...heard(draft.number, (number) => change({ number }))}
        />
        <Named
          {...{ id: `${id}-player`, label: 'Player', faults: isOf('player') }}
          Input={(input) => (
            <Pick
              {...input}
              type="players"
              name="player"
              value={draft.player}
              onChange={(player) => change({ player })}
            />
          )}
        />
        <Named
          {...{ id: `${id}-team`, label: 'Team', faults: isOf('team') }}
          Input={(input) => (
            <Pick {...input} type="teams" name="team" value={draft.team} onChange={(team) => change({ team })} />
          )}
        />
        <Named
          {...{ id: `${id}-codes`, label: 'Codes', faults: isOf('codes') }}
          Input={(input) => (
            <CodesInput
              {...{ ...input, name: 'codes', placeholder: 'RC, AU', value: draft.codes }}
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
          Save the row
        </button>
        {onUndo && (
          <button type="button" onClick={onUndo}>
            Undo the last row
          </button>
        )}
        <button type="button" onClick={onClose}>
          Done
        </button>
        <span class="hint">Enter saves the row and begins the next. Escape ends.</span>
      </div>
    </form>
  )
}

/** What a field shows, and who hears of each letter. */
const heard = (value: string, onValue: (value: string) => void) => ({
  value,
  onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => onValue(currentTarget.value),
})

type NamedProps = {
  id: string
  label: string
  faults: { detail?: string }[]
  Input: (input: { id: string; isFaulty: boolean; describedBy?: string }) => VNode
}

/** A field for which something is offered, with what is wrong with it. */
const Named = ({ id, label, faults, Input }: NamedProps) => {
  const isFaulty = faults.length > 0
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {Input({ id, isFaulty, describedBy: isFaulty ? `${id}-fault` : undefined })}
      {isFaulty && (
        <p class="fault" id={`${id}-fault`}>
          {faults.map(({ detail }) => detail).join(' ')}
        </p>
      )}
    </div>
  )
}
