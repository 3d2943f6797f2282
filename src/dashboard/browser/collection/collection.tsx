import { useEffect, useState } from 'preact/hooks'
import { sayCount } from '../kit/format.ts'
import { useLoaded } from '../kit/load.ts'
import { Empty, Show } from '../kit/notice.tsx'
import { Page, Section } from '../kit/page.tsx'
import { usePerson } from '../kit/person.tsx'
import { at } from '../kit/settings.ts'
import { askSets } from './ask.ts'
import { followMoved } from './follow.ts'
import { type Collected, useKept } from './kept.ts'
import { OutAndIn } from './out-and-in.tsx'
import { CollectedSets, placesOf, Totals } from './sets.tsx'
import { readFragment } from './share.ts'
import { Shown } from './shown.tsx'

/** The reader's own collection, or the one that the page's address shows. */
export const Collection = () => {
  const [fragment, setFragment] = useState(location.hash)
  useEffect(() => {
    const hear = () => setFragment(location.hash)
    addEventListener('hashchange', hear)
    return () => removeEventListener('hashchange', hear)
  }, [])
  const shown = readFragment(fragment)
  const leave = () => {
    history.replaceState(history.state, '', at('/collection'))
    setFragment('')
  }
  return shown ? <Shown collection={shown} onLeave={leave} /> : <Own isBroken={fragment.startsWith('#show')} />
}

const Own = ({ isBroken }: { isBroken: boolean }) => {
  const collection = useKept()
  const { person } = usePerson()
  return (
    <Page
      title="My collection"
      lede={`Kept in your ${person ? 'account' : 'browser, without an account'}. Tick cards on any checklist.`}
      actions={
        collection.length > 0 && (
          <a class="button" href={at('/collection/wants')}>
            Want list
          </a>
        )
      }
    >
      {isBroken && <Empty>This link is cut off, so it shows no collection.</Empty>}
      {collection.length > 0 ? <Sets collection={collection} /> : <Nothing />}
      <OutAndIn collection={collection} />
    </Page>
  )
}

const Nothing = () => (
  <Empty>
    <p>Nothing here yet.</p>
    <p>
      Open <a href={at('/sets')}>a set</a> and press ✓ for each card that you have, or ☆ for one that you want.
    </p>
  </Empty>
)

const Sets = ({ collection }: { collection: Collected[] }) => {
  const ids = collection.map(({ set }) => set)
  const loaded = useLoaded(async () => {
    const sets = await askSets(ids)
    const gone = collection.filter((own) => !sets.some(({ id }) => id === own.set))
    // If that moves any, the collection changes, and this is read again.
    if (gone.length > 0) await followMoved(gone)
    return sets
  }, ids.join())
  return (
    <Show of={loaded} lines={8}>
      {(sets) => {
        const places = placesOf(collection, sets)
        const lost = collection.length - places.length
        return (
          <>
            <Totals collection={collection} sets={places.length} />
            <Section title="Sets">
              <CollectedSets places={places} />
              {lost > 0 && !loaded.isLoading && (
                <p class="faint">
                  {sayCount(lost, 'more set')} can’t be shown at the moment. Their cards stay in your collection.
                </p>
              )}
            </Section>
          </>
        )
      }}
    </Show>
  )
}
