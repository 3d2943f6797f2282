import type { CardRow } from './content.ts'

/** A card in one line: `57 Michael Jordan (Chicago Bulls) RC`. */
export const sayCard = ({ number, on, title, codes, serial }: CardRow) => {
  const names = on.map(({ name, player, team }) => (player && team ? `${name} (${team.name})` : name))
  return [number, names.join(' / '), title, ...codes.map(({ code }) => code), serial].filter(Boolean).join(' ')
}

/** A row of a file: its values by columns, which are named like import's. */
export type Line = Partial<Record<string, string>>

/** A card as a line, with its set's name. */
export const lineOf = (set: string, { id, number, on, title, codes, serial }: CardRow): Line => ({
  set,
  number: number ?? '',
  // A player and a team in the same place are one entry.
  player: placed(on.map(({ name, player }) => (player ? name : ''))),
  team: placed(on.map(({ team }) => team?.name ?? '')),
  title: title ?? '',
  attributes: codes.map(({ code }) => code).join('|'),
  serial_number: serial ?? '',
  id,
})

/** The ids of a card's players and teams, in the places of their names. */
export const idsOn = ({ on }: CardRow): Line => ({
  player_id: placed(on.map(({ player }) => player ?? '')),
  team_id: placed(on.map(({ team }) => team?.id ?? '')),
})

const placed = (names: string[]) => (names.some(Boolean) ? names.join('|') : '')
