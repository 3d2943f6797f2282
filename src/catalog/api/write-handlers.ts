import { actOf, levelOf } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import { readPrecondition } from '../../http/conditional.ts'
import { pathId } from '../../http/path-id.ts'
import type { Call, Reply } from '../../http/route.ts'
import { type Document, type DocumentShape, readDocument } from '../../jsonapi/document.ts'
import { ApiError, notFound } from '../../jsonapi/errors.ts'
import { readQuery } from '../../jsonapi/query.ts'
import { sweepLooseImagesSoon } from '../images/orphan-files.ts'
import { apiOf, type Resource, type Row } from '../model/resource.ts'
import { createdAnswer, revisionOf, showOne } from '../show/answers.ts'
import { parseRow } from '../show/render.ts'
import { findRow, findWritten } from '../show/rows.ts'
import type { Writer, Writes } from '../write/record.ts'
import { enter } from '../write/write-transaction.ts'
import { shapesInV1 } from './query-v1.ts'
import { refusalOf } from './refusal.ts'

/** POST: creates a record and returns it, even if its creator may not read it. Includes show only what the caller may see. */
export const create =
  (resource: Resource, write: NonNullable<Writes['create']>) =>
  async (context: Context, call: Call): Promise<Reply> => {
    const query = readQuery(call.url.searchParams, shapesInV1(resource).write)
    const writer = { level: levelOf(call.caller), ...actOf(call) }
    const body = await call.body()
    const make = async () => {
      const input = readDocument(body, createShape(resource))
      const id = idOfNew(resource, input)
      return enter(context.db, (tx) => write(tx, id, input, writer))
    }
    const made = await make().catch(async (error) => {
      throw isInvalid(error) ? await refusalOf(context.db, resource, error, body, writer.level) : error
    })
    return createdAnswer(context, call, resource, made, { query, search: call.url.search })
  }

const isInvalid = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 422

/** PATCH: applies the document to the record. */
export const update =
  (resource: Resource, write: NonNullable<Writes['update']>) =>
  async (context: Context, call: Call): Promise<Reply> => {
    const query = readQuery(call.url.searchParams, shapesInV1(resource).write)
    const id = pathId(call)
    const writer = writerOf(call, resource)
    const body = await call.body()
    const read = () => readDocument(body, updateShape(resource, id))
    const input = await readChange(context, resource, id, writer, read, body)
    await enter(context.db, (tx) => write(tx, id, input, writer)).catch(async (error) => {
      throw isInvalid(error) ? await completed(context, resource, id, writer, error, body) : error
    })
    if (resource.type === 'card_images') afterRemoval(context, resource, call.now)
    const text = await findWritten(context.db, resource, id, writer.level)
    if (!text) throw notFound()
    return (await showOne(context, call, { resource, row: parseRow(text) }, query, writer.level)).reply
  }

/** Who changes a record, and the revision that `If-Match` expects it to have. */
export const writerOf = (call: Call, resource: Resource): Writer => ({
  level: levelOf(call.caller),
  ...actOf(call),
  expects: readPrecondition(call.request, apiOf(resource)),
})

/**
 * Reads an update. A 400 comes first, then a missing record (404) or another revision than expected (412), then what is wrong
 * with the document's fields. With a `body`, missing references are named, too.
 */
export const readChange = async <T>(
  context: Context,
  resource: Resource,
  id: string,
  writer: Writer,
  read: () => T,
  body?: Uint8Array,
): Promise<T> => {
  try {
    return read()
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) throw error
    throw await completed(context, resource, id, writer, error, body)
  }
}

/** The refusal of an update, with what the database knows about it. Throws if there is no such record, or another revision. */
const completed = async (
  { db }: Context,
  resource: Resource,
  id: string,
  writer: Writer,
  error: unknown,
  body?: Uint8Array,
) => {
  const text = await findRow(db, resource, id, writer.level)
  if (!text) throw notFound()
  const row: Row = JSON.parse(text)
  writer.expects?.(revisionOf(row))
  return body && isInvalid(error) ? refusalOf(db, resource, error, body, writer.level, row) : error
}

/** DELETE: 204, or the reason why not. */
export const remove =
  (resource: Resource, write: NonNullable<Writes['remove']>) =>
  async (context: Context, call: Call): Promise<Reply> => {
    const options = resource.type === 'sets' ? { force: { values: ['true', 'false'] } } : undefined
    const query = readQuery(call.url.searchParams, { include: [], fields: {}, filters: {}, options })
    const id = pathId(call)
    const writer = writerOf(call, resource)
    const force = query.options.force === 'true'
    await enter(context.db, (tx) => write(tx, id, writer, { force }))
    afterRemoval(context, resource, call.now)
    return { status: 204 }
  }

/** What is done after a removal has committed: files of images that were removed with the record are swept. */
export const afterRemoval = (context: Context, { type }: Resource, now: Date) => {
  if (type === 'sets' || type === 'card_images') sweepLooseImagesSoon(context, now)
}

/** The id of a new record, which is the client's if the document has one. */
export const idOfNew = ({ clientIds }: Resource, { id }: Document): string =>
  id ?? (clientIds ? crypto.randomUUID() : Bun.randomUUIDv7())

/** What a document that creates a resource may contain. */
export const createShape = ({ type, clientIds, schema }: Resource): DocumentShape => ({
  type,
  clientIds,
  attributes: schema.create,
  relationships: schema.relationships,
  readOnly: schema.readOnly,
  together: schema.together,
})

/** What a document that updates a resource may contain. */
export const updateShape = ({ type, schema }: Resource, id: string): DocumentShape => ({
  type,
  id,
  attributes: schema.update,
  relationships: schema.relationships,
  readOnly: schema.readOnly,
  onlyNew: schema.onlyNew,
})
