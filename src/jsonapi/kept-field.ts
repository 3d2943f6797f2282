import type { TProperties, TSchema } from '@sinclair/typebox'
import { linePatterns } from './fields.ts'

/** What fields are when they are read: what was kept before, or came from the source of a mirror, need not be one line. */
export const asKept = (fields: TProperties): TProperties =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, keptField(schema)]))

const keptField = (schema: TSchema): TSchema => {
  const { pattern, ...rest } = schema
  if (schema.anyOf) return { ...schema, anyOf: schema.anyOf.map(keptField) }
  return linePatterns.includes(pattern) ? (rest as TSchema) : schema
}
