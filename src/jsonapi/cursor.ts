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
  // A page has a cursor for each record. Copying a signer that has read what they share is faster than making one for each.
  const signers = keysOf(secret, 'cursors').map((key) => new Bun.CryptoHasher('sha256', key).update(`${boundTo}\n`))
  const signed = (payload: string, signer = signers[0] as Bun.CryptoHasher) =>
    signer.copy().update(payload).digest().subarray(0, signatureBytes)
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
      return signers.some((signer) => signature.equals(signed(payload, signer))) ? JSON.parse(payload) : undefined
    },
  }
}
