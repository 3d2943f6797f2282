import { isOfSport } from '../names/release-name.ts'
import { type Column, columnKey } from './row.ts'
import { isOfSequence } from './serial-cell.ts'

/** Where columns stand among the cells of a row: at one place, or in parts at several. */
export type Places = Map<Column, number[]>

/** A heading that is not read, in some cases because another one is that column. */
type Unread = { name: string; second: Column | null }

/** Where columns stand among headings, or members of JSON, by the column that each is known for. */
export const placeColumns = (
  names: string[],
  find: (name: string) => Column | null,
  isExport: boolean,
  isGiven: (name: string) => boolean,
) => {
  const columns: Places = new Map()
  const unread = new Map<number, Unread>()
  for (const [at, name] of names.entries()) {
    const column = find(name)
    const [first] = (column && columns.get(column)) ?? []
    const gives = first !== undefined && !isExport && !isGiven(names[first] ?? '') && givesWay(names[first] ?? '', name)
    if (column && (first === undefined || gives)) {
      columns.set(column, [at])
      if (first !== undefined) unread.set(first, { name: names[first] ?? '', second: column })
    } else if (name.trim() !== '' && columnKey(name) !== 'refused_because') unread.set(at, { name, second: column })
  }
  if (!isExport) {
    takeSecondBest(names, columns, unread, isGiven)
    const [at] = columns.get('name') ?? []
    if (at !== undefined && columns.has('player')) unread.set(at, { name: names[at] ?? '', second: 'player' })
    // Only rows with a type can be anything but cards. The name of a card is that of its player.
    else if (at !== undefined && !columns.has('type')) columns.set('player', [at])
    if (columns.has('player')) columns.delete('name')
  }
  const inOrder = [...unread].toSorted(([one], [other]) => one - other)
  return { columns, unread: inOrder.map(([, each]) => each) }
}

/** Whether another heading of the same column says it better: a category is often a shop's, and a sequence that of the rows. */
const givesWay = (name: string, other: string) => isVague(name) && !isVague(other)
const isVague = (name: string) => columnKey(name) === 'category' || isOfSequence(name)

/** Gives columns that are still free to headings that would go unread. */
const takeSecondBest = (
  names: string[],
  columns: Places,
  unread: Map<number, Unread>,
  isGiven: (name: string) => boolean,
) => {
  for (const [column, headings, others] of secondBest) {
    const places = headings.map((keys) =>
      names.findIndex((name, at) => unread.has(at) && !isGiven(name) && keys.includes(columnKey(name))),
    )
    if (places.includes(-1) || others.some((other) => columns.has(other))) continue
    columns.set(column, places)
    for (const at of places) unread.delete(at)
  }
}

/** Headings by which a table shows that its cards are those of a game: what is called a name there is no person's. */
const ofGames: ReadonlySet<string> = new Set(
  'rarity set_code tcgplayer_id product_line collector_number printing scryfall_id'.split(' '),
)

/** Whether headings, or members of JSON, are those of a game's cards. */
export const areOfGame = (names: string[]) => names.some((name) => ofGames.has(columnKey(name)))

/** Whether rows are of a sport, by their genre or their set, or have teams: then a rarity makes them no game's. */
export const showsPeople = (names: string[], find: (name: string) => Column | null, rows: string[][]) => {
  const cellsOf = (...columns: Column[]) => {
    const places = names.flatMap((name, at) => (columns.includes(find(name) as Column) ? [at] : []))
    return rows.flatMap((cells) => places.map((at) => cells[at]?.trim() ?? ''))
  }
  return cellsOf('team').some((team) => team !== '') || cellsOf('genre', 'set', 'parent_set').some(isOfSport)
}

const firstNames = ['first_name', 'firstname', 'player_first_name', 'given_name']
const lastNames = ['last_name', 'lastname', 'player_last_name', 'surname', 'family_name']

/** What headings mean, one or several together, where nothing else has the column, nor one of the others. */
const secondBest: [column: Column, headings: string[][], others: Column[]][] = [
  ['number', [['card']], ['number']],
  ['player', [['description', 'card_description']], ['player', 'name', 'title']],
  ['player', [firstNames, lastNames], ['player', 'name']],
]
