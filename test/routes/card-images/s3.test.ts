import { afterAll, beforeAll, expect, test } from 'bun:test'
import { imageStore } from '../../../src/catalog/images/store.ts'
import { aPng } from '../../support/image.ts'
import { openBucket } from '../../support/s3.ts'
import { openService, readJson } from './service.ts'

let bucket: Awaited<ReturnType<typeof openBucket>>
let service: Awaited<ReturnType<typeof openService>>
beforeAll(async () => {
  bucket = await openBucket()
  service = await openService(bucket.environment)
})
afterAll(async () => {
  await service.close()
  await bucket.close()
})

test('an image in a bucket is reached through its signed address, which leads on to one of the bucket', async () => {
  const { cardId } = await service.aCard()
  const { data } = await readJson(await service.upload(cardId, 'editor', aPng(300, 420)))
  expect([bucket.objects(), service.files()]).toEqual([4, 0])
  const answer = await service.send('GET', data.attributes.download_url)
  expect(answer.status).toBe(302)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const location = new URL(answer.headers.get('location') as string)
  expect(location.origin).toBe(bucket.environment.S3_ENDPOINT)
  expect(location.searchParams.get('X-Amz-Expires')).toBe('1800')
  const file = await fetch(location)
  expect(file.headers.get('content-type')).toBe('image/png')
  expect(await file.bytes()).toEqual(aPng(300, 420))
})

test('without a signature of ours nothing is signed for the bucket', async () => {
  const { cardId } = await service.aCard()
  const { data } = await readJson(await service.upload(cardId))
  const answer = await service.send('GET', data.attributes.download_url.replace('original', 'thumb'))
  expect([answer.status, answer.headers.get('location')]).toEqual([403, null])
})

test('the objects of a deleted image go', async () => {
  const { cardId } = await service.aCard()
  const objects = bucket.objects()
  const { data } = await readJson(await service.upload(cardId))
  expect(bucket.objects()).toBe(objects + 4)
  await service.send('DELETE', `/v1/card-images/${data.id}`, { as: 'editor' })
  await service.swept()
  expect(bucket.objects()).toBe(objects)
})

test('a bucket that does not answer refuses the upload and is probed as failing', async () => {
  const away = await openService({ ...bucket.environment, S3_ENDPOINT: 'http://127.0.0.1:1' })
  const { cardId } = await away.aCard()
  expect((await away.upload(cardId)).status).toBe(503)
  expect(away.takeFaults()).toMatchObject([{ code: 'ConnectionRefused' }])
  expect(await away.imageOf(cardId)).toBeNull()
  await expect(imageStore(away.config).probe()).rejects.toThrow()
  await imageStore(service.config).probe()
  await away.close()
})
