/** A part of an OpenAPI document, as plain data. */
export type Json = { [name: string]: unknown }

export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Json }

export type Described = { content?: Record<string, { schema?: Json }> }

/** An operation with its references to parameters and answers resolved; those of schemas stay. */
export type Operation = {
  method: string
  path: string
  operationId: string
  security: Record<string, string[]>[]
  parameters: Parameter[]
  body?: { required: boolean; content: Record<string, { schema: Json }> }
  responses: Record<string, Described & { pointer: string }>
}

export type OpenApi = { root: Json; operations: Operation[]; resolve: (part: Json) => Json }

/** Reads an OpenAPI document. */
export const readOpenApi = (root: Json): OpenApi => {
  const at = (pointer: string) =>
    pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((inner, name) => (inner as Json)[unescaped(name)], root) as Json
  const resolve = (part: Json): Json =>
    typeof part.$ref === 'string' ? resolve({ ...at(part.$ref.slice(1)), $from: part.$ref }) : part
  const operations = Object.entries(root.paths as Record<string, Record<string, Json>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]): Operation => {
      const own = `/paths/${escaped(path)}/${method}`
      const responses = Object.entries(one.responses as Record<string, Json>).map(([status, response]) => {
        const { $from, ...found } = resolve(response) as Json & Described
        const pointer = typeof $from === 'string' ? $from.slice(1) : `${own}/responses/${status}`
        return [status, { ...found, pointer }] as const
      })
      return {
        ...{ method: method.toUpperCase(), path, operationId: String(one.operationId) },
        security: one.security as Operation['security'],
        parameters: (one.parameters as Json[]).map((parameter) => resolve(parameter) as unknown as Parameter),
        body: one.requestBody as Operation['body'],
        responses: Object.fromEntries(responses),
      }
    }),
  )
  return { root, operations, resolve }
}

/** A name as a part of a JSON pointer. */
export const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
const unescaped = (name: string) => name.replaceAll('~1', '/').replaceAll('~0', '~')
