import { arrayOf, arrayOfTexts } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import type { CardRow } from './rows.ts'

/** A statement over arrays, one for each of its columns. */
export type Statement = { text: string; columns: string[] }

/** What cards bear, as the columns of the statements that store it; a statement without a row is left out. */
export const layOut = (rows: CardRow[]): Statement[] => [...entriesOf(rows), ...attributesOf(rows)]

/** Stores what was laid out, once the rows of its cards are there. */
export const insertBorne = async (tx: Transaction, statements: Statement[]) => {
  await Promise.all(statements.map(({ text, columns }) => tx.sql.unsafe(text, columns, { prepare: true })))
}

const entriesOf = (rows: CardRow[]): Statement[] => {
  const cards: string[] = []
  const positions: number[] = []
  const players: (string | null)[] = []
  const teams: (string | null)[] = []
  const pairs: (string | null)[] = []
  const sets: number[] = []
  const keys: string[] = []
  const listed: [player: number[], team: number[], pair: number[]] = [[], [], []]
  for (const row of rows) {
    const seen: string[] = []
    const first = (id: string | null) => {
      if (!id || row.after.deleted || seen.includes(id)) return 0
      seen.push(id)
      return 1
    }
    for (const [position, { type, id, playerId, teamId }] of row.entries.entries()) {
      const pairId = type === 'playerteams' ? id : null
      cards.push(row.id)
      positions.push(position)
      players.push(playerId)
      teams.push(teamId)
      pairs.push(pairId)
      sets.push(row.setNo)
      keys.push(row.numberKey)
      listed[0].push(first(playerId))
      listed[1].push(first(teamId))
      listed[2].push(first(pairId))
    }
  }
  if (cards.length === 0) return []
  return [
    {
      text: insertEntries,
      columns: [
        ...[cards, positions, players, teams, pairs, sets].map(arrayOf),
        arrayOfTexts(keys),
        ...listed.map(arrayOf),
      ],
    },
  ]
}

const insertEntries = `
  insert into oncard (card_id, position, player_id, team_id, player_team_id, set_no, number_key,
    lists_player, lists_team, lists_player_team)
  select card_id, position, player_id, team_id, player_team_id, set_no, number_key,
    lists_player = 1, lists_team = 1, lists_player_team = 1
  from unnest($1::uuid[], $2::smallint[], $3::uuid[], $4::uuid[], $5::uuid[], $6::int[], $7::text[], $8::int[],
    $9::int[], $10::int[])
    as e (card_id, position, player_id, team_id, player_team_id, set_no, number_key,
      lists_player, lists_team, lists_player_team)`

const attributesOf = (rows: CardRow[]): Statement[] => {
  const marks = rows.flatMap((row) => [...new Set(row.after.attributeIds)].map((attributeId) => ({ row, attributeId })))
  if (marks.length === 0) return []
  return [
    {
      text: insertAttributes,
      columns: [
        arrayOf(marks.map((mark) => mark.row.id)),
        arrayOf(marks.map((mark) => mark.attributeId)),
        arrayOf(marks.map((mark) => mark.row.setNo)),
        arrayOfTexts(marks.map((mark) => mark.row.numberKey)),
      ],
    },
  ]
}

const insertAttributes = `
  insert into card_attributes (card_id, attribute_id, set_no, number_key)
  select card_id, attribute_id, set_no, number_key
  from unnest($1::uuid[], $2::uuid[], $3::int[], $4::text[]) as m (card_id, attribute_id, set_no, number_key)`
