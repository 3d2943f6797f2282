import type { FunctionComponent } from 'preact'
import { DeleteCard } from './delete-card.tsx'
import { HistoryButton } from './history/history.tsx'
import { MergeLink, SplitLink } from './merge-links.tsx'
import { Publishing } from './publishing.tsx'
import { type EditedType, useEdited } from './record.ts'

/** What can be done with a whole record, beside its heading: a component each, which finds the record by `useEdited`. */
const actionsOf: Record<EditedType, FunctionComponent[]> = {
  cards: [HistoryButton, MergeLink, DeleteCard],
  sets: [HistoryButton, MergeLink, Publishing],
  players: [HistoryButton, MergeLink, SplitLink],
  teams: [HistoryButton, MergeLink],
}

/** The buttons for what can be done with the record of a page. */
export const Tools = () => {
  const { type, isReady } = useEdited()
  return isReady ? actionsOf[type].map((Action, place) => <Action key={place} />) : null
}
