import type { FunctionComponent } from 'preact'
import { at } from '../kit/settings.ts'
import { DeleteCard } from './delete-card.tsx'
import { HistoryButton } from './history/history.tsx'
import { Publishing } from './publishing.tsx'
import { type EditedType, useEdited } from './record.ts'

/** Links to merging the page's record with another one. */
const MergeLink = () => {
  const { type, id } = useEdited()
  return (
    <a class="button" href={at(`/operations/merge?type=${type}&id=${id}`)}>
      Merge…
    </a>
  )
}

/** Links to splitting the page's player into two. */
const SplitLink = () => (
  <a class="button" href={at(`/operations/split/${useEdited().id}`)}>
    Split…
  </a>
)

/** Actions on a whole record, shown next to its heading. Each is a component that finds the record with `useEdited`. */
const actionsOf: Record<EditedType, FunctionComponent[]> = {
  cards: [HistoryButton, MergeLink, DeleteCard],
  sets: [HistoryButton, MergeLink, Publishing],
  players: [HistoryButton, MergeLink, SplitLink],
  teams: [HistoryButton, MergeLink],
}

/** The buttons for the actions on the page's record. */
export const Tools = () => {
  const { type, isReady } = useEdited()
  return isReady ? actionsOf[type].map((Action, place) => <Action key={place} />) : null
}
