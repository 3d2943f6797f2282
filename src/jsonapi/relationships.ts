import { type Fault, mostFaults } from './errors.ts'
import { isId } from './fields.ts'
import { escapePointer, isObject } from './json.ts'
import { typeAmong } from './type-names.ts'

export type Identifier = { type: string; id: string }

/** What a relationship accepts: one identifier or a list, of these types. */
export type RelationshipShape = {
  types: string[]
  many: boolean
  required?: boolean
  nullable?: boolean
  /** How many identifiers a list may hold. */
  atMost?: number
}

/** What is needed to read a document's relationships. `id` is set if it changes a record. */
type RelationshipShapes = {
  type: string
  id?: string
  relationships: Record<string, RelationshipShape>
  readOnly: string[]
}

/** Reads the relationships of a document. Adds a fault at the exact pointer for everything that is wrong. */
export const readRelationships = (given: Record<string, unknown>, shape: RelationshipShapes, faults: Fault[]) => {
  const accepted: Record<string, Identifier | Identifier[] | null | undefined> = {}
  for (const [name, relationship] of Object.entries(given)) {
    if (faults.length >= mostFaults) break
    const pointer = `/data/relationships/${escapePointer(name)}`
    const rule = Object.hasOwn(shape.relationships, name) ? shape.relationships[name] : undefined
    if (rule) accepted[name] = readRelationship(relationship, rule, pointer, faults)
    else if (!shape.readOnly.includes(name))
      faults.push({ pointer, detail: `There is no relationship with this name on ${shape.type}.` })
  }
  for (const [name, rule] of Object.entries(shape.relationships))
    if (rule.required && !shape.id && !Object.hasOwn(given, name))
      faults.push({ pointer: `/data/relationships/${name}`, detail: 'Is required.' })
  return accepted
}

const readRelationship = (relationship: unknown, rule: RelationshipShape, pointer: string, faults: Fault[]) => {
  if (!isObject(relationship) || !('data' in relationship)) {
    faults.push({ pointer, detail: 'Must be an object with a data member.' })
    return undefined
  }
  const { data } = relationship
  if (rule.many) return readMany(data, rule, `${pointer}/data`, faults)
  if (data === null) {
    if (!rule.nullable) faults.push({ pointer: `${pointer}/data`, detail: 'Must not be null.' })
    return null
  }
  return readIdentifier(data, rule, `${pointer}/data`, faults)
}

const readMany = (data: unknown, rule: RelationshipShape, pointer: string, faults: Fault[]) => {
  if (!Array.isArray(data)) {
    faults.push({ pointer, detail: 'Must be an array of resource identifiers.' })
    return undefined
  }
  if (rule.atMost !== undefined && data.length > rule.atMost) {
    faults.push({ pointer, detail: `Must have at most ${rule.atMost} identifiers.` })
    return undefined
  }
  return data.flatMap((one, index) =>
    faults.length < mostFaults ? (readIdentifier(one, rule, `${pointer}/${index}`, faults) ?? []) : [],
  )
}

const readIdentifier = (
  data: unknown,
  rule: RelationshipShape,
  pointer: string,
  faults: Fault[],
): Identifier | undefined => {
  if (!isObject(data)) {
    faults.push({ pointer, detail: 'Must be a resource identifier with type and id.' })
    return undefined
  }
  const { id } = data
  const type = typeAmong(rule.types, data.type)
  const idIsGood = isId(id)
  const known = rule.types.join(' or ')
  if (!type)
    faults.push({ pointer: `${pointer}/type`, detail: 'type' in data ? `Must be ${known}.` : `Is required: ${known}.` })
  if (!idIsGood) faults.push({ pointer: `${pointer}/id`, detail: 'id' in data ? 'Must be a UUID.' : 'Is required.' })
  return type && idIsGood ? { type, id: id.toLowerCase() } : undefined
}
