import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { SetContent } from '../../catalog/content.ts'
import { Shown } from '../../catalog/shown.ts'
import { asRefused, type Refused } from '../../kit/api.ts'
import { at } from '../../kit/settings.ts'
import { deleteCard } from '../delete-card.tsx'
import { useEdited } from '../record.ts'
import { DeleteRow } from './delete-row.tsx'
import { EntryForm } from './entry-form.tsx'
import { type Draft, type Entered, emptyRow, enterRow, numberAfter, numberToBegin } from './rows.ts'

/** Adds cards to the set of the page, row after row: Enter saves one and begins the next with the next number. */
export const Entry = () => {
  const { isReady } = useEdited()
  const { value, reload } = useContext(Shown)
  const { set, cards } = value as SetContent
  const [draft, setDraft] = useState<Draft>()
  const [entered, setEntered] = useState<Entered[]>([])
  const [failure, setFailure] = useState<Refused>()
  const [isSaving, setSaving] = useState(false)
  const [said, say] = useState('')
  const opener = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (!draft && wasOpen.current) opener.current?.focus()
    wasOpen.current = draft !== undefined
  }, [draft])
  const open = async () => setDraft(emptyRow(await numberToBegin(set.id).catch(() => '')))
  const close = () => {
    setDraft(undefined)
    setFailure(undefined)
    if (entered.length > 0) reload()
    setEntered([])
  }
  /** Does what may be refused; the row that is being typed stays as it is then. */
  const attempt = async (work: () => Promise<void>) => {
    if (isSaving) return
    setSaving(true)
    setFailure(undefined)
    try {
      await work()
    } catch (error) {
      say('')
      setFailure(asRefused(error))
    } finally {
      setSaving(false)
    }
  }
  const save = (row: Draft) =>
    attempt(async () => {
      const made = await enterRow(set.id, row)
      setEntered((now) => [...now, made])
      setDraft(emptyRow(numberAfter(row.number)))
      say(`Saved: ${made.name}`)
    })
  const takeBack = (row: Entered, isAgain: boolean) =>
    attempt(async () => {
      await deleteCard(row.id)
      setEntered((now) => now.filter(({ id }) => id !== row.id))
      // Another card is made of it, if it is saved again.
      if (isAgain) setDraft({ ...row.draft, id: emptyRow('').id })
      say(`Deleted: ${row.name}`)
    })
  const last = entered.at(-1)
  if (!isReady) return null
  if (!draft)
    return (
      <div>
        <DeleteRow />
        <button ref={opener} type="button" class="small" aria-keyshortcuts="n" onClick={open}>
          Add cards
        </button>
        {cards.total === 0 && (
          <span class="hint">
            {' '}
            Type them row after row, or <a href={at('/operations/imports')}>import a checklist</a>.
          </span>
        )}
      </div>
    )
  return (
    <section class="entry" aria-label="New cards">
      {entered.length > 0 && (
        <ol class="plain entered">
          {entered.map((row) => (
            <li key={row.id}>
              <a href={at(`/cards/${row.id}`)}>{row.name}</a>{' '}
              <button type="button" class="link" onClick={() => takeBack(row, false)}>
                Delete<span class="unseen"> {row.name}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
      <EntryForm
        key={draft.id}
        draft={draft}
        failure={failure}
        isSaving={isSaving}
        onSave={save}
        onClose={close}
        onUndo={last && (() => takeBack(last, true))}
      />
      <p class="edit-said" role="status">
        {said}
      </p>
    </section>
  )
}
