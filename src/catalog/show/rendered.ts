import type { Database } from '../../../db/client.ts'
import type { Related, Rendering, Resource, Row } from '../model/resource.ts'
import { renderRow } from './render.ts'
import { idOfKey, loadRows, type Wanted } from './rows.ts'

/** A row as the text of its resource object, and its relationships for whoever includes them. */
export type Rendered = { id: string; text: string; related: Record<string, Related | undefined> }

/** Renders a row, with the fields that were asked for and with relationship data that was found beside it. */
export const renderText = (
  resource: Resource,
  row: Row,
  rendering: Rendering,
  fields: Map<string, Set<string>>,
  related?: Record<string, Related>,
): Rendered => ({
  id: row.id,
  text: JSON.stringify(renderRow(resource, row, { rendering, fields, related })),
  related: resource.relationships(row),
})

/**
 * Resource objects by the ids of their rows, each with the key that it was rendered for. The database says at each request which row there is and whether the caller
 * sees it; what is remembered here is only how such a row looks, so it cannot go stale. Two generations bound the memory
 * of all types together: what is asked for again moves on to the younger one.
 */
type Remembered = { key: string; rendered: Rendered }
type Memory = { young: Map<string, Remembered>; old: Map<string, Remembered> }
type Memories = { byType: Map<string, Memory>; characters: number }

/** How many characters a generation holds. */
const charactersInGeneration = 20_000_000

const memories = new WeakMap<Database, Memories>()

const memoriesOf = (db: Database): Memories => {
  const known = memories.get(db.shared) ?? { byType: new Map(), characters: 0 }
  memories.set(db.shared, known)
  return known
}

const memoryOf = ({ byType }: Memories, resource: Resource, baseUrl: string): Memory => {
  const name = `${resource.type} ${baseUrl}`
  const memory = byType.get(name) ?? { young: new Map(), old: new Map() }
  byType.set(name, memory)
  return memory
}

const recall = (all: Memories, memory: Memory, key: string): Rendered | undefined => {
  const id = idOfKey(key)
  const known = memory.young.get(id)
  if (known?.key === key) return known.rendered
  const older = memory.old.get(id)
  if (older?.key !== key) return undefined
  keep(all, memory, key, older.rendered)
  return older.rendered
}

const keep = (all: Memories, memory: Memory, key: string, rendered: Rendered) => {
  memory.young.set(rendered.id, { key, rendered })
  all.characters += key.length + rendered.text.length
  if (all.characters <= charactersInGeneration) return
  for (const each of all.byType.values()) {
    each.old = each.young
    each.young = new Map()
  }
  all.characters = 0
}

/** The resource objects of rows whose keys were read, in their order; a row that has gone since is left out. */
export const renderKeys = async (
  db: Database,
  parts: { resource: Resource; keys: string[] }[],
  rendering: Rendering,
  level: number,
): Promise<Rendered[]> => {
  const all = memoriesOf(db)
  const found = parts.map(({ resource, keys }) => {
    const memory = memoryOf(all, resource, rendering.baseUrl)
    return { resource, memory, keys, known: keys.map((key) => recall(all, memory, key)) }
  })
  const missing = found.flatMap(({ resource, keys, known }): Wanted[] => {
    const ids = keys.filter((_, index) => !known[index]).map(idOfKey)
    return ids.length > 0 ? [{ resource, ids }] : []
  })
  const rows = missing.length > 0 ? await loadRows(db, missing, level, 'keyed') : undefined
  return found.flatMap(({ resource, memory, keys, known }) =>
    keys.flatMap((key, index) => {
      const row = known[index] ? undefined : rows?.get(resource.type)?.get(idOfKey(key))
      const one = known[index] ?? (row && renderKept(all, memory, resource, row, rendering))
      return one ? [one] : []
    }),
  )
}

/** Renders a row and keeps it, unless it also follows from the time, as the signed address of an image does. */
const renderKept = (
  all: Memories,
  memory: Memory,
  resource: Resource,
  text: string,
  rendering: Rendering,
): Rendered => {
  let isLasting = true
  const imageUrl: Rendering['imageUrl'] = (image, name) => {
    isLasting = false
    return rendering.imageUrl(image, name)
  }
  const row: Row & { row_key: string } = JSON.parse(text)
  const rendered = renderText(resource, row, { ...rendering, imageUrl }, noFields)
  if (isLasting) keep(all, memory, row.row_key, rendered)
  return rendered
}

const noFields = new Map<string, Set<string>>()
