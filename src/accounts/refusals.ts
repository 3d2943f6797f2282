import { validationFailed } from '../jsonapi/errors.ts'

/** 422 for an attribute of a document. */
export const attributeRefused = (name: string, detail: string) =>
  validationFailed([{ pointer: `/data/attributes/${name}`, detail }])

/** 422 for the token of a mailed link. */
export const tokenRefused = (detail = 'The token is unknown, already used, or expired. Request a new link.') =>
  attributeRefused('token', detail)
