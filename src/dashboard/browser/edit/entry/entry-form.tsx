import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Refused } from '../../kit/api.ts'
import { Faults, Field } from '../../kit/form.tsx'
import { Notice, sayFailure } from '../../kit/notice.tsx'
import { Pick } from '../naming/pick.tsx'
import type { Picked } from '../naming/vocabulary.ts'
import type { Draft } from './rows.ts'

type EntryFormProps = {
  draft: Draft
  failure?: Refused
  isSaving: boolean
  onSave: (draft: Draft) => Promise<void>
  onClose: () => void
  /** Takes the last row back into the form. */
  onUndo?: () => void
}

/** The names under which the service finds fault with the fields of a row. */
const fields = ['number', 'player', 'team', 'codes', 'title', 'serial_number']

/** The row that is being typed. What is refused stays in it, with the refusal beside its field. */
export const EntryForm = ({ draft, failure, isSaving, onSave, onClose, onUndo }: EntryFormProps) => {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const [player, setPlayer] = useState(draft.player)
  const [team, setTeam] = useState(draft.team)
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
    if (!form.current) return
    const typed = Object.fromEntries(new FormData(form.current)) as Record<string, string>
    const { number = '', codes = '', title = '', serial_number: serial = '' } = typed
    void onSave({ id: draft.id, number, player, team, codes, title, serial })
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
        <Field name="number" label="Number" defaultValue={draft.number} autocomplete="off" />
        <Named
          {...{ id: `${id}-player`, type: 'players', label: 'Player', value: player, onChange: setPlayer }}
          faults={isOf('player')}
        />
        <Named
          {...{ id: `${id}-team`, type: 'teams', label: 'Team', value: team, onChange: setTeam }}
          faults={isOf('team')}
        />
        <Field name="codes" label="Codes" defaultValue={draft.codes} autocomplete="off" placeholder="RC, AU" />
        <Field name="title" label="Title" defaultValue={draft.title} autocomplete="off" />
        <Field
          name="serial_number"
          label="Serial number"
          defaultValue={draft.serial}
          autocomplete="off"
          placeholder="/99"
        />
      </Faults.Provider>
      {isHomeless && <Notice kind="bad">{sayFailure(failure)}</Notice>}
      <div class="actions">
        <button type="submit" class="primary" aria-disabled={isSaving}>
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
        <span class="hint">Enter saves and begins the next row; Escape is done.</span>
      </div>
    </form>
  )
}

type NamedProps = {
  id: string
  type: 'players' | 'teams'
  label: string
  value: Picked
  onChange: (value: Picked) => void
  faults: { detail?: string }[]
}

/** A player or a team of a row, with what is wrong with the name. */
const Named = ({ id, type, label, value, onChange, faults }: NamedProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    <Pick
      {...{ id, type, value, onChange, name: type.slice(0, -1) }}
      isFaulty={faults.length > 0}
      describedBy={faults.length > 0 ? `${id}-fault` : undefined}
    />
    {faults.length > 0 && (
      <p class="fault" id={`${id}-fault`}>
        {faults.map(({ detail }) => detail).join(' ')}
      </p>
    )}
  </div>
)
