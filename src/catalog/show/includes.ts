import type { Database } from '../../../db/client.ts'
import { invalidParameter } from '../../jsonapi/errors.ts'
import { mapInSlices } from '../../lib/yield-to-event-loop.ts'
import type { Identifier, Related, Rendering, Resource, Row } from '../model/resource.ts'
import { findListed } from './children.ts'
import { parseRow, renderRowText, renderText } from './render.ts'
import { loadRows } from './rows.ts'

/** The reader's level, how records are shown, and the most records in an answer. */
export type Reader = {
  level: number
  rendering: Rendering
  fields: Map<string, Set<string>>
  resourceOf: (type: string) => Resource
  most: number
}

/** A record to show. */
export type Shown = { resource: Resource; row: Row }

/** A record of an answer. Its row stays text until one of its relationships is followed. */
type Node = { resource: Resource; row: Row | string; related?: Record<string, Related | undefined> }

/** The records of an answer, in order, and by type and id. */
type Graph = { nodes: Node[]; seen: Map<string, Map<string, Node>> }

/**
 * The texts of records, in order, and of the records they include. No record appears twice, or both as primary and as included. `paths`
 * follow one or two relationships, and include the records along the way. Each step takes one statement for all types, and one more for
 * each relationship that only has data when included. Throws 400 if there are more records than `reader.most`.
 */
export const renderRecords = async (
  db: Database,
  records: Shown[],
  paths: string[],
  reader: Reader,
): Promise<{ primary: string[]; included: string[] }> => {
  const nodes: Node[] = records.map(({ resource, row }) => ({ resource, row }))
  if (paths.length > 0) await include(db, nodes, paths, reader)
  const texts = await mapInSlices(nodes, (node) => render(node, reader))
  return { primary: texts.slice(0, records.length), included: texts.slice(records.length) }
}

/** Adds the records that the paths lead to. */
const include = async (db: Database, nodes: Node[], paths: string[], reader: Reader) => {
  const primary = [...nodes]
  const seen: Graph['seen'] = new Map()
  for (const node of primary) see(seen, node.resource.type, rowOf(node).id, node)
  const steps = paths.map((path) => path.split('.'))
  const firsts = [...new Set(steps.map(([first = '']) => first))]
  await visit(db, { nodes, seen }, primary, firsts, reader)
  for (const first of firsts) {
    const seconds = steps.flatMap(([name, second]) => (name === first && second ? [second] : []))
    if (seconds.length === 0) continue
    const near = reachedBy(primary, first).flatMap(({ type, id }) => seen.get(type)?.get(id) ?? [])
    await visit(db, { nodes, seen }, [...new Set(near)], seconds, reader)
  }
}

const see = (seen: Graph['seen'], type: string, id: string, node: Node) => {
  const ofType = seen.get(type)
  if (ofType) ofType.set(id, node)
  else seen.set(type, new Map([[id, node]]))
}

/** Follows relationships, and adds the visible related records that are still missing. */
const visit = async (
  db: Database,
  { nodes, seen }: Graph,
  from: Node[],
  names: string[],
  { level, resourceOf, most }: Reader,
) => {
  await mapInSlices(from, relatedOf)
  await findMissing(db, from, names, level)
  const wanted = new Map<string, Set<string>>()
  for (const name of names)
    for (const { type, id } of reachedBy(from, name)) {
      if (seen.get(type)?.has(id)) continue
      const ids = wanted.get(type)
      if (ids) ids.add(id)
      else wanted.set(type, new Set([id]))
    }
  if (wanted.size === 0) return
  const parts = [...wanted].map(([type, ids]) => ({ resource: resourceOf(type), ids: [...ids] }))
  if (parts.reduce((sum, { ids }) => sum + ids.length, nodes.length) > most)
    throw invalidParameter('include', `Adds up to more than ${most} records. Ask for a smaller page.`)
  const found = await loadRows(db, parts, level)
  for (const { resource, ids } of parts)
    for (const id of ids) {
      const row = found.get(resource.type)?.get(id)
      if (row === undefined) continue
      const node = { resource, row }
      nodes.push(node)
      see(seen, resource.type, id, node)
    }
}

/** Fills in the relationships that only have data when included. */
const findMissing = async (db: Database, nodes: Node[], names: string[], level: number) => {
  const wanted = [...Map.groupBy(nodes, ({ resource }) => resource)].flatMap(([resource, some]) =>
    names.flatMap((name) => {
      const include = resource.includes[name]
      const missing = include?.listedBy ? some.filter((node) => !relatedOf(node)[name]) : []
      return include && missing.length > 0 ? [{ name, include, missing }] : []
    }),
  )
  for (const node of nodes)
    for (const name of names) {
      const { sameAs, types: [type = ''] = [] } = node.resource.includes[name] ?? {}
      if (sameAs) node.related = { ...node.related, [name]: shownAs(relatedOf(node)[sameAs], type) }
    }
  const found = await Promise.all(
    wanted.map(({ include, missing }) => {
      const ids = missing.map((node) => rowOf(node).id)
      return findListed(ids.length > 1 ? db.heavy : db, include, ids, level)
    }),
  )
  for (const [index, { name, missing }] of wanted.entries())
    for (const node of missing)
      node.related = { ...node.related, [name]: found[index]?.get(rowOf(node).id) ?? { data: [] } }
}

/** A to-one relationship whose record is shown as another type. */
const shownAs = (related: Related | undefined, type: string): Related => {
  const one = related?.data
  return { data: one && !Array.isArray(one) ? { type, id: one.id } : null }
}

const reachedBy = (nodes: Node[], name: string): Identifier[] =>
  nodes.flatMap((node) => (node.resource.includes[name] && relatedOf(node)[name]?.data) || [])

const rowOf = (node: Node): Row => {
  if (typeof node.row === 'string') node.row = parseRow(node.row)
  return node.row
}

const relatedOf = (node: Node) => {
  node.related ??= node.resource.relationships(rowOf(node))
  return node.related
}

const render = ({ resource, row, related }: Node, { rendering, fields }: Reader): string =>
  typeof row === 'string'
    ? renderRowText(resource, row, rendering, fields)
    : renderText(resource, row, rendering, fields, related)
