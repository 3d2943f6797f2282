import { createHash } from 'node:crypto'

/** A file to import. */
export type Checklist = { name: string; type: string; body: string }

const people = [
  ...['Ann Lee', 'Bo Reed', 'Cy Young', 'Di Park', 'Ed Fox', 'Flo Hart', 'Gus Orr', 'Hal Poe', 'Ivy Nash', 'Jo Kerr'],
  ...['Ann Leigh', 'Bob Reed', 'Pelé', 'Max von Sydow'],
]
const teams = ['Owls', 'Elks', 'Red Sox', 'Old Town Bears']
const codes = ['RC', 'AU', 'ERR']

/** A name that the checklists have. */
export const personAt = (n: number) => people[n % people.length] as string

/** How many checklists there are, and how many editions of each: another one lacks cards, has others, and says other things. */
export const checklists = 8
export const editions = 3

/** An edition of a checklist: a release of the collection, or a table. Several share players, teams, sets and years. */
export const checklistOf = (n: number, edition: number): Checklist =>
  n % 2 ? aTable(n, edition) : { name: `release-${n}.json`, type: 'application/json', body: aRelease(n, edition) }

const cardsEach = 9

const aRelease = (n: number, edition: number) => {
  const name = `${1980 + (n >> 2)} Fleer Baseball ${n}`
  const aCard = (set: string, at: number) => ({
    ...{ number: String(at + 1), name: personAt(at * 3 + n + (at === edition ? 5 : 0)) },
    ...{ uniqueId: idOf(name, set, at), attributes: at % 3 === edition ? [codes[at % codes.length]] : [] },
    ...(at % 4 === 0 ? { note: `Note ${edition}` } : {}),
  })
  const aSet = (set: string) => ({
    ...{ name: set, uniqueId: idOf(name, set) },
    cards: Array.from({ length: cardsEach }, (_, at) => aCard(set, at)).filter((_, at) => at !== edition + 5),
    ...(set === 'Base Set' ? { parallels: [{ name: 'Gold', uniqueId: idOf(name, 'Gold'), numberedTo: 50 }] } : {}),
  })
  return JSON.stringify({
    ...{ name, uniqueId: idOf(name), attributes: [{ attribute: 'RC', note: 'Rookie Card' }] },
    sets: [aSet('Base Set'), aSet('Inserts')],
  })
}

const idOf = (...words: unknown[]) => {
  const hex = createHash('sha256').update(words.join()).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** The columns that each edition of a table has. */
const columns = [
  ['set', 'year', 'number', 'player', 'team'],
  ['set', 'year', 'number', 'player', 'team', 'title', 'notes', 'attributes'],
  ['parent_set', 'set', 'year', 'manufacturer', 'brand', 'genre', 'number', 'player', 'team', 'attributes', 'id:tcdb'],
] as const

const aTable = (n: number, edition: number): Checklist => {
  const rows = Array.from({ length: cardsEach * 2 }, (_, at): Record<string, string> => {
    const [inSet, half] = [at % cardsEach, Math.floor(at / cardsEach)]
    return {
      ...{
        parent_set: `Table ${n}`,
        set: half ? `Table ${n} Chrome` : `Table ${n} Base`,
        year: String(1981 + (n >> 2)),
      },
      ...{
        manufacturer: 'Topps',
        brand: `Brand ${n % 3}`,
        genre: 'Baseball',
        number: inSet === edition ? '' : `${inSet + 1}`,
      },
      player: inSet === 4 ? `${personAt(at + n)}|${personAt(at + n + 3)}` : personAt(at * 5 + n),
      team: inSet === 4 ? '' : (teams[(at + n + (inSet === edition + 1 ? 1 : 0)) % teams.length] as string),
      ...{ title: inSet % 4 ? '' : `Title ${edition}`, notes: inSet % 5 ? '' : `Notes ${edition}` },
      ...{ attributes: inSet % 3 ? '' : codes.slice(0, 1 + (at % 2)).join('|'), 'id:tcdb': `${n}00${at}` },
    }
  })
  const wanted = columns[edition % columns.length] ?? columns[0]
  const lines = [wanted, ...rows.map((row) => wanted.map((name) => row[name]))].map((cells) => cells.join(','))
  return { name: `table-${n}.csv`, type: 'text/csv', body: `${lines.join('\n')}\n` }
}
