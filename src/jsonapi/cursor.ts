import { createHmac } from 'node:crypto'
import { keysOf, type Secrets } from '../lib/secret.ts'

/** A position in a list: the values of the sort keys, the id last, as JSON. An empty one is after the last row. */
export type Place = (string | number | null)[]

export type Cursors = { write: (place: Place) => string; read: (cursor: string) => Place | undefined }

const signatureBytes = 15

/**
 * The cursors of one list: opaque texts, signed together with what they belong to (the path, the filters and the sort). Reads
 * cursors of another list and damaged ones as undefined.
 */
export const cursorsOf = (secret: Secrets, boundTo: string): Cursors => {
  const keys = keysOf(secret, 'cursors')
  const signed = (payload: string, key = keys[0]) =>
    createHmac('sha256', key).update(`${boundTo}\n${payload}`).digest().subarray(0, signatureBytes)
  return {
    write: (place) => {
      const payload = JSON.stringify(place)
      return Buffer.concat([signed(payload), Buffer.from(payload)]).toString('base64url')
    },
    read: (cursor) => {
      const bytes = Buffer.from(cursor, 'base64url')
      if (bytes.toString('base64url') !== cursor || bytes.length <= signatureBytes) return undefined
      const payload = bytes.toString('utf8', signatureBytes)
      const signature = bytes.subarray(0, signatureBytes)
      return keys.some((key) => signed(payload, key).equals(signature)) ? JSON.parse(payload) : undefined
    },
  }
}
