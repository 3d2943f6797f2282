type Schema = {
  $ref?: string
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}
type Answered = { $ref?: string; content?: Record<string, { schema?: Schema }> }
export type OpenApi = {
  paths: Record<string, Record<string, { responses?: Record<string, Answered> }>>
  components: { schemas: Record<string, Schema> }
}

/** The name of the schema that a reference means. */
const named = ({ $ref }: Schema) => $ref?.split('/').at(-1)

/** The paths of a schema's members. `?` marks one that may be missing, `=` a member that is another schema. */
const membersOf = (schema: Schema, prefix = ''): string[] => {
  const name = named(schema)
  if (name) return [`${prefix.replace(/\.$/, '')}=${name}`]
  const { properties = {}, required = [], items, anyOf = [], oneOf = [], allOf = [] } = schema
  const own = Object.entries(properties).flatMap(([member, shape]) => [
    `${prefix}${member}${required.includes(member) ? '' : '?'}`,
    ...membersOf(shape, `${prefix}${member}.`),
  ])
  const listed = items ? membersOf(items, `${prefix.replace(/\.$/, '')}[].`) : []
  return [...own, ...listed, ...[...anyOf, ...oneOf, ...allOf].flatMap((one) => membersOf(one, prefix))]
}

/** The members of all successful answers of a document, by operation, and of the schemas that it names. */
export const answersIn = ({ paths, components }: OpenApi): Map<string, string[]> => {
  const whole = (schema: Schema) => components.schemas[named(schema) ?? ''] ?? schema
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses = {} }]) =>
      Object.entries(responses).flatMap(([status, { content = {} }]) =>
        /^2/.test(status)
          ? Object.values(content).map(
              ({ schema = {} }) => [`${method.toUpperCase()} ${path} ${status}`, membersOf(whole(schema))] as const,
            )
          : [],
      ),
    ),
  )
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [name, membersOf(schema)] as const)
  const all = new Map<string, string[]>()
  for (const [name, members] of [...operations, ...schemas])
    all.set(name, [...new Set([...(all.get(name) ?? []), ...members])])
  return all
}
