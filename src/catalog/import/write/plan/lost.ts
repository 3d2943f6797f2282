import type { Queryable } from '../../../../../db/client.ts'
import { readSubjects } from '../../../write/card/read.ts'
import type { CardRecord, CardState, StoredEntry } from '../../../write/record.ts'
import { idsOf } from './laid-over.ts'

/** Values that a card had and a row replaced: people, teams and codes by their ids, and texts. */
export type Lost = { players: string[]; teams: string[]; codes: string[]; texts: string[] }

export const nothingLost: Lost = { players: [], teams: [], codes: [], texts: [] }

/**
 * What a card would no longer have after a row. Where the row corrects somebody's name (`isCorrected`), the report says so by itself. A
 * value that was added is no loss.
 */
export const lostBetween = (before: CardRecord, after: CardState, isCorrected: boolean): Lost => {
  const [had, has] = [before.entries, after.entries as StoredEntry[]]
  const without = (ids: string[], others: string[]) => ids.filter((id) => !others.includes(id))
  const withoutSide = (side: 'playerId' | 'teamId') => (had === has ? [] : without(idsOf(had, side), idsOf(has, side)))
  const textsOf = (was: string | null, is: string | null, shown: (text: string) => string) =>
    was !== null && was !== is ? [shown(was)] : []
  const lost = {
    players: isCorrected ? [] : withoutSide('playerId'),
    teams: withoutSide('teamId'),
    codes: without(before.attributeIds, after.attributeIds),
    texts: [
      ...textsOf(before.number, after.number, (text) => `the number ${text}`),
      ...textsOf(before.serial_number, after.serial_number, (text) => text),
      ...textsOf(before.title, after.title, (text) => `“${text}”`),
      ...textsOf(before.notes, after.notes, () => 'its notes'),
    ],
  }
  const { players, teams, codes, texts } = lost
  return players.length + teams.length + codes.length + texts.length === 0 ? nothingLost : lost
}

/** What rows take from their cards, in words for a report. Reads the names of all of it at once. Rows that take nothing have none. */
export const sayLost = async <T extends { lost: Lost }>(
  db: Pick<Queryable, 'sql'>,
  rows: T[],
): Promise<Map<T, string>> => {
  const losing = rows.filter(({ lost }) => lost !== nothingLost)
  const idsIn = (kind: 'players' | 'teams' | 'codes') => losing.flatMap(({ lost }) => lost[kind])
  const entries = (['players', 'teams'] as const).flatMap((type) => idsIn(type).map((id) => ({ type, id })))
  const subjects = await readSubjects(db, entries, idsIn('codes'))
  const nameOf = (id: string) => subjects.get(id)?.name ?? 'someone from an earlier file'
  const say = ({ players, teams, codes, texts }: Lost) =>
    [...[...players, ...teams, ...codes].map(nameOf), ...texts].join(', ')
  return new Map(losing.map((row) => [row, say(row.lost)]))
}
