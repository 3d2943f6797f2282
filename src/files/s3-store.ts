import type { S3File } from 'bun'
import type { Config } from '../config.ts'
import type { Place, Sink, Store } from './store.ts'

/** S3 signs a URL for a week at most. A reader needs a minute to follow one. */
const addressSeconds = { least: 60, most: 604_800 }

/** Files in a bucket, under `{folder}/{id}/{name}`. Readers are redirected to the bucket with a URL that S3 accepts. */
export const s3Store = (settings: NonNullable<Config['s3']>, { folder, names }: Place): Store => {
  const client = new Bun.S3Client(settings)
  const keyOf = (id: string, name: string) => `${folder}/${id}/${name}`
  const keysUnder = async (prefix: string) => {
    const all: string[] = []
    for (let after: string | undefined; ; ) {
      const { contents = [], isTruncated } = await client.list({ prefix, startAfter: after })
      all.push(...contents.map(({ key }) => key))
      after = all.at(-1)
      if (!isTruncated) return all
    }
  }
  return {
    save: async (id, files) => {
      for (const { name, bytes, contentType } of files)
        await client.write(keyOf(id, name), bytes, { type: contentType })
    },
    create: async (id, name, contentType) => sinkInto(client.file(keyOf(id, name)), contentType),
    serve: async (id, name, seconds) => {
      const expiresIn = Math.min(addressSeconds.most, Math.max(addressSeconds.least, Math.ceil(seconds)))
      return new URL(client.presign(keyOf(id, name), { method: 'GET', expiresIn }))
    },
    remove: async (id) => {
      const keys = names?.map((name) => keyOf(id, name)) ?? (await keysUnder(`${folder}/${id}/`))
      for (const key of keys) await client.delete(key)
    },
    list: async () => [...new Set((await keysUnder(`${folder}/`)).map((key) => key.split('/')[1] ?? ''))],
    probe: async () => {
      const key = keyOf('probe', Bun.randomUUIDv7())
      await client.write(key, 'probe', { type: 'text/plain' })
      await client.delete(key)
    },
  }
}

/** Uploads in parts, so that a file can have any length and little of it is in memory. */
const inParts = { partSize: 8 * 1024 * 1024, queueSize: 2, retry: 3 }

const sinkInto = (file: S3File, type: string): Sink => {
  const writer = file.writer({ ...inParts, type })
  return {
    write: async (bytes) => {
      await writer.write(bytes)
      await writer.flush()
    },
    end: async () => void (await writer.end()),
    drop: async () => void (await writer.end(new Error('The upload was abandoned.'))),
  }
}
