/** The API's resource objects, as far as pages read them. */
export type Identifier = { type: string; id: string }

export type Resource<A = Record<string, unknown>> = Identifier & {
  attributes: A
  relationships?: Record<string, { data?: Identifier | Identifier[] | null }>
}

export type Named = Resource<{ name: string }>

export type SetResource = Resource<{
  name: string
  description: string | null
  status: 'draft' | 'published'
  kind: 'base' | 'parallel' | 'insert' | 'autograph' | 'variation'
  release_date: string | null
  cards_count: number
}>

export type One<T> = { data: T; included?: Resource[] }
export type Many<T, M = unknown> = { data: T[]; included?: Resource[]; meta: M }

/** The record at the other end of a to-one relationship, if it was included. */
export const oneOf = (of: Resource<object>, name: string, included: Resource[] = []): Named | undefined => {
  const data = of.relationships?.[name]?.data
  if (!data || Array.isArray(data)) return undefined
  return included.find(({ type, id }) => type === data.type && id === data.id) as Named | undefined
}

/** A record as its id and name. */
export const refOf = ({ id, attributes }: Named) => ({ id, name: attributes.name })
