import { notFound } from '../jsonapi/errors.ts'
import { isUuid } from '../jsonapi/fields.ts'
import type { Call } from './route.ts'

/** The id in a path, in lower case. 404 if it isn't a UUID, since it then names nothing. */
export const pathId = ({ params }: Call, name = 'id'): string => {
  const id = params[name] ?? ''
  if (!isUuid(id)) throw notFound()
  return id.toLowerCase()
}
