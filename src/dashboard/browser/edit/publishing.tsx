import { useContext, useState } from 'preact/hooks'
import type { SetContent, SetNode } from '../catalog/content.ts'
import { Shown } from '../catalog/shown.ts'
import { Confirm } from '../kit/dialog.tsx'
import { sayCount, sayGiven } from '../kit/format.ts'
import { Publish } from '../operations/board/publish.tsx'
import { useEdited } from './record.ts'

/** Publishes the set of the page, with a preview of what comes into sight, or takes it out of sight again. */
export const Publishing = () => {
  const edited = useEdited()
  const { set, cards, tree } = useContext(Shown).value as SetContent
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
    done('A draft again: only operators see it.')
  }
  const below = countPublished(tree)
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
          <Confirm title={`Unpublish ${sayGiven(set.name)}?`} label="Unpublish" onConfirm={unpublish} onClose={close}>
            <p>
              {sayCount(cards.own, 'card')} and the set itself will be a draft, which operators alone see, and so will
              the players and teams that no other published card shows.
            </p>
            {below > 0 && <p>{sayCount(below, 'set')} below it will stay published.</p>}
          </Confirm>
        ))}
    </>
  )
}

const countPublished = (tree: SetNode[]): number =>
  tree.reduce((sum, node) => sum + (node.isDraft ? 0 : 1) + countPublished(node.below), 0)
