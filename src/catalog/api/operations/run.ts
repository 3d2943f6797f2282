import type { Transaction } from '../../../../db/client.ts'
import { checkData, readResource } from '../../../jsonapi/document.ts'
import { badRequest, notFound } from '../../../jsonapi/errors.ts'
import { isObject } from '../../../jsonapi/json.ts'
import type { RelationshipShape } from '../../../jsonapi/relationships.ts'
import type { Rendering, Resource } from '../../model/resource.ts'
import { renderRowText } from '../../show/render.ts'
import { findWritten } from '../../show/rows.ts'
import { writesOf } from '../../write/documents.ts'
import { noteCreated } from '../../write/locks/order.ts'
import type { Writer } from '../../write/record.ts'
import { inputOf, linkageOf, pointAtMember, type RelationshipChange } from '../relationships/change.ts'
import { createShape, idOfNew, updateShape } from '../write-handlers.ts'
import { eitherIdOrLid, type Lids, lidName, nameOfLid, resolveLinkage, resolveResource } from './lids.ts'
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
  const data = checkData(identified(resolveResource(operation.data, world.lids, resource.schema.references), id))
  await writesOf(resource).update?.(tx, id, readResource(data, updateShape(resource, id)), world.writer)
  return shown(tx, resource, id, world)
}

const add = async (tx: Transaction, { target: { resource }, data: given }: Operation, world: World) => {
  const lid = isObject(given) && given.lid !== undefined ? lidName(given.lid, '/data/lid') : undefined
  const name = nameOfLid(resource.type, lid)
  if (lid !== undefined && world.lids.has(name))
    throw badRequest('An earlier operation already uses this lid.', { pointer: '/data/lid' })
  const input = readResource(
    checkData(resolveResource(given, world.lids, resource.schema.references)),
    createShape(resource),
  )
  const id = idOfNew(resource, input)
  noteCreated(tx, id)
  const made = (await writesOf(resource).create?.(tx, id, input, world.writer)) ?? id
  if (lid !== undefined) world.lids.set(name, made)
  return shown(tx, resource, made, world)
}

/** An update's data with the id, if it was named by a lid. */
const identified = (data: unknown, id: string): unknown => {
  if (!isObject(data) || !('lid' in data)) return data
  if ('id' in data) throw eitherIdOrLid('/data')
  return { ...data, id }
}

const changes: Record<Operation['op'], RelationshipChange> = { add: 'add', update: 'replace', remove: 'remove' }

const changeMembers = async (tx: Transaction, operation: Operation, name: string, world: World) => {
  const { op, target, data, hasData } = operation
  const { resource } = target
  const id = idOf(target, world.lids)
  const shape = resource.schema.relationships[name] as RelationshipShape
  const given = hasData ? { data: resolveLinkage(data, world.lids) } : {}
  const { input, placesOf } = inputOf(name, linkageOf(given, resource, name, shape), changes[op], shape)
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
