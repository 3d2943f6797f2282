import { csvCell } from '../lib/guarded.ts'
import type { CardRow } from './browser/catalog/content.ts'

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

/** Lines as CSV under the columns that are named. */
export async function* writeCsv(names: readonly string[], pieces: AsyncGenerator<Line[]>): AsyncGenerator<string> {
  let before = `${names.join(',')}\r\n`
  for await (const lines of pieces) {
    yield before + lines.map((line) => `${names.map((name) => csvCell(line[name] ?? '')).join(',')}\r\n`).join('')
    before = ''
  }
  yield before
}

/** Lines as JSON, with their set's full name. */
export async function* writeJson(name: string, pieces: AsyncGenerator<Line[]>): AsyncGenerator<string> {
  let before = `{\n  "set": ${JSON.stringify(name)},\n  "cards": [\n`
  for await (const lines of pieces) {
    yield before + lines.map((line) => `    ${JSON.stringify(line)}`).join(',\n')
    before = ',\n'
  }
  yield before === ',\n' ? '\n  ]\n}\n' : `${before}  ]\n}\n`
}
