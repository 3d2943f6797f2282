import {
  type ChecklistSet,
  countInChecklist,
  isNarrow,
  type Narrowing,
  readChecklist,
} from '../../catalog/list/grouped/checklist.ts'
import { isUuid } from '../../jsonapi/fields.ts'
import { isUnstorable } from '../../jsonapi/text-faults.ts'
import type { Checklist, ChecklistGroup, Kind, Narrowed } from '../browser/catalog/content.ts'
import type { Ask } from './ask.ts'
import { showCards } from './cards.ts'

/** A set whose cards are in a checklist. */
export type ListedSet = ChecklistSet & { name: string; kind: Kind; isDraft: boolean }

/** How many rows the page comes with, and how many a browser gets at most per request as the reader scrolls. */
export const firstRows = 100
export const mostRows = 500

/** How a URL filters and sorts a checklist. Values that make no sense, and texts that no card can have, are left out. */
export const narrowedBy = ({ code, team, player, image, parallels, sort }: Record<string, string>): Narrowed => ({
  ...(code && !isUnstorable(code) ? { code: code.slice(0, 255) } : {}),
  ...(team && isUuid(team) ? { team } : {}),
  ...(player?.trim() && !isUnstorable(player) ? { player: player.trim().slice(0, 255) } : {}),
  ...(image === 'yes' ? { image } : {}),
  ...(parallels === 'no' ? { parallels } : {}),
  ...(sort === 'player' ? { sort } : {}),
})

/** Whether a checklist has all of its cards. */
export const isWhole = ({ sort: _, ...filters }: Narrowed) => Object.keys(filters).length === 0

const narrowingOf = ({ code, team, player, image }: Narrowed): Narrowing => ({
  code,
  team,
  player,
  hasImage: image === 'yes',
})

/** The checklist of several sets, one after the other, counted once. `read` returns any stretch of it. */
export const openChecklist = async (ask: Ask, sets: ListedSet[], narrowed: Narrowed) => {
  const narrowing = narrowingOf(narrowed)
  // A filter or another order reads more rows than it shows.
  const isCostly = isNarrow(narrowing) || narrowed.sort !== undefined
  const dbFor = (size: number) => (isCostly || size > firstRows ? ask.context.db.heavy : ask.context.db)
  // The page's own set is always listed, even if it is a parallel.
  const wanted = sets.filter(({ kind }, place) => place === 0 || narrowed.parallels !== 'no' || kind !== 'parallel')
  const counted = await countInChecklist(dbFor(0), wanted, narrowing)
  const known = new Map(sets.map((set) => [set.id, set]))
  const order = narrowed.sort === 'player' ? 'player' : 'number'
  const read = async (from: number, size: number): Promise<ChecklistGroup[]> => {
    const parts = await readChecklist(dbFor(size), counted, narrowing, { from, size, order, level: ask.level })
    const all = parts.flatMap(({ rows }) => rows)
    const rows = await showCards(ask, all)
    let before = 0
    return parts.map(({ set, rows: own }) => {
      before += own.length
      const { id, name, kind, isDraft } = known.get(set.id) as ListedSet
      return { set: { id, name, kind, isDraft }, total: set.cards, rows: rows.slice(before - own.length, before) }
    })
  }
  return { total: counted.reduce((sum, { cards }) => sum + cards, 0), read }
}

/** A stretch of several sets' checklist. */
export const readStretch = async (
  ask: Ask,
  sets: ListedSet[],
  narrowed: Narrowed,
  from: number,
  size: number,
): Promise<Checklist> => {
  const { total, read } = await openChecklist(ask, sets, narrowed)
  return { groups: await read(from, size), from, size, total }
}
