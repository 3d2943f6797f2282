import type { FunctionComponent } from 'preact'
import { DeleteCard } from './delete-card.tsx'
import { HistoryButton } from './history/history.tsx'
import { MergeLink, SplitLink } from './merge-links.tsx'
import { Publishing } from './publishing.tsx'
import { type EditedType, useEdited } from './record.ts'

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
