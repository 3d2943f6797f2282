import type { Database, Queryable } from '../../../db/client.ts'
import { ApiError, conflict, type Fault, noSuch, onePerField, validationFailed } from '../../jsonapi/errors.ts'
import { isId } from '../../jsonapi/fields.ts'
import { isObject, readJson } from '../../jsonapi/json.ts'
import { isUnstorable } from '../../jsonapi/text-faults.ts'
import { typeAmong } from '../../jsonapi/type-names.ts'
import { Audience } from '../../lib/audience.ts'
import { attachments, typeOfKind, typesByDocument } from '../model/attached.ts'
import { resourceOf } from '../model/index.ts'
import type { Identifier, Resource, Row } from '../model/resource.ts'
import { loadRows } from '../show/rows.ts'
import { refuseTaken } from '../write/attached/faults.ts'
import { ownerOf } from '../write/attached/owners.ts'
import { nameTaken, pairTaken } from '../write/entity/documents.ts'
import type { Columns } from '../write/record.ts'

/**
 * The complete refusal of a document with faulty fields. It also names references that don't exist or are hidden at this level,
 * except those that the record already has (`before`), and a name that is taken. An id or a place that is taken is refused
 * first, and alone.
 */
export const refusalOf = async (
  db: Database,
  resource: Resource,
  refusal: ApiError,
  body: Uint8Array,
  level: number,
  before?: Row,
): Promise<ApiError> => {
  const { data } = readJson(body) as { data: Given }
  await refuseConflict(db, resource, refusal, data, level, before)
  const missing = await missingFaults(
    db,
    referencesIn(resource, data),
    level,
    before ? referencesOf(resource, before) : [],
  )
  const taken = await takenFaults(db, resource, data, before?.id ?? null)
  const known = validationFailed([...missing, ...taken]).errors
  return new ApiError(422, onePerField([...refusal.errors, ...known]), refusal.headers)
}

/** The fault of a name or code that another live record has. */
const takenFaults = async (db: Queryable, { type, table }: Resource, { attributes = {} }: Given, id: string | null) => {
  const field = type === 'attributes' ? 'attribute' : 'name'
  const value = attributes[field]
  if (!uniquelyNamed.includes(type) || typeof value !== 'string' || isUnstorable(value)) return []
  const taken = await db.sql.unsafe(
    `select 1 from ${table} where t.${field}_key collate "C" = lower($1) and t.deleted_at is null and t.id is distinct from $2`,
    [value.trim(), id],
  )
  return taken.length > 0 ? [nameTaken(field)] : []
}

/** The types whose live records all have different names, or codes. */
const uniquelyNamed = ['attributes', 'brands', 'genres', 'manufacturers', 'years']

/** Throws the 409 for an id or a place that is taken, if a document with faulty fields asks for one: that goes before its faults. */
export const refuseConflict = async (
  db: Queryable,
  resource: Resource,
  refusal: ApiError,
  data: Given,
  level: number,
  before?: Row,
) => {
  if (!before && resource.clientIds && (await isTaken(db, resource, data.id)))
    throw conflict(`The ${resource.noun} id is already taken.`, { pointer: '/data/id' })
  const content = { ...before, ...data.attributes }
  await refusePlace(db, resource, refusal, content, before?.id ?? null, level)
  if (resource.type === 'playerteams' && (await isPaired(db, content, before?.id ?? null, level))) throw pairTaken()
}

export type Given = { id?: unknown; attributes?: Record<string, unknown>; relationships?: Record<string, unknown> }
type Reference = Identifier & { pointer: string }

const isTaken = async (db: Queryable, { table }: Resource, id: unknown) =>
  isId(id) && (await db.sql.unsafe(`select 1 from ${table} where t.id = $1`, [id])).length > 0

const isPaired = async (
  { sql }: Queryable,
  { player_id: player, team_id: team }: Record<string, unknown>,
  id: string | null,
  level: number,
) => {
  if (!isId(player) || !isId(team)) return false
  const rows = await sql`
    select 1 from player_teams
    where player_id = ${player} and team_id = ${team} and audience >= ${level} and id is distinct from ${id}`
  return rows.length > 0
}

