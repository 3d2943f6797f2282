import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listSourceFiles, openShelf, type SourceFile } from '../../src/catalog/sync/mirror/files.ts'
import { openSource, type Source } from '../../src/catalog/sync/mirror/source.ts'

const attributes = {
  ...{ resource: 'cards', count: 1, bytes: 1, download_url: 'http://cards.example.org/v2/bulk/1/download' },
  ...{ changes_cursor: 'a cursor', generated_at: '2026-11-20T03:41:00.000Z' },
}

const listedWith = (sha256: string) => {
  const data = [{ id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e', attributes: { ...attributes, sha256 } }]
  const source = { read: async () => ({ data }) } as unknown as Source
  return listSourceFiles(source, new AbortController().signal).then(
    (found) => found?.files.map((file) => file.sha256),
    ({ message }) => message,
  )
}

test('a checksum of the source is a checksum, and no path', async () => {
  expect(await listedWith('a'.repeat(64))).toEqual(['a'.repeat(64)])
  for (const odd of ['', '/../../outside', 'A'.repeat(64), 'a'.repeat(63)])
    expect(await listedWith(odd)).toBe('The source lists a bulk file without a SHA-256.')
})

test('a download of which nothing comes, not even the head, is broken off', async () => {
  const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const url = `http://127.0.0.1:${silent.port}`
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-shelf-'))
  const file = { id: '1', resource: 'cards', bytes: 9, sha256: 'a'.repeat(64), address: `${url}/v2/bulk/1/download` }
  const fetched = openShelf(folder, 100).fetch(
    file as SourceFile,
    openSource(url, 'a key'),
    new AbortController().signal,
  )
  await expect(fetched).rejects.toThrow('The source does not answer')
  silent.stop(true)
  rmSync(folder, { recursive: true })
})
