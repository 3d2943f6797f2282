import type { Transaction } from '../../../../db/client.ts'
import { ApiError, notFound } from '../../../jsonapi/errors.ts'
import type { Identifier, Input } from '../../model/resource.ts'
import { referenceTable } from '../../model/set-references.ts'
import { noteErased } from '../attached/erased-images.ts'
import type { Writer } from '../card/cards.ts'
import type { Writes } from '../writes.ts'
import { eraseSet, lockForErasing } from './erase.ts'
import type { SetRecord, SetState } from './record.ts'
import { type SetPlan, writeSets } from './sets.ts'

/** What the documents of sets do. */
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
    if (locked) await noteErased(tx, await eraseSet(tx, id, locked, writer.now), writer.now)
  },
}

const stateOf = (input: Input, before: SetState | undefined): SetState => {
  const value = (name: string, old: string | null | undefined) =>
    name in input.attributes ? (input.attributes[name] as string | null) : (old ?? null)
  const references = referenceTable.map((row) => [row[2], givenReference(input, row, before)])
  return {
    name: value('name', before?.name) as string,
    description: value('description', before?.description),
    status: value('status', before?.status ?? 'draft') as SetState['status'],
    kind: value('kind', before?.kind ?? 'base') as SetState['kind'],
    releaseDate: value('release_date', before?.releaseDate),
    ...(Object.fromEntries(references) as Pick<SetState, 'genreId'>),
    deleted: false,
  } as SetState
}

const write = async (tx: Transaction, plan: SetPlan, writer: Writer, input?: Input) => {
  const [outcome] = await writeSets(tx, [plan], writer).catch((error) => {
    throw pointAsGiven(error, input)
  })
  if (outcome?.error) throw pointAsGiven(outcome.error, input)
}

/** Whether the writer sees the set; throws where that is not as the writer expects it. */
const isAsExpected = (before: SetRecord | undefined, { level, expects }: Writer): before is SetRecord => {
  const isVisible = before !== undefined && before.audience > 0 && before.audience >= level
  if (isVisible) expects?.(before.revision)
  return isVisible
}

/** A reference comes as a relationship or as an attribute; the relationship wins. */
const givenReference = (
  input: Input,
  [name, column, member]: (typeof referenceTable)[number],
  before: SetState | undefined,
) => {
  const identifier = input.relationships[name] as Identifier | null | undefined
  if (identifier !== undefined) return identifier?.id ?? null
  if (column in input.attributes) return input.attributes[column] as string | null
  return before?.[member] ?? null
}

/** The door points at relationships; a reference that came as an attribute is at fault there. */
const pointAsGiven = (error: unknown, input: Input | undefined) => {
  if (!(error instanceof ApiError) || !input) return error
  const pointerOf = new Map(
    referenceTable.flatMap(([name, column]) =>
      input.relationships[name] === undefined && column in input.attributes
        ? [[`/data/relationships/${name}/data/id`, `/data/attributes/${column}`]]
        : [],
    ),
  )
  const errors = error.errors.map((one) => {
    const pointer = pointerOf.get(one.source?.pointer ?? '')
    return pointer ? { ...one, source: { pointer } } : one
  })
  return new ApiError(error.status, errors, error.headers)
}
