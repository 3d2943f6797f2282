import { keysOf, type Secrets } from '../lib/secret.ts'

/** A position in a list: the values of the sort keys, the id last, as JSON. An empty one is after the last row. */
export type Place = (string | number | null)[]

export type Cursors = { write: (place: Place) => string; read: (cursor: string) => Place | undefined }

/** 15 bytes in base64url. Having no rest, they can be written apart from what follows. */
const signatureCharacters = 20

/**
 * The cursors of one list: opaque texts, signed together with what they belong to (the path, the filters and the sort). Reads
 * cursors of another list and damaged ones as undefined.
 */
export const cursorsOf = (secret: Secrets, boundTo: string): Cursors => {
  // A page has a cursor for each record. Copying a signer that has read what they share is faster than making one for each.
  const signers = keysOf(secret, 'cursors').map((key) => new Bun.CryptoHasher('sha256', key).update(`${boundTo}\n`))
  const signed = (payload: string, signer = signers[0] as Bun.CryptoHasher) =>
    signer.copy().update(payload).digest('base64url').slice(0, signatureCharacters)
  return {
    write: (place) => {
      const payload = JSON.stringify(place)
      return signed(payload) + Buffer.from(payload).toString('base64url')
    },
    read: (cursor) => {
      const [signature, rest] = [cursor.slice(0, signatureCharacters), cursor.slice(signatureCharacters)]
      const bytes = Buffer.from(rest, 'base64url')
      if (bytes.length === 0 || bytes.toString('base64url') !== rest) return undefined
      const payload = bytes.toString()
      return signers.some((signer) => signed(payload, signer) === signature) ? JSON.parse(payload) : undefined
    },
  }
}
