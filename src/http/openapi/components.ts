import { anyResource, anyResourceInV2 } from '../../jsonapi/schema.ts'

/** A JSON Schema, or any other part of the document, as plain data. */
export type Json = { [name: string]: unknown }

/** Collects the named schemas, and replaces each with a reference. */
export type Components = {
  refer: (schema: unknown) => Json
  /** Every named schema that was referred to, ordered by name. */
  schemas: () => Json
}

/** Keeps each named schema once. Two different schemas with one name are a fault of ours. */
export const makeComponents = (): Components => {
  const known = new Map<string, Json>()
  const refer = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(refer)
    if (typeof value !== 'object' || value === null) return value
    const { $id, ...rest } = value as Json
    const plain = Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, refer(one)]))
    return typeof $id === 'string' ? keep(known, $id, plain) : plain
  }
  return { refer: (schema) => refer(schema) as Json, schemas: () => render(known) }
}

const keep = (known: Map<string, Json>, name: string, schema: Json) => {
  const kept = known.get(name)
  if (kept && JSON.stringify(kept) !== JSON.stringify(schema)) throw new Error(`Two schemas are called ${name}.`)
  known.set(name, schema)
  return schemaRef(name)
}

const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const render = (known: Map<string, Json>) => {
  const sorted = [...known].sort(([a], [b]) => (a < b ? -1 : 1))
  const objects = sorted.filter(([, schema]) => isResourceObject(schema)).map(([name]) => name)
  const families: Record<string, string[]> = {
    [anyResource]: oneOfEachType(
      known,
      objects.filter((name) => !name.endsWith('V2')),
    ),
    [anyResourceInV2]: oneOfEachType(
      known,
      objects.filter((name) => name.endsWith('V2')),
    ),
  }
  return Object.fromEntries(
    sorted.map(([name, schema]) => [
      name,
      families[name] ? { description: 'A resource object of any type.', oneOf: families[name].map(schemaRef) } : schema,
    ]),
  )
}

/** The last schema of each type. People see their account in one shape and operators in another, and neither is ever included. */
const oneOfEachType = (known: Map<string, Json>, names: string[]) => [
  ...new Map(
    names.map((name) => [(known.get(name)?.properties as Record<string, Json> | undefined)?.type?.const, name]),
  ).values(),
]

/** Named schemas with a literal type, attributes and links are resource objects. */
const isResourceObject = ({ properties }: Json) => {
  const { type, attributes, links } = (properties ?? {}) as Record<string, Json | undefined>
  return type?.const !== undefined && attributes !== undefined && links !== undefined
}
