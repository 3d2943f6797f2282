import type { Static, TObject } from '@sinclair/typebox'
import type { Call, Reply } from '../http/route.ts'
import { validationFailed } from '../jsonapi/errors.ts'
import { flatFaults, readFlat, withMembers } from '../jsonapi/flat-body.ts'
import { jsonApi } from '../jsonapi/negotiate.ts'

/** The media types of a body that may be flat or a JSON:API document. */
export const flatOrDocument = ['application/json', jsonApi]

/** Calls `act` with the members of such a body, which must fit the schema. The document's type is `type`. */
export const withBody = async <T extends TObject>(
  call: Call,
  type: string,
  schema: T,
  act: (members: Static<T>) => Promise<Reply>,
): Promise<Reply> =>
  withMembers(readFlat(await call.body()), type, (members) => {
    const faults = flatFaults(schema, members)
    if (faults.length > 0) throw validationFailed(faults)
    return act(members as Static<T>)
  })
