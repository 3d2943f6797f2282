import { useContext, useEffect, useState } from 'preact/hooks'
import { Shown } from '../../catalog/shown.ts'
import { FormDialog } from '../../kit/dialog.tsx'
import { sayGiven } from '../../kit/format.ts'
import { Failure } from '../../kit/notice.tsx'
import { useAct } from '../../kit/use-action.ts'
import { bringBack, deleteCard } from '../delete-card.tsx'

type Row = { id: string; name: string }

/** The Delete key deletes the card whose checklist row has the focus. The last deletion can be undone. */
export const DeleteRow = () => {
  const { reload } = useContext(Shown)
  const [asked, setAsked] = useState<Row>()
  const [deleted, setDeleted] = useState<Row>()
  const { act, failure } = useAct()
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const row = event.key === 'Delete' ? rowOf(event.target) : undefined
      if (row) setAsked(row)
    }
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [])
  const confirm = async ({ id }: Row) => {
    await deleteCard(id)
    setDeleted(asked)
    setAsked(undefined)
    reload()
  }
  const undo = async ({ id }: Row) => {
    await bringBack(id)
    setDeleted(undefined)
    reload()
  }
  return (
    <>
      {deleted && (
        <p class="edit-said" role="status">
          Deleted: {deleted.name}{' '}
          <button type="button" class="link" onClick={() => act(() => undo(deleted))}>
            Undo
          </button>
        </p>
      )}
      {failure && <Failure failure={failure} />}
      {asked && (
        <FormDialog
          isDangerous
          title={`Delete ${sayGiven(asked.name)}?`}
          label="Delete card"
          onSubmit={() => confirm(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>Its pictures and identifiers are deleted, too. You can undo this.</p>
        </FormDialog>
      )}
    </>
  )
}

const rowOf = (target: EventTarget | null): Row | undefined => {
  const link = target instanceof Element ? target.closest('.card-row')?.querySelector('a.to-card') : undefined
  const id = link?.getAttribute('href')?.split('/').at(-1)
  return id ? { id, name: link?.getAttribute('aria-label') ?? 'this card' } : undefined
}
