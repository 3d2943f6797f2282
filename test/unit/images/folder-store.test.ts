import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileNames } from '../../../src/catalog/images/variants.ts'
import { folderStore } from '../../../src/files/folder-store.ts'

const root = mkdtempSync(join(tmpdir(), 'cardstock-images-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const files = fileNames.map((name) => ({
  name,
  contentType: 'image/webp',
  width: 1,
  height: 1,
  bytes: Buffer.from(`bytes of ${name}`),
}))

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())

test('what was saved is served, and nothing after it was removed', async () => {
  const store = folderStore(join(root, 'images'), true)
  const id = Bun.randomUUIDv7()
  await store.save(id, files)
  expect(await ((await store.serve(id, 'small', 60)) as Blob).text()).toBe('bytes of small')
  await store.remove(id)
  await store.remove(id)
  expect(await store.serve(id, 'small', 60)).toBeUndefined()
  expect(filesIn(root)).toHaveLength(0)
})

test('a store probes whether it can be written to', async () => {
  await folderStore(join(root, 'fresh')).probe()
  await expect(folderStore('/proc/no-such-folder').probe()).rejects.toThrow()
})
