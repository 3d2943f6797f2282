import type { Context } from '../../../context.ts'
import { pathId } from '../../../http/path-id.ts'
import type { Call, Reply } from '../../../http/route.ts'
import { badRequest, type Fault, validationFailed, withPointers } from '../../../jsonapi/errors.ts'
import { isObject, readJson } from '../../../jsonapi/json.ts'
import { readListQuery } from '../../../jsonapi/list-query.ts'
import { type RelationshipShape, readRelationships } from '../../../jsonapi/relationships.ts'
import type { Identifier, Input, Resource } from '../../model/resource.ts'
import type { Writes } from '../../write/record.ts'
import { enter } from '../../write/write-transaction.ts'
import { readChange, writerOf } from '../write-handlers.ts'
import { linkageReply, pagesOnly } from './related.ts'

/** How a relationship changes: other members, more members, or fewer. */
export type RelationshipChange = 'replace' | 'add' | 'remove'

const mostMembers = 10_000

/** PATCH, POST and DELETE of a relationship. Changes it and returns the result. */
export const changeRelationship =
  (resource: Resource, name: string, change: RelationshipChange, write: NonNullable<Writes['update']>) =>
  async (context: Context, call: Call): Promise<Reply> => {
    readListQuery(call.url.searchParams, { ...pagesOnly, paginated: false })
    const id = pathId(call)
    const writer = writerOf(call, resource)
    const shape = resource.schema.relationships[name] as RelationshipShape
    const body = await call.body()
    const data = await readChange(context, resource, id, writer, () => readLinkage(body, resource, name, shape))
    const { input, placesOf } = inputOf(name, data, change, shape)
    await enter(context.db, (tx) => write(tx, id, input, writer)).catch((error) => {
      throw pointAtMember(error, name, placesOf())
    })
    return linkageReply(context, call, resource, name)
  }

const readLinkage = (body: Uint8Array, resource: Resource, name: string, shape: RelationshipShape) =>
  linkageOf(readJson(body, mostMembers), resource, name, shape)

/** The members in a relationship document. Faults point into that document. */
export const linkageOf = (document: unknown, resource: Resource, name: string, shape: RelationshipShape) => {
  if (!isObject(document) || !('data' in document)) throw badRequest('The body must be an object with a data member.')
  const faults: Fault[] = []
  const shapes = { type: resource.type, id: '', attributes: {}, relationships: { [name]: shape }, readOnly: [] }
  const read = readRelationships({ [name]: document }, shapes, faults)
  if (faults.length > 0) throw pointAtMember(validationFailed(faults), name)
  return read[name] as Identifier | Identifier[] | null
}

const same = (a: Identifier) => (b: Identifier) => a.type === b.type && a.id === b.id

/** The change as a writer expects it, and the pointer to each of its members in the body. */
export const inputOf = (
  name: string,
  data: Identifier | Identifier[] | null,
  change: RelationshipChange,
  { atMost = Number.POSITIVE_INFINITY }: RelationshipShape,
): { input: Input; placesOf: () => number[] | undefined } => {
  if (change === 'replace' || !Array.isArray(data))
    return { input: { attributes: {}, relationships: { [name]: data } }, placesOf: () => undefined }
  let places: number[] | undefined
  const apply = (now: Identifier[]) => {
    if (change === 'remove') return now.filter((one) => !data.some(same(one)))
    const added = data.filter((one, index) => !now.some(same(one)) && data.findIndex(same(one)) === index)
    if (now.length + added.length > atMost)
      throw validationFailed([{ pointer: '/data', detail: `The relationship can have at most ${atMost} identifiers.` }])
    places = [...now.map(() => -1), ...added.map((one) => data.indexOf(one))]
    return [...now, ...added]
  }
  return { input: { attributes: {}, relationships: {}, edit: { name, apply } }, placesOf: () => places }
}

/** Makes a relationship's fault point into the body, which is only that relationship. */
export const pointAtMember = (error: unknown, name: string, places?: number[]) =>
  withPointers(error, (pointer) => {
    const [, rest] = pointer.split(`/data/relationships/${name}`)
    if (rest === undefined) return pointer
    return rest.replace(/^\/data\/(\d+)/, (_, index) => `/data/${places?.[Number(index)] ?? index}`) || '/data'
  })
