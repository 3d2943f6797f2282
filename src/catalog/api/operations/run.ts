import type { Transaction } from '../../../../db/client.ts'
import { checkData, readResource } from '../../../jsonapi/document.ts'
import { ApiError, conflict, notFound } from '../../../jsonapi/errors.ts'
import type { RelationshipShape } from '../../../jsonapi/relationships.ts'
import type { Rendering, Resource } from '../../model/resource.ts'
import { parseRow, renderRowText } from '../../show/render.ts'
import { findRow, findWritten } from '../../show/rows.ts'
import { writesOf } from '../../write/documents.ts'
import { noteCreated } from '../../write/locks/order.ts'
import type { Writer } from '../../write/record.ts'
import { type Given, refuseConflict } from '../refusal.ts'
import { inputOf, linkageOf, pointAtMember, type RelationshipChange } from '../relationships/change.ts'
import { createShape, idOfNew, updateShape } from '../write-handlers.ts'
import { idInData, type Lids, newLid, resolveLinkage, resolveResource } from './lids.ts'
import { atOperation, idOf, type Operation } from './read.ts'

/** Runs operations one after the other in the caller's transaction. Returns the results as JSON texts. */
export const runOperations = async (
  tx: Transaction,
  operations: Operation[],
  writer: Writer,
  rendering: Rendering,
): Promise<string[]> => {
  const lids: Lids = new Map()
  const results: string[] = []
  for (const operation of operations)
    results.push(
      await run(tx, operation, { lids, writer, rendering }).catch((error) => {
        throw atOperation(operation.no, error)
      }),
    )
  return results
}

type World = { lids: Lids; writer: Writer; rendering: Rendering }

const nothing = '{}'

const run = async (tx: Transaction, operation: Operation, world: World): Promise<string> => {
  const { op, target } = operation
  if (target.relationship !== undefined) return changeMembers(tx, operation, target.relationship, world)
  if (op === 'add') return add(tx, operation, world)
  const { resource } = target
  const id = idOf(target, world.lids)
  if (op === 'remove') {
    await writesOf(resource).remove?.(tx, id, world.writer, { force: false })
    return nothing
  }
  const data = identified(operation.data, resource, id, world.lids)
  const input = await readFields(tx, resource, data, world, id)
  await writesOf(resource).update?.(tx, id, input, world.writer)
  return shown(tx, resource, id, world)
}

const readFields = async (tx: Transaction, resource: Resource, given: unknown, world: World, id?: string) => {
  const data = checkData(resolveResource(given, world.lids, resource.schema.references))
  const shape = id === undefined ? createShape(resource) : updateShape(resource, id)
  return inOrder(tx, resource, world.writer, id, () => readResource(data, shape), data as Given)
}

/** Refuses in the order of a request of its own: 400, then 404 for `id`, 409 for what `data` says, and 422. */
const inOrder = async <T>(
  tx: Transaction,
  resource: Resource,
  { level }: Writer,
  id: string | undefined,
  read: () => T,
  data?: Given,
): Promise<T> => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 400) throw error
    const before = id === undefined ? undefined : await requireRow(tx, resource, id, level)
    if (data && error.status === 422) await refuseConflict(tx, resource, error, data, level, before)
    throw error
  }
}

const requireRow = async (tx: Transaction, resource: Resource, id: string, level: number) => {
  const text = await findRow(tx, resource, id, level)
  if (!text) throw notFound()
  return parseRow(text)
}

const add = async (tx: Transaction, { target: { resource }, data: given }: Operation, world: World) => {
  const name = newLid(given, resource.type, world.lids)
  const input = await readFields(tx, resource, given, world)
  const id = idOfNew(resource, input)
  noteCreated(tx, id)
  const made = (await writesOf(resource).create?.(tx, id, input, world.writer)) ?? id
  if (name !== undefined) world.lids.set(name, made)
  return shown(tx, resource, made, world)
}

/** An update's data with the id, if it names the record by a lid. 409 if that is another record. */
const identified = (data: unknown, { type }: Resource, id: string, lids: Lids): unknown => {
  const named = idInData(data, type, lids)
  if (named !== undefined && named !== id)
    throw conflict('The lid must be that of the record to change.', { pointer: '/data/lid' })
  return named === undefined ? data : { ...(data as object), id }
}

const changes: Record<Operation['op'], RelationshipChange> = { add: 'add', update: 'replace', remove: 'remove' }

const changeMembers = async (tx: Transaction, operation: Operation, name: string, world: World) => {
  const { op, target, data, hasData } = operation
  const { resource } = target
  const id = idOf(target, world.lids)
  const shape = resource.schema.relationships[name] as RelationshipShape
  const given = hasData ? { data: resolveLinkage(data, world.lids) } : {}
  const linkage = await inOrder(tx, resource, world.writer, id, () => linkageOf(given, resource, name, shape))
  const { input, placesOf } = inputOf(name, linkage, changes[op], shape)
  await writesOf(resource)
    .update?.(tx, id, input, world.writer)
    .catch((error) => {
      throw pointAtMember(error, name, placesOf())
    })
  return nothing
}

/** A result with the resource as it is now, as its writer may see it. */
const shown = async (tx: Transaction, resource: Resource, id: string, { rendering, writer }: World) => {
  const text = await findWritten(tx, resource, id, writer.level)
  if (!text) throw notFound()
  return `{"data":${renderRowText(resource, text, rendering)}}`
}
