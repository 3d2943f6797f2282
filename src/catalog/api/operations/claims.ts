import type { Transaction } from '../../../../db/client.ts'
import { isId } from '../../../jsonapi/fields.ts'
import { isObject } from '../../../jsonapi/json.ts'
import { findSentInV2 } from '../../model/v2.ts'
import { nameOfIdentifier } from '../../write/attached/identifiers.ts'
import { claimsOf, type Named, type Touched } from '../../write/locks/claims.ts'
import { noClaims } from '../../write/locks/order.ts'
import type { EntityType } from '../../write/record.ts'
import type { Operation } from './read.ts'

/**
 * Everything that a request with several operations will touch, so that it is all locked before the first one. A single
 * operation keeps the right order by itself.
 */
export const claimsOfOperations = (operations: Operation[]) => async (tx: Transaction) =>
  operations.length < 2 ? noClaims() : claimsOf(tx, operations.flatMap(namedBy), operations.flatMap(touchedBy))

/** Every record that an operation names: its target, members of relationships, and ids in attributes. */
const namedBy = ({ target, data }: Operation): Named[] => [
  ...(target.id ? [{ type: target.resource.type, id: target.id }] : []),
  ...(target.relationship === undefined && isObject(data)
    ? [...inRelationships(data.relationships), ...inAttributes(data.attributes)]
    : identifiersIn(data)),
]

const inRelationships = (relationships: unknown): Named[] =>
  isObject(relationships)
    ? Object.values(relationships).flatMap((one) => (isObject(one) ? identifiersIn(one.data) : []))
    : []

const identifiersIn = (data: unknown): Named[] =>
  (Array.isArray(data) ? data : [data]).flatMap((one) => {
    const type = isObject(one) ? findSentInV2(one.type)?.type : undefined
    return type && isId(one.id) ? [{ type, id: one.id.toLowerCase() }] : []
  })

/** The types of the records that attributes name. */
const typesOf: Record<string, string> = {
  ...{ player_id: 'players', team_id: 'teams', set_id: 'sets', parent_id: 'sets', card_id: 'cards' },
  ...{ attribute_id: 'attributes', genre_id: 'genres', year_id: 'years', brand_id: 'brands' },
  parent_year: 'years',
  ...{ manufacturer_id: 'manufacturers', image_uuid: 'card_images' },
}

const inAttributes = (attributes: unknown): Named[] => {
  if (!isObject(attributes)) return []
  const { object_type: kind, object_id: object } = attributes
  return [
    ...Object.entries(attributes).flatMap(([name, id]) => {
      const type = typesOf[name]
      return type && isId(id) ? [{ type, id: id.toLowerCase() }] : []
    }),
    ...(typeof kind === 'string' && isId(object) ? [{ type: typeOfKind(kind), id: object.toLowerCase() }] : []),
  ]
}

/** Object attributes say `card`, identifiers say `cards`. */
const typeOfKind = (kind: string) => (kind.endsWith('s') ? kind : `${kind}s`)

/** What an operation does to its target, as far as that determines which other records it touches. */
const touchedBy = ({ op, target: { resource, id, relationship }, data }: Operation): Touched[] => {
  const attributes = isObject(data) && isObject(data.attributes) && relationship === undefined ? data.attributes : {}
  const { type } = resource
  const name = attributes[type === 'attributes' ? 'attribute' : 'name']
  const identifier = type === 'identifiers' && op !== 'remove' ? nameOfIdentifier(attributes) : undefined
  const named: Touched[] =
    identifier !== undefined
      ? [{ type: 'identifiers', name: identifier }]
      : op !== 'remove' && typeof name === 'string'
        ? [{ type: type as EntityType, name }]
        : []
  if (!id) return named
  const isRemoved = op === 'remove' && relationship === undefined
  const isRenamed = 'first_name' in attributes || 'last_name' in attributes || typeof name === 'string'
  return [...named, { type, id, isRenamed, isMoved: isRemoved || 'status' in attributes }]
}
