import type { CardPlan, CardState, Outcome } from '../../../write/record.ts'
import type { CardItem, NoteItem, NoteRule } from '../../read/item.ts'
import type { FieldOutcome } from '../curated-fields.ts'
import type { WantedCard } from '../find/cards.ts'
import { addFault, type ImportReport } from '../report.ts'
import type { Lost } from './lost.ts'

type Refuse = (item: CardItem, reason: string) => void
/**
 * A row of a chunk with the plan for its card, and, from when the plan last ran, what happened to its curated fields and which values
 * the card lost. `isFirst`: no row of an earlier file has the card. `isRepeated`: one of them says the same, and this row isn't counted.
 */
export type Row = {
  item: CardItem
  plan: CardPlan
  state: CardState
  word: FieldOutcome
  lost: Lost
  /** Its texts that the card has in a better spelling, and keeps. */
  respelled?: string[] | undefined
  isFirst: boolean
  isRepeated?: true
}

/** How an outcome is counted. What an import brings back counts as created (decisions.md §22). */
export const countedAs = ({ result, restored }: Pick<Outcome, 'result' | 'restored'>) =>
  restored && result === 'updated' ? 'created' : result

/** The name of a row's card in reports. */
export const nameOf = ({ number, title, entries }: CardItem) =>
  [
    number,
    ...entries.map(({ player, team }) => (player ? `${player.firstName} ${player.lastName}`.trim() : team)),
    title,
  ]
    .filter(Boolean)
    .join(' ')

/** A note about a row. */
export const noteOf = ({ file, line }: CardItem, rule: NoteRule, text: string): NoteItem => ({
  ...{ kind: 'note', file, line, rule, text },
})

/** Refuses cards' rows: counts each in the report, and lists it with the reason. */
export const refuseInto =
  (report: ImportReport): Refuse =>
  ({ file, line, cells, number }, reason) => {
    report.cards.failed++
    addFault(report, { kind: 'fault', file, line, reason, cells, number })
  }

/** Rows to write, and those that wait until all others have their cards. */
export type Planned = { rows: Row[]; late: WantedCard[] }
