import type { Transaction } from '../../../../db/client.ts'
import { notFound, validationFailed, withPointers } from '../../../jsonapi/errors.ts'
import { refuseManyAliases } from '../../model/more.ts'
import { columnNames, columnOf } from '../../model/record-columns.ts'
import type { Identifier, Input } from '../../model/resource.ts'
import { referenceTable } from '../../model/set-references.ts'
import { isAsExpected } from '../locks/expected.ts'
import type { SetPlan, SetState, Writer, Writes } from '../record.ts'
import { eraseSet, lockForErasing } from './erase.ts'
import { blankSet } from './rows.ts'
import { writeSets } from './write.ts'

/** POST, PATCH and DELETE of sets. */
export const setWrites: Writes = {
  create: async (tx, id, given, writer) => {
    const input = withParent(given)
    await write(tx, { id, change: () => stateOf(input, undefined) }, writer, given)
    return id
  },
  update: async (tx, id, given, writer) => {
    const input = withParent(given)
    const change: SetPlan['change'] = (before) => (isAsExpected(before, writer) ? stateOf(input, before) : notFound())
    await write(tx, { id, change }, writer, given)
  },
  remove: async (tx, id, writer, { force }) => {
    const change: SetPlan['change'] = (before) =>
      isAsExpected(before, writer) ? { ...before, deleted: true } : notFound()
    const locked = force && (await lockForErasing(tx, id))
    await write(tx, { id, change }, writer)
    if (locked) await eraseSet(tx, id, locked, writer)
  },
}

/** The ways in which a document names the parent, besides `parent_id`, with the pointer of each. */
const parentsIn = ({ attributes, relationships }: Input) =>
  (
    [
      ['/data/attributes/parent_set_id', attributes.parent_set_id],
      ['/data/relationships/parentset', relationships.parentset && (relationships.parentset as Identifier).id],
      ['/data/relationships/parent', relationships.parent && (relationships.parent as Identifier).id],
    ] as const
  ).flatMap(([pointer, id]) => (id === undefined ? [] : [{ pointer, id: id as string | null }]))

/** The document with its parent as the relationship `parent`. 422 at the second of two ways that name different parents. */
const withParent = (input: Input): Input => {
  const [first, ...others] = parentsIn(input)
  if (!first) return input
  const other = others.find(({ id }) => id !== first.id)
  if (other)
    throw validationFailed([{ pointer: other.pointer, detail: 'Names another parent than the document does before.' }])
  const parent = first.id === null ? null : { type: 'sets', id: first.id }
  return { ...input, relationships: { ...input.relationships, parent } }
}

/**
 * A set with a document merged into it. An attribute is the column with the same name, and what the document doesn't name
 * stays. References are relationships or attributes. If a document has both, the relationship wins.
 */
const stateOf = ({ attributes, relationships }: Input, before: SetState = blankSet): SetState => {
  const own = columnNames('sets').map((name) => [name, name in attributes ? columnOf(attributes[name]) : before[name]])
  const references = referenceTable.flatMap(([name, column]) => {
    const identifier = relationships[name] as Identifier | null | undefined
    return identifier === undefined ? [] : [[column, identifier?.id ?? null]]
  })
  const state = { ...Object.fromEntries([...own, ...references]), deleted: false }
  refuseManyAliases(state.aliases, before.aliases)
  return state
}

const write = async (tx: Transaction, plan: SetPlan, writer: Writer, input?: Input) => {
  const [outcome] = await writeSets(tx, [plan], writer).catch((error) => {
    throw pointAsGiven(error, input)
  })
  if (outcome?.error) throw pointAsGiven(outcome.error, input)
}

/** Refusals point to relationships. If a reference was sent as an attribute, they must point there. */
const pointAsGiven = (error: unknown, input: Input | undefined) => {
  if (!input) return error
  const pointerOf = new Map(
    referenceTable.flatMap(([name, column]) =>
      input.relationships[name] === undefined && column in input.attributes
        ? [[`/data/relationships/${name}/data/id`, `/data/attributes/${column}`]]
        : [],
    ),
  )
  const [parent] = parentsIn(input)
  if (parent && input.relationships.parent === undefined)
    pointerOf.set(
      '/data/relationships/parent/data/id',
      parent.pointer.includes('/relationships/') ? `${parent.pointer}/data/id` : parent.pointer,
    )
  return withPointers(error, (pointer) => pointerOf.get(pointer) ?? pointer)
}
