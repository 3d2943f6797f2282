import { ApiError } from '../../jsonapi/errors.ts'
import type { SetState } from '../write/set/record.ts'
import type { Identifier, Input } from './resource.ts'

/** The to-one references of a set: relationship, column, member of the state, type. */
export const referenceTable = [
  ['genre', 'genre_id', 'genreId', 'genres'],
  ['year', 'year_id', 'yearId', 'years'],
  ['brand', 'brand_id', 'brandId', 'brands'],
  ['manufacturer', 'manufacturer_id', 'manufacturerId', 'manufacturers'],
  ['parent', 'parent_id', 'parentId', 'sets'],
] as const

/** A reference comes as a relationship or as an attribute; the relationship wins. */
export const givenReference = (
  input: Input,
  [name, column, member]: (typeof referenceTable)[number],
  before: SetState | undefined,
) => {
  const identifier = input.relationships[name] as Identifier | null | undefined
  if (identifier !== undefined) return identifier?.id ?? null
  if (column in input.attributes) return input.attributes[column] as string | null
  return before?.[member] ?? null
}

/** The door points at relationships; a reference that came as an attribute is at fault there. */
export const pointAsGiven = (error: unknown, input: Input | undefined) => {
  if (!(error instanceof ApiError) || !input) return error
  const pointerOf = new Map(
    referenceTable.flatMap(([name, column]) =>
      input.relationships[name] === undefined && column in input.attributes
        ? [[`/data/relationships/${name}/data/id`, `/data/attributes/${column}`]]
        : [],
    ),
  )
  const errors = error.errors.map((one) => {
    const pointer = pointerOf.get(one.source?.pointer ?? '')
    return pointer ? { ...one, source: { pointer } } : one
  })
  return new ApiError(error.status, errors, error.headers)
}
