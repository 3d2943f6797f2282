import type { Config } from '../../config.ts'
import type { ImageStore } from './store.ts'
import { fileNames } from './variants.ts'

/** What S3 signs addresses for at most, and what a reader needs at least to follow one. */
const addressSeconds = { least: 60, most: 604_800 }

/** How long an address is signed for that shall hold for so many seconds. */
export const addressLifetime = (seconds: number) =>
  Math.min(addressSeconds.most, Math.max(addressSeconds.least, Math.ceil(seconds)))

/** Images in an S3 bucket, under `images/{id}/{name}`; readers are sent to the bucket with an address that S3 signs. */
export const s3Store = (settings: NonNullable<Config['s3']>): ImageStore => {
  const client = new Bun.S3Client(settings)
  const keyOf = (id: string, name: string) => `images/${id}/${name}`
  return {
    save: async (id, files) => {
      for (const { name, bytes, contentType } of files)
        await client.write(keyOf(id, name), bytes, { type: contentType })
    },
    serve: async (id, name, seconds) => {
      return new URL(client.presign(keyOf(id, name), { method: 'GET', expiresIn: addressLifetime(seconds) }))
    },
    remove: async (id) => {
      for (const name of fileNames) await client.delete(keyOf(id, name))
    },
    probe: async () => {
      const key = keyOf('probe', Bun.randomUUIDv7())
      await client.write(key, 'probe', { type: 'text/plain' })
      await client.delete(key)
    },
  }
}
