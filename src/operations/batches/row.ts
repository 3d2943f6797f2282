import { updateShape } from '../../catalog/api/write-handlers.ts'
import { cards } from '../../catalog/model/resources/cards.ts'
import { checkData, type Document, type DocumentShape, readResource } from '../../jsonapi/document.ts'
import { ApiError, conflict, type ErrorObject, validationFailed } from '../../jsonapi/errors.ts'
import { isUuid } from '../../jsonapi/fields.ts'
import { isObject } from '../../jsonapi/json.ts'

/** What became of a row (interface.md, Card batch result row). `id` is null where the row has none. */
export type Result = {
  id: string | null
  status: 'created' | 'updated' | 'failed'
  restored: boolean
  error: ErrorObject | null
}

/** A row that can be tried: its place in the batch, its card, and what it says of that. */
export type Row = { no: number; id: string; document: Document }

/** A card of a batch: like one of a PATCH, but that its id is its own, and its set only needed for a new card. */
const { id: _, ...update } = updateShape(cards, '')
const shape: DocumentShape = {
  ...update,
  clientIds: true,
  relationships: { ...update.relationships, set: { types: ['sets'], many: false } },
}

/** Reads the row at a place of a batch: what can be tried, or why it failed. */
export const readRow = (given: unknown, no: number): Row | Result => {
  try {
    const document = readResource(checkData(given), shape)
    if (document.id === undefined) throw validationFailed([{ pointer: '/data/id', detail: 'Is required.' }])
    return { no, id: document.id, document }
  } catch (error) {
    if (error instanceof ApiError) return failed(idOf(given), no, error)
    throw error
  }
}

/** The result of a row that was refused; the error points into the request. */
export const failed = (id: string | null, no: number, { errors }: ApiError): Result => {
  const [error] = errors as [ErrorObject]
  const pointer = (error.source?.pointer ?? '/data').replace(/^\/data/, `/data/${no}`)
  return { id, status: 'failed', restored: false, error: { ...error, source: { pointer } } }
}

/** Why the second row of a card fails. */
export const refuseRepeated = (row: Row): Result =>
  failed(row.id, row.no, conflict('An earlier row of the batch has this id.', { pointer: '/data/id' }))

const longestId = 100

const idOf = (given: unknown): string | null => {
  const id = isObject(given) ? given.id : undefined
  if (typeof id !== 'string') return null
  return isUuid(id) ? id.toLowerCase() : id.toWellFormed().slice(0, longestId)
}

/** Where the id of each card stands first in a batch. */
export const firstPlaces = (rows: readonly unknown[]): Map<string, number> => {
  const places = new Map<string, number>()
  for (const [no, row] of rows.entries()) {
    const id = idOf(row)
    if (id !== null && !places.has(id)) places.set(id, no)
  }
  return places
}
