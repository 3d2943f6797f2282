import { notFound, validationFailed } from '../../../jsonapi/errors.ts'
import type { Input, Resource } from '../../model/resource.ts'
import type { Writer } from '../card/cards.ts'
import { type Columns, type EntityPlan, type EntityRecord, writeEntities } from './entities.ts'
import type { EntityType } from './tables.ts'

/** The three writes of a plain entity: what differs is how a document becomes columns. */
export const entityWrites = (
  type: EntityType,
  columnsOf: (input: Input, before: Columns) => Columns,
): Pick<Resource, 'create' | 'update' | 'remove'> => {
  const write = async (tx: Parameters<typeof writeEntities>[0], plan: EntityPlan, writer: Writer) => {
    const [outcome] = await writeEntities(tx, type, [plan], writer).catch((error) => {
      throw nameTaken(error) ?? error
    })
    if (outcome?.error) throw outcome.error
  }
  return {
    create: async (tx, id, input, writer) => {
      await write(tx, { id, change: () => ({ columns: columnsOf(input, {}), deleted: false }) }, writer)
      return id
    },
    update: (tx, id, input, writer) => {
      const change: EntityPlan['change'] = (before) =>
        isAsExpected(before, writer)
          ? { columns: { ...before.columns, ...columnsOf(input, before.columns) }, deleted: false }
          : notFound()
      return write(tx, { id, change }, writer)
    },
    remove: (tx, id, writer) => {
      const change: EntityPlan['change'] = (before) =>
        isAsExpected(before, writer) ? { columns: before.columns, deleted: true } : notFound()
      return write(tx, { id, change }, writer)
    },
  }
}

/** Whether the writer sees the record; throws where that is not as the writer expects it. */
const isAsExpected = (before: EntityRecord | undefined, { level, expects }: Writer): before is EntityRecord => {
  const isVisible = before !== undefined && !before.deleted && before.audience >= level
  if (isVisible) expects?.(before.revision)
  return isVisible
}

/** The given attributes among the named ones, as columns; a column keeps its name. */
export const givenColumns = (input: Input, names: string[]): Columns =>
  Object.fromEntries(
    names.flatMap((name) => (name in input.attributes ? [[name, input.attributes[name] as string | null]] : [])),
  )

/** The 422 for a name or code that another live record has, or undefined for any other error. */
const nameTaken = (error: unknown) => {
  const constraint = (error as { constraint_name?: string }).constraint_name ?? ''
  const taken = /_(name|attribute)_taken$/.exec(constraint)
  if (!taken) return undefined
  return validationFailed([
    { pointer: `/data/attributes/${taken[1]}`, detail: `Another record has this ${taken[1]} already.` },
  ])
}
