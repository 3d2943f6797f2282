import { useContext, useEffect, useRef } from 'preact/hooks'
import type { SetContent } from '../../catalog/content.ts'
import { Shown } from '../../catalog/shown.ts'
import { sayFailure } from '../../kit/notice.tsx'
import { at } from '../../kit/settings.ts'
import { useEdited } from '../record.ts'
import { DeleteRow } from './delete-row.tsx'
import { EntryForm } from './entry-form.tsx'
import { type Row, useTyping } from './typing.ts'

/** Adds cards to the page's set, row by row. Enter saves a row and starts the next one with the next number. */
export const Entry = () => {
  const { isReady } = useEdited()
  const { set, cards } = useContext(Shown).value as SetContent
  const typing = useTyping(set.id)
  const { rows, open, said } = typing
  const opener = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (!open && wasOpen.current) opener.current?.focus()
    wasOpen.current = open !== undefined
  }, [open])
  const last = rows.findLast(({ name }) => name)
  if (!isReady) return null
  if (!open)
    return (
      <div>
        <DeleteRow />
        <button ref={opener} type="button" class="small" aria-keyshortcuts="n" onClick={typing.begin}>
          Add cards
        </button>
        {cards.total === 0 && (
          <span class="hint">
            {' '}
            Type them row by row, or <a href={at('/operations/imports')}>import a checklist</a>.
          </span>
        )}
      </div>
    )
  return (
    <section class="entry" aria-label="New cards">
      {rows.length > 0 && (
        <ol class="plain entered">
          {rows.map((row) => (
            <li key={row.draft.id}>
              <Typed row={row} onDelete={() => typing.takeBack(row, false)} onMend={() => typing.mend(row)} />
            </li>
          ))}
        </ol>
      )}
      <EntryForm
        key={open.draft.id}
        draft={open.draft}
        failure={open.failure}
        onChange={typing.change}
        onSave={typing.save}
        onClose={typing.close}
        onUndo={last && (() => typing.takeBack(last, true))}
      />
      <p class="edit-said" role="status">
        {said}
      </p>
    </section>
  )
}

type TypedProps = { row: Row; onDelete: () => void; onMend: () => void }

/** A row that was typed, with ways to fix or delete it. */
const Typed = ({ row: { draft, name, made, failure }, onDelete, onMend }: TypedProps) => {
  const typed = [draft.number, draft.player.text, draft.team.text].filter(Boolean).join(' ')
  if (failure)
    return (
      <>
        {typed} <span class="fault">{sayFailure(failure)}</span>{' '}
        <button type="button" class="link" onClick={onMend}>
          Fix<span class="unseen"> {typed}</span>
        </button>
      </>
    )
  if (!name) return <span class="faint">{typed}: saving…</span>
  return (
    <>
      <a href={at(`/cards/${draft.id}`)}>{name}</a>{' '}
      {made.map((one) => (
        <span key={one.id} class="badge">
          new {one.type.slice(0, -1)}
          {one.type === 'teams' && `: ${one.name}`}
        </span>
      ))}{' '}
      <button type="button" class="link" onClick={onDelete}>
        Delete<span class="unseen"> {name}</span>
      </button>
    </>
  )
}
