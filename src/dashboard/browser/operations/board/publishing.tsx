import { useState } from 'preact/hooks'
import { Notice } from '../../kit/notice.tsx'
import { at } from '../../kit/settings.ts'
import { Publish } from './publish.tsx'

type SetOf = { id: string; name: string }

/**
 * Publishes sets from a page: `ask` opens the dialog for one. `dialog` and `said`, which tells what was published last, stand in
 * the page; `done` hears of it.
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
        {published.said} <a href={at(`/sets/${published.set.id}`)}>See {published.set.name}</a>
      </Notice>
    ),
  }
}
