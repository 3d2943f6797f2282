import type { Transaction } from '../../../../db/client.ts'
import { notFound, withPointers } from '../../../jsonapi/errors.ts'
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
  create: async (tx, id, input, writer) => {
    await write(tx, { id, change: () => stateOf(input, undefined) }, writer, input)
    return id
  },
  update: (tx, id, input, writer) => {
    const change: SetPlan['change'] = (before) => (isAsExpected(before, writer) ? stateOf(input, before) : notFound())
    return write(tx, { id, change }, writer, input)
  },
  remove: async (tx, id, writer, { force }) => {
    const change: SetPlan['change'] = (before) =>
      isAsExpected(before, writer) ? { ...before, deleted: true } : notFound()
    const locked = force && (await lockForErasing(tx, id))
    await write(tx, { id, change }, writer)
    if (locked) await eraseSet(tx, id, locked, writer)
  },
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
  return withPointers(error, (pointer) => pointerOf.get(pointer) ?? pointer)
}
