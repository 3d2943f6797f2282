import type { S3File } from 'bun'
import type { Config } from '../../../config.ts'
import { addressLifetime } from '../../images/s3-store.ts'
import { contentType, fileName } from './naming.ts'
import type { BulkStore, Sink } from './store.ts'

const folder = 'bulk/'

/** How a file is uploaded: in parts, so that it may be of any length and little of it is in memory. */
const upload = { type: contentType, partSize: 8 * 1024 * 1024, queueSize: 2, retry: 3 }

/** Bulk files in an S3 bucket, under `bulk/{id}/{name}`; readers are sent to the bucket with an address that S3 signs. */
export const s3Store = (settings: NonNullable<Config['s3']>): BulkStore => {
  const client = new Bun.S3Client(settings)
  const keyOf = (id: string, resource: string) => `${folder}${id}/${fileName(resource)}`
  const keys = async (prefix: string) => {
    const all: string[] = []
    for (let after: string | undefined; ; ) {
      const { contents = [], isTruncated } = await client.list({ prefix, startAfter: after })
      all.push(...contents.map(({ key }) => key))
      after = all.at(-1)
      if (!isTruncated) return all
    }
  }
  return {
    create: async (id, resource) => sinkInto(client.file(keyOf(id, resource))),
    serve: async (id, resource, seconds) =>
      new URL(client.presign(keyOf(id, resource), { method: 'GET', expiresIn: addressLifetime(seconds) })),
    remove: async (id) => {
      for (const key of await keys(`${folder}${id}/`)) await client.delete(key)
    },
    list: async () => [...new Set((await keys(folder)).map((key) => key.split('/')[1] ?? ''))],
  }
}

const sinkInto = (file: S3File): Sink => {
  const writer = file.writer(upload)
  return {
    write: async (bytes) => {
      await writer.write(bytes)
      await writer.flush()
    },
    end: async () => void (await writer.end()),
    drop: async () => void (await writer.end(new Error('The file is given up.'))),
  }
}
