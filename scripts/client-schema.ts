import { join } from 'node:path'
import { routes } from '../src/app.ts'
import { resourcesInV2 } from '../src/catalog/model/v2.ts'
import { openApiDocument } from '../src/http/openapi/document.ts'

/** Where the TypeScript client keeps the types of the resources. */
export const clientSchemaPath = 'clients/typescript/src/schema.ts'

type Schema = {
  type?: string
  const?: string
  enum?: string[]
  anyOf?: Schema[]
  items?: Schema
  required?: string[]
  properties?: Record<string, Schema>
}
type Parameter = { name: string; schema: Schema }
type Operation = { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema: { $ref?: string } }> } }

/** The types of the resources, as the OpenAPI document has them: attributes, relationships, what can be written, filters, sorts, includes. */
export const clientSchema = async (): Promise<string> => {
  const document = await openApiDocument(routes, { baseUrl: 'http://localhost:3000', brand: 'cardstock', version: '0' })
  const { paths, components } = document as unknown as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, Schema> }
  }
  const parts = resourcesInV2.map(({ type, path }) => {
    const shown = Object.entries(components.schemas).find(
      ([name, schema]) => /V2$/.test(name) && schema.properties?.type?.const === type,
    )
    if (!shown) throw new Error(`The document has no ${type}.`)
    const [name, { properties = {} }] = shown
    const related = Object.entries(properties.relationships?.properties ?? {})
    const written = { create: components.schemas[`${name}Create`], update: components.schemas[`${name}Update`] }
    const parameters = (paths[`/v2/${path}`]?.get?.parameters ?? []).filter((parameter) => parameter.name)
    return { type, properties, related, written, parameters }
  })
  const members = parts.map(({ type, properties, related, written, parameters }) =>
    object({
      attributes: attributesOf(properties.attributes),
      one: object(
        Object.fromEntries(related.filter(([, part]) => !isMany(part)).map(([name, part]) => [name, targetOf(part)])),
      ),
      many: object(
        Object.fromEntries(related.filter(([, part]) => isMany(part)).map(([name, part]) => [name, targetOf(part)])),
      ),
      create: writtenOf(written.create),
      update: writtenOf(written.update),
      include: union(parameters.find(({ name }) => name === 'include')?.schema.items?.enum ?? []),
      sort: union(
        (parameters.find(({ name }) => name === 'sort')?.schema.items?.enum ?? []).filter(
          (key) => !key.startsWith('-'),
        ),
      ),
      filter: filterOf(parameters),
    }).replace(/^/, `${key(type)}: `),
  )
  const names = parts.map(({ type, written }) => {
    const able = [written.create, written.update].flatMap((one) =>
      Object.keys(one?.properties?.data?.properties?.relationships?.properties ?? {}),
    )
    return `${key(type)}: [${[...new Set(able)].map(quoted).join(', ')}]`
  })
  return formatted(`// Made from the OpenAPI document by \`bun run docs\`.
import type { Filter } from './filter.ts'
import type { Reference } from './reference.ts'

/** For each type: what is read, what may be written, and what a list takes. */
export interface Schema {
${members.join('\n')}
}

/** The relationships that may be written. */
export const relationships = {
${names.join(',\n')}
} as const satisfies Record<keyof Schema, readonly string[]>
`)
}

const quoted = (text: string) => `'${text}'`
const key = (name: string) => (/^\w+$/.test(name) ? name : quoted(name))
const union = (values: string[]) => (values.length > 0 ? [...new Set(values)].map(quoted).join(' | ') : 'never')
const object = (members: Record<string, string>) =>
  Object.keys(members).length > 0
    ? `{ ${Object.entries(members)
        .map(([name, value]) => `${name}: ${value}`)
        .join('; ')} }`
    : 'object'

const isMany = (part: Schema) => part.properties?.data?.type === 'array'

/** The types that a relationship leads to. */
const targetOf = (part: Schema): string => {
  const data = part.properties?.data
  const one = isMany(part) ? data?.items : (data?.anyOf?.find(({ type }) => type !== 'null') ?? data)
  const type = one?.properties?.type
  return union(type?.enum ?? (type?.const ? [type.const] : []))
}

const attributesOf = (schema: Schema | undefined) =>
  object(
    Object.fromEntries(
      Object.entries(schema?.properties ?? {}).map(([name, value]) => [
        ...[schema?.required?.includes(name) ? name : `${name}?`, typeOf(value)],
      ]),
    ),
  )

const typeOf = (schema: Schema): string => {
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' | ')
  if (schema.const !== undefined) return quoted(schema.const)
  if (schema.enum) return union(schema.enum)
  if (schema.type === 'array') return `(${typeOf(schema.items ?? {})})[]`
  if (schema.type === 'object') return attributesOf(schema)
  if (schema.type === 'integer') return 'number'
  return schema.type ?? 'unknown'
}

/** What may be written, flat. */
const writtenOf = (document: Schema | undefined): string => {
  const data = document?.properties?.data
  if (!data) return 'never'
  const { id, attributes, relationships } = data.properties ?? {}
  const isAnId = id && !data.required?.includes('id') ? { 'id?': 'string' } : {}
  const related = Object.entries(relationships?.properties ?? {}).map(([name, part]) => {
    const isRequired = data.required?.includes('relationships') && relationships?.required?.includes(name)
    const target = `Reference<${targetOf(part)}>`
    const orNull = part.properties?.data?.anyOf ? ' | null' : ''
    return [isRequired ? name : `${name}?`, isMany(part) ? `readonly ${target}[]` : `${target}${orNull}`]
  })
  const own = Object.entries(attributes?.properties ?? {}).map(([name, value]) => [
    ...[attributes?.required?.includes(name) ? name : `${name}?`, typeOf(value)],
  ])
  return object({ ...isAnId, ...Object.fromEntries(own), ...Object.fromEntries(related) })
}

const filterOf = (parameters: Parameter[]): string => {
  const operators = new Map<string, { names: string[]; isNumber: boolean }>()
  for (const { name, schema } of parameters) {
    const [, filter, operator] = /^filter\[(\w+)\](?:\[(\w+)\])?$/.exec(name) ?? []
    if (!filter) continue
    const known = operators.get(filter) ?? { names: [], isNumber: false }
    if (operator) known.names.push(operator)
    operators.set(filter, { ...known, isNumber: known.isNumber || schema.type === 'integer' })
  }
  return object(
    Object.fromEntries(
      [...operators].map(([name, { names, isNumber }]) => [
        ...[`${name}?`, `Filter<${union(names)}${isNumber ? ', number' : ''}>`],
      ]),
    ),
  )
}

const formatted = (text: string): string => {
  const biome = join(import.meta.dir, '../node_modules/.bin/biome')
  const { stdout, success, stderr } = Bun.spawnSync([biome, 'format', `--stdin-file-path=${clientSchemaPath}`], {
    cwd: join(import.meta.dir, '..'),
    stdin: new TextEncoder().encode(text),
  })
  if (!success) throw new Error(stderr.toString())
  return stdout.toString()
}
