import { useState } from 'preact/hooks'
import { get, post, remove } from '../kit/api.ts'
import { Asked } from '../kit/dialog.tsx'
import { sayGiven } from '../kit/format.ts'
import { sayFailure } from '../kit/notice.tsx'
import { useAct } from '../kit/use-action.ts'
import { useEdited } from './record.ts'

/** Deletes a card. Its newest revision is then the deletion. */
export const deleteCard = (id: string, tag = '*') =>
  remove(`/v2/cards/${id}`, undefined, { headers: { 'If-Match': tag } })

/** Restores a card that was just deleted, with everything attached to it. */
export const bringBack = async (id: string) => {
  const { data } = await get<{ data: { id: string }[] }>(`/v2/cards/${id}/revisions?page%5Bsize%5D=1`)
  await post('/internal/reverts', { object_type: 'cards', object_id: id, revision: data[0]?.id ?? '' }, { flat: true })
}

/** Deletes the page's card. That can be undone here as long as the page is open. */
export const DeleteCard = () => {
  const edited = useEdited()
  const [isDeleted, setDeleted] = useState(false)
  const { act, failure } = useAct()
  const confirm = async () => {
    await deleteCard(edited.id, edited.known()?.tag)
    setDeleted(true)
  }
  const undo = async () => {
    await bringBack(edited.id)
    setDeleted(false)
    await edited.read()
  }
  if (isDeleted)
    return (
      <span class="edit-said" role="status">
        Deleted.{' '}
        <button type="button" onClick={() => act(undo)}>
          Undo<span class="unseen"> the deletion</span>
        </button>
        {failure && <span class="fault"> {sayFailure(failure)}</span>}
      </span>
    )
  return (
    <Asked
      button="Delete…"
      title={`Delete ${sayGiven(String(edited.known()?.record.attributes.name ?? 'this card'))}?`}
      label="Delete card"
      onConfirm={confirm}
    >
      <p>Its pictures and identifiers are deleted, too. You can restore everything from its history.</p>
    </Asked>
  )
}
