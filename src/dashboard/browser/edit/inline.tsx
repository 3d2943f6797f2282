import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { asRefused, type Refused } from '../kit/api.ts'
import { sayFailure } from '../kit/notice.tsx'
import { differencesBetween } from './differences.ts'
import type { Field } from './fields.tsx'
import { type Known, useEdited } from './record.ts'

type Refusal = { failure: Refused; theirs?: string[] }

/**
 * A field that is edited in place. Clicking its text or its pencil opens it, Enter saves, and Escape cancels. The new value shows
 * at once. If the service refuses it, the field opens again with what was typed.
 */
export const Inline = <V,>({ field }: { field: Field<V> }) => {
  const edited = useEdited()
  const id = useId()
  const known = edited.known()
  const [draft, setDraft] = useState<{ value: V }>()
  const [pending, setPending] = useState<{ value: V }>()
  const [refusal, setRefusal] = useState<Refusal>()
  const [before, setBefore] = useState<{ value: V }>()
  const [said, say] = useState('')
  const pencil = useRef<HTMLButtonElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const isOpen = draft !== undefined
  useFocus(isOpen, form, pencil, refusal)
  if (!known) return null
  const value = pending ? pending.value : field.read(known)
  const open = () => {
    setRefusal(undefined)
    setDraft({ value })
  }
  const close = () => {
    setRefusal(undefined)
    setDraft(undefined)
  }
  const save = async (next: V) => {
    const old = field.read(known)
    close()
    if (JSON.stringify(next) === JSON.stringify(old)) return
    setPending({ value: next })
    say('Saving…')
    try {
      await edited.change(await field.write(next, old))
      setBefore({ value: old })
      say('Saved.')
      edited.reloadPage()
    } catch (error) {
      say('')
      setDraft({ value: next })
      setRefusal(await explain(asRefused(error), known, edited))
    } finally {
      setPending(undefined)
    }
  }
  const undo = async () => {
    if (!before) return
    await save(before.value)
    setBefore(undefined)
    say('Undone.')
    pencil.current?.focus()
  }
  return (
    <div>
      <dt>{draft ? <label for={id}>{field.label}</label> : field.label}</dt>
      <dd class="edited">
        {draft ? (
          <form
            ref={form}
            class="edit-form"
            onSubmit={(event) => {
              event.preventDefault()
              void save(draft.value)
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || event.defaultPrevented) return
              event.preventDefault()
              close()
            }}
          >
            <field.Input
              id={id}
              value={draft.value}
              onChange={(next) => setDraft({ value: next })}
              aria-invalid={refusal !== undefined}
              aria-describedby={refusal && `${id}-fault`}
            />
            {refusal && <Fault id={`${id}-fault`} {...refusal} />}
            <span class="actions">
              <button type="submit" class="primary small">
                {refusal?.theirs ? 'Save mine' : 'Save'}
              </button>
              <button type="button" class="small" onClick={close}>
                {refusal?.theirs ? 'Keep theirs' : 'Cancel'}
              </button>
            </span>
          </form>
        ) : (
          <Closed label={field.label} shown={field.show(value)} onOpen={open} pencil={pencil} />
        )}
        {!draft && (
          <span class="edit-said" role="status">
            {said}
            {before && said === 'Saved.' && (
              <button type="button" class="link" onClick={undo}>
                Undo<span class="unseen"> the change to {field.label}</span>
              </button>
            )}
          </span>
        )}
      </dd>
    </div>
  )
}

type ClosedProps = {
  label: string
  shown: ReturnType<Field<unknown>['show']>
  onOpen: () => void
  pencil: { current: HTMLButtonElement | null }
}

const Closed = ({ label, shown, onOpen, pencil }: ClosedProps) =>
  shown ? (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keyboard users have the pencil */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
      <span class="edit-text" onClick={({ target }) => (target as Element).closest('a') || onOpen()}>
        {shown}
      </span>
      <button
        ref={pencil}
        type="button"
        class="pencil"
        aria-label={`Edit ${label}`}
        title={`Edit ${label}`}
        onClick={onOpen}
      >
        ✎
      </button>
    </>
  ) : (
    <button ref={pencil} type="button" class="link pencil-add" onClick={onOpen}>
      Add<span class="unseen"> {label}</span>
    </button>
  )

/** Focuses the first input when a field opens or is refused, and the pencil when it closes. */
const useFocus = (
  isOpen: boolean,
  form: { current: HTMLFormElement | null },
  pencil: { current: HTMLButtonElement | null },
  refusal: Refusal | undefined,
) => {
  const wasOpen = useRef(false)
  useLayoutEffect(() => {
    if (isOpen) {
      const input = form.current?.querySelector<HTMLInputElement>('input, textarea, select')
      input?.focus()
      if (!wasOpen.current && !refusal) input?.select?.()
    } else if (wasOpen.current) pencil.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen, refusal])
}

const explain = async (failure: Refused, known: Known, edited: ReturnType<typeof useEdited>): Promise<Refusal> => {
  if (failure.status !== 412) return { failure }
  await edited.read()
  const now = edited.known()
  return { failure, theirs: now ? differencesBetween(known, now) : [] }
}

const Fault = ({ id, failure, theirs }: Refusal & { id: string }) => (
  <p class="fault" id={id} role="alert">
    {theirs
      ? `Somebody else has changed this record. ${theirs.join(' ')}`
      : failure.status === 422
        ? failure.faults.map(({ detail }) => detail).join(' ')
        : sayFailure(failure)}
  </p>
)