/** 409 if another record has the place of an attached one. A place that is faulty itself is nobody's. */
const refusePlace = async (
  db: Queryable,
  resource: Resource,
  { errors }: ApiError,
  content: Record<string, unknown>,
  id: string | null,
  level: number,
) => {
  const type = typesByDocument.find((one) => one === resource.type)
  const isFaulty = (name: string) => errors.some(({ source }) => source?.pointer === `/data/attributes/${name}`)
  if (type && !attachments[type].place?.some(isFaulty)) await refuseTaken(db, type, id, content as Columns, level)
}

/** Every reference of the right form in a document, with its position. */
const referencesIn = (resource: Resource, { attributes = {}, relationships = {} }: Given): Reference[] => [
  ...Object.entries(resource.schema.relationships).flatMap(([name, { types, many, atMost = Infinity }]) => {
    const given = relationships[name]
    const data = isObject(given) ? given.data : undefined
    const pointer = `/data/relationships/${name}/data`
    if (!many) return referenceTo(data, types, `${pointer}/id`)
    if (!Array.isArray(data) || data.length > atMost) return []
    return data.flatMap((one, index) => referenceTo(one, types, `${pointer}/${index}/id`))
  }),
  ...ownerIn(resource, attributes),
  ...Object.entries(attributes).flatMap(([name, id]) => {
    const named = Object.entries(resource.schema.references ?? {}).find(([, attribute]) => attribute === name)
    const relationship = named?.[0] ?? name.replace(/_id$/, '')
    const { types = [] } = resource.includes[relationship] ?? {}
    const isReference = name in resource.schema.create && relationship !== name && types.length === 1
    return isReference && relationships[relationship] === undefined
      ? referenceTo({ type: types[0], id }, types, `/data/attributes/${name}`)
      : []
  }),
]

/** The owner of an attached record, whose type another attribute says. */
const ownerIn = ({ type, schema }: Resource, attributes: Record<string, unknown>): Reference[] => {
  const attached = typesByDocument.find((one) => one === type)
  const isNamed = attached && attachments[attached].owner in schema.create && typeof attributes.object_type === 'string'
  if (!isNamed || !attachments[attached].says) return []
  const { kind, id } = ownerOf(attached, attributes as Columns)
  const isKind = attachments[attached].kinds.includes(kind)
  const owner = typeOfKind(kind)
  return isKind ? referenceTo({ type: owner, id }, [owner], `/data/attributes/${attachments[attached].owner}`) : []
}

const referenceTo = (data: unknown, types: string[], pointer: string): Reference[] => {
  if (!isObject(data)) return []
  const { id } = data
  const type = typeAmong(types, data.type)
  if (!type || !isId(id)) return []
  return [{ type, id: id.toLowerCase(), pointer }]
}

/** What a record refers to, as shown. */
const referencesOf = (resource: Resource, row: Row): string[] =>
  Object.values(resource.relationships(row)).flatMap((related) => [related?.data ?? []].flat().map(({ id }) => id))

/** Attributes are a shared vocabulary, so every writer can refer to them. */
const levelOf = (type: string, level: number) => (type === 'attributes' ? Audience.draft : level)

const missingFaults = async (
  db: Database,
  references: Reference[],
  level: number,
  kept: string[],
): Promise<Fault[]> => {
  const types = [...new Set(references.map(({ type }) => type))]
  const found = await Promise.all(
    types.map((type) => {
      const ids = references.filter((one) => one.type === type).map(({ id }) => id)
      return loadRows(db, [{ resource: resourceOf(type), ids }], levelOf(type, level))
    }),
  )
  const seen = new Map(types.map((type, index) => [type, found[index]?.get(type)]))
  return references
    .filter(({ type, id }) => !seen.get(type)?.has(id) && !kept.includes(id))
    .map(({ type, pointer }) => noSuch(resourceOf(type).noun, { pointer }))
}
