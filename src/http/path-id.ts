import { notFound } from '../jsonapi/errors.ts'
import { isUuid } from '../jsonapi/fields.ts'
import type { Call } from './route.ts'

/** The id that stands in a path, in lower case; 404 for what is no UUID, since it names nothing. */
export const pathId = ({ params }: Call, name = 'id'): string => {
  const id = params[name] ?? ''
  if (!isUuid(id)) throw notFound()
  return id.toLowerCase()
}
