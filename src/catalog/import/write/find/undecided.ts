import { personName } from '../../../model/person-name.ts'
import type { CardItem } from '../../read/item.ts'
import { noteOf } from '../plan/row.ts'
import { addNote, type ImportReport } from '../report.ts'

/** Notes names that may contain more or less than one person, and what they were read as. */
export const noteUndecided = (cards: CardItem[], report: ImportReport) => {
  for (const card of cards)
    if (card.undecided && !card.isRepeated)
      addNote(report, noteOf(card, 'undecided-name', `${card.undecided}, read as ${readAs(card)}`))
}

const readAs = ({ entries, title }: CardItem) => {
  const players = entries.flatMap(({ player }) => (player ? personName(player) : []))
  const teams = entries.flatMap(({ player, team }) => (!player && team ? team : []))
  return players.length > 0
    ? `the player${players.length > 1 ? 's' : ''} ${players.join(' and ')}${title === null ? '' : `, with the title ${title}`}`
    : title !== null
      ? `the title ${title}`
      : `the team${teams.length > 1 ? 's' : ''} ${teams.join(' and ')}`
}
