import { useState } from 'preact/hooks'
import { Notice } from '../../kit/notice.tsx'
import { at } from '../../kit/settings.ts'
import { Publish } from './publish.tsx'

type SetOf = { id: string; name: string }

/**
 * Publishes sets from a page. `ask` opens the dialog for one. The page shows `dialog`, and `said`, which says what was published
 * last. `done` is called afterward.
 */
export const usePublishing = (done: () => void) => {
  const [asked, setAsked] = useState<SetOf>()
  const [published, setPublished] = useState<{ set: SetOf; said: string }>()
  return {
    ask: setAsked,
    dialog: asked && (
      <Publish
        set={asked}
        onClose={() => setAsked(undefined)}
        done={(said) => {
          setPublished({ set: asked, said })
          setAsked(undefined)
          done()
        }}
      />
    ),
    said: published && (
      <Notice kind="good">
        {published.said} <a href={at(`/sets/${published.set.id}`)}>Show {published.set.name}</a>
      </Notice>
    ),
  }
}
