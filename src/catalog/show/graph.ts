import type { Database } from '../../../db/client.ts'
import { invalidParameter } from '../../jsonapi/errors.ts'
import { mapInSlices } from '../../lib/turn.ts'
import { sizes } from '../../limits.ts'
import type { Identifier, Related, Rendering, Resource, Row } from '../model/resource.ts'
import { resourceInV2 } from '../model/v2.ts'
import { findListed } from './children.ts'
import { parseRow, renderText } from './render.ts'
import { loadRows } from './rows.ts'

/** Who reads, and how what is read is shown. */
export type GraphReader = { level: number; rendering: Rendering; fields: Map<string, Set<string>> }

/** A record that is to be shown. */
export type Shown = { resource: Resource; row: Row }

/** A record that is shown: its row, its relationships, and those that are included of it. */
type Node = Shown & {
  related: Record<string, Related | undefined>
  found: Record<string, Related>
}

/** The texts of resource objects: the primary ones in their order, and the included ones, each once. */
export type Graph = { primary: string[]; included: string[] }

/** How many records an answer holds. */
const mostRecords = sizes.includedRecords.most

const nameOf = ({ type, id }: Identifier) => `${type} ${id}`

/**
 * The includes of /v2 (those of /v1 are includes.ts): renders rows with what is included of them, at most two relationships away: for each step one statement over all types,
 * and one more for each relationship that has data only when included. What stands on the way is included, too.
 */
export const readGraph = async (
  db: Database,
  records: Shown[],
  paths: string[],
  reader: GraphReader,
): Promise<Graph> => {
  const nodes = new Map<string, Node>()
  for (const { resource, row } of records) nodes.set(nameOf({ type: resource.type, id: row.id }), nodeOf(resource, row))
  const steps = paths.map((path) => path.split('.'))
  let wanted = await follow(db, [...nodes.values()], namesAt(steps, 0), reader.level)
  const primary = nodes.size
  await visit(db, nodes, wanted, reader.level)
  for (const [first, names] of nestedNames(steps)) {
    const near = reachedBy([...nodes.values()].slice(0, primary), first).flatMap((one) => nodes.get(nameOf(one)) ?? [])
    wanted = await follow(db, [...new Set(near)], names, reader.level)
    await visit(db, nodes, wanted, reader.level)
  }
  const texts = await mapInSlices([...nodes.values()], ({ resource, row, found }) =>
    renderText(resource, row, reader.rendering, reader.fields, found),
  )
  return { primary: texts.slice(0, primary), included: texts.slice(primary) }
}

const nodeOf = (resource: Resource, row: Row): Node => ({
  resource,
  row,
  related: resource.relationships(row),
  found: {},
})

const namesAt = (steps: string[][], depth: number) => [...new Set(steps.flatMap((step) => step[depth] ?? []))]

/** The second names of paths, by the first. */
const nestedNames = (steps: string[][]) => {
  const nested = new Map<string, string[]>()
  for (const [first = '', second] of steps) if (second) nested.set(first, [...(nested.get(first) ?? []), second])
  return nested
}

/** The other ends of relationships, finding first those that have data only when included. */
const follow = async (db: Database, nodes: Node[], names: string[], level: number): Promise<Identifier[]> => {
  const byResource = Map.groupBy(nodes, ({ resource }) => resource)
  await Promise.all(
    [...byResource].flatMap(([resource, ofResource]) =>
      names.flatMap((name) => (resource.includes[name]?.listedBy ? [findFor(db, ofResource, name, level)] : [])),
    ),
  )
  return names.flatMap((name) => reachedBy(nodes, name))
}

const findFor = async (db: Database, nodes: Node[], name: string, level: number) => {
  const missing = nodes.filter(({ found }) => !found[name])
  if (missing.length === 0) return
  const include = missing[0]?.resource.includes[name]
  const ids = missing.map(({ row }) => row.id)
  const byParent = include && (await findListed(db, include, ids, level))
  for (const { row, found } of missing) found[name] = byParent?.get(row.id) ?? { data: [] }
}

const reachedBy = (nodes: Node[], name: string): Identifier[] =>
  nodes.flatMap(({ resource, related, found }) => {
    if (!resource.includes[name]) return []
    return (found[name] ?? related[name])?.data ?? []
  })

/** Reads the visible records that are not among the nodes yet. */
const visit = async (db: Database, nodes: Map<string, Node>, wanted: Identifier[], level: number) => {
  const ids = new Map<string, Set<string>>()
  for (const one of wanted) if (!nodes.has(nameOf(one))) ids.set(one.type, (ids.get(one.type) ?? new Set()).add(one.id))
  const parts = [...ids].map(([type, some]) => ({ resource: resourceInV2(type), ids: [...some] }))
  if (parts.length === 0) return
  if (parts.reduce((sum, part) => sum + part.ids.length, nodes.size) > mostRecords)
    throw invalidParameter('include', `Brings more than ${mostRecords} records: ask for a smaller page.`)
  const found = await loadRows(db, parts, level)
  const texts = parts.flatMap(({ resource, ids: some }) => {
    const rows = found.get(resource.type)
    return some.flatMap((id) => {
      const text = rows?.get(id)
      return text === undefined ? [] : [{ resource, text }]
    })
  })
  const read = await mapInSlices(texts, ({ resource, text }) => nodeOf(resource, parseRow(text)))
  for (const node of read) nodes.set(nameOf({ type: node.resource.type, id: node.row.id }), node)
}
