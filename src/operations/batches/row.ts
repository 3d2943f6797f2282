import { updateShape } from '../../catalog/api/write-handlers.ts'
import { cards } from '../../catalog/model/resources/cards.ts'
import { checkData, type Document, type DocumentShape, readResource } from '../../jsonapi/document.ts'
import { ApiError, conflict, type ErrorObject, validationFailed } from '../../jsonapi/errors.ts'
import { isUuid } from '../../jsonapi/fields.ts'
import { isObject } from '../../jsonapi/json.ts'
import { unknownIn } from './document.ts'

/** The result of a row (interface.md, Card batch result row). `id` is null if the row has none. */
export type Result = {
  id: string | null
  status: 'created' | 'updated' | 'failed'
  restored: boolean
  error: ErrorObject | null
}

/** A readable row: its position in the batch, the id of its card, and its data. */
export type Row = { no: number; id: string; document: Document }

/** A card of a batch: as in a PATCH, except that it contains its id, and needs a set only if it is new. */
const { id: _, ...update } = updateShape(cards, '')
const shape: DocumentShape = {
  ...update,
  clientIds: true,
  relationships: { ...update.relationships, set: { types: ['sets'], many: false } },
}

/** A resource object's members. A row may have all that a read shows. */
const rowMembers = ['type', 'id', 'attributes', 'relationships', 'links', 'meta']

/** Reads the row at a position of a batch. Returns the row, or a result that says why it failed. */
export const readRow = (given: unknown, no: number): Row | Result => {
  try {
    const unknown = unknownIn(given, rowMembers, '/data')
    if (unknown.length > 0) throw validationFailed(unknown)
    const document = readResource(checkData(given), shape)
    if (document.id === undefined) throw validationFailed([{ pointer: '/data/id', detail: 'Is required.' }])
    return { no, id: document.id, document }
  } catch (error) {
    if (error instanceof ApiError) return failed(idOf(given), no, error)
    throw error
  }
}

/** The result of a failed row. The error points into the request. */
export const failed = (id: string | null, no: number, { errors }: ApiError): Result => {
  const [error] = errors as [ErrorObject]
  const pointer = (error.source?.pointer ?? '/data').replace(/^\/data/, `/data/${no}`)
  return { id, status: 'failed', restored: false, error: { ...error, source: { pointer } } }
}

/** The result of a second row with the same id. */
export const refuseRepeated = (row: Row): Result =>
  failed(row.id, row.no, conflict('An earlier row of the batch has this id.', { pointer: '/data/id' }))

const longestId = 100

const idOf = (given: unknown): string | null => {
  const id = isObject(given) ? given.id : undefined
  if (typeof id !== 'string') return null
  return isUuid(id) ? id.toLowerCase() : id.toWellFormed().slice(0, longestId)
}

/** The positions of rows whose id an earlier row of the batch already has. */
export const repeatedIn = (rows: readonly unknown[]): number[] => {
  const seen = new Set<string>()
  return rows.flatMap((row, no) => {
    const id = idOf(row)
    if (id === null || seen.has(id)) return id === null ? [] : [no]
    seen.add(id)
    return []
  })
}
