import { useContext, useState } from 'preact/hooks'
import type { SetContent } from '../catalog/content.ts'
import { Shown } from '../catalog/shown.ts'
import { useAnswer } from '../kit/answer.ts'
import { Cancel, Dialog } from '../kit/dialog.tsx'
import { Form } from '../kit/form.tsx'
import { sayCount, sayGiven } from '../kit/format.ts'
import { Show } from '../kit/notice.tsx'
import { type Publication, publicationOf } from '../operations/board/publication.ts'
import { Publish, Records } from '../operations/board/publish.tsx'
import { useEdited } from './record.ts'

/** Publishes or unpublishes the page's set, with a preview of what readers will see or no longer see. */
export const Publishing = () => {
  const edited = useEdited()
  const { set } = useContext(Shown).value as SetContent
  const [isOpen, setOpen] = useState(false)
  const [said, say] = useState('')
  const close = () => setOpen(false)
  const done = (what: string) => {
    close()
    say(what)
    void edited.read()
    edited.reloadPage()
  }
  const unpublish = async () => {
    await edited.change({ attributes: { status: 'draft' } })
    done('Unpublished. Only operators can see it now.')
  }
  return (
    <>
      <span class="edit-said" role="status">
        {said}
      </span>
      <button type="button" class={set.isDraft ? 'primary' : undefined} onClick={() => setOpen(true)}>
        {set.isDraft ? 'Publish…' : 'Unpublish…'}
      </button>
      {isOpen &&
        (set.isDraft ? (
          <Publish set={set} onClose={close} done={done} />
        ) : (
          <Unpublish set={set} unpublish={unpublish} onClose={close} />
        ))}
    </>
  )
}

type UnpublishProps = { set: SetContent['set']; unpublish: () => Promise<void>; onClose: () => void }

/** Asks for confirmation, and shows what readers will no longer see. */
const Unpublish = ({ set, unpublish, onClose }: UnpublishProps) => {
  const read = useAnswer<Publication>(publicationOf(set.id))
  return (
    <Dialog title={`Unpublish ${sayGiven(set.name)}?`} onClose={onClose}>
      <Show of={read} lines={4}>
        {({ below, leaves_sight: { cards, records } }) => (
          <Form label="Unpublish" onSubmit={unpublish} beside={<Cancel onClose={onClose} />} isDangerous>
            <p>
              The set and its <strong>{sayCount(cards, 'card')}</strong> become a draft that only operators can see.
              {records.length > 0 && ' Readers also lose:'}
            </p>
            <Records records={records} />
            <Staying count={below.filter(({ status }) => status === 'published').length} />
          </Form>
        )}
      </Show>
    </Dialog>
  )
}

const Staying = ({ count }: { count: number }) =>
  count > 0 ? (
    <p>
      {sayCount(count, 'set')} below it {count === 1 ? 'stays' : 'stay'} published.
    </p>
  ) : null
