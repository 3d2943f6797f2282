import { furtherCells, sourcesIn } from '../catalog/sync/export/further-cells.ts'
import { setLines } from '../catalog/sync/export/sets.ts'
import { idsOn, type Line, lineOf } from './browser/catalog/card-lines.ts'
import type { ChecklistGroup, SetNode } from './browser/catalog/content.ts'
import { writeCsv } from './checklist-lines.ts'
import type { Ask } from './content/ask.ts'
import { isWhole, narrowedBy } from './content/checklist.ts'
import type { readSet } from './content/set.ts'

/** A card's columns, and the ids by which an import knows that an export wrote them. */
const ofCards = ['set', 'number', 'player', 'team', 'title', 'attributes', 'serial_number', 'id', 'set_id', 'type']
const further = ['player_id', 'team_id', 'image_uuid']
const ofSets = 'parent_set_id kind status release_date genre year manufacturer brand aliases description'.split(' ')

/**
 * A checklist as CSV with the header of an export: the set, those above it and all below it, each before its children, then the cards.
 * An import of it into an empty service makes the same sets and cards (decisions.md §19).
 */
export const checklistTable = async (
  ask: Ask,
  set: Awaited<ReturnType<typeof readSet>>,
  pieces: AsyncGenerator<ChecklistGroup[]>,
): Promise<AsyncGenerator<string>> => {
  const { heavy } = ask.context.db
  const ids = set.listed.map(({ id }) => id)
  const sources = await sourcesIn(heavy, ids, ask.level)
  // Parents may be missing in part of a checklist. There, an import finds a parallel's parent by its number.
  const hasParents = isWhole(narrowedBy(ask.query)) && set.path.length === 1
  const names = [...ofCards, ...further, ...(hasParents ? ['parent_id'] : []), ...sources.map((one) => `id:${one}`)]
  return writeCsv([...names, ...ofSets, 'notes'], linesOf(ask, set, pieces))
}

async function* linesOf(
  ask: Ask,
  { path, tree, id }: Awaited<ReturnType<typeof readSet>>,
  pieces: AsyncGenerator<ChecklistGroup[]>,
): AsyncGenerator<Line[]> {
  const { heavy } = ask.context.db
  const above = path.map((one, at) => ({ id: one.id, parent: path[at - 1]?.id ?? '' }))
  const sets = [...above, ...placed(tree, id)]
  const known = await setLines(
    heavy,
    sets.map((set) => set.id),
    ask.level,
  )
  yield sets.flatMap(({ id, parent }) => {
    const line = known.get(id)
    const cells = line && Object.fromEntries(['set', ...ofSets].map((name) => [name, textOf(line[name])]))
    return cells ? { ...cells, type: 'sets', id, set_id: id, parent_set_id: parent } : []
  })
  for await (const groups of pieces) {
    const cards = groups.flatMap(({ rows }) => rows.map(({ id }) => id))
    const more = await furtherCells(heavy, cards, ask.level)
    yield groups.flatMap(({ set, rows }) =>
      rows.map((card) => ({
        ...lineOf(set.name, card),
        ...idsOn(card),
        ...more.get(card.id),
        type: 'cards',
        set_id: set.id,
      })),
    )
  }
}

/** The sets of a tree, each before those below it, with the set that it is shown below. */
const placed = (tree: SetNode[], parent: string): { id: string; parent: string }[] =>
  tree.flatMap((node) => [{ id: node.id, parent }, ...placed(node.below, node.id)])

const textOf = (value: unknown) => (Array.isArray(value) ? value.join('|') : String(value ?? ''))
