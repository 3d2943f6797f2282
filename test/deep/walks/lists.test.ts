import { expect, test } from 'bun:test'
import { resources } from '../../../src/catalog/model/index.ts'
import { testApp } from '../../support/app.ts'
import type { Client } from '../../support/callers.ts'
import { writers } from '../../support/writers.ts'

const app = await testApp()
const ignoreStatus = { 'X-Cardstock-Ignore-Status': 'true' }

/** Every record of a list, page by page; claims that the total of each page is what came. */
const wholeList = async (caller: Client, path: string, perPage: number) => {
  const query = `?per_page=${perPage}${path === 'sets' ? '&scope=all' : ''}`
  const ids: string[] = []
  for (let page = 1; ; page++) {
    const { many, meta } = await caller.get(`/v1/${path}${query}&page=${page}`, ignoreStatus)
    ids.push(...many.map(({ id }) => id))
    if (page < (meta.last_page as number)) continue
    expect([path, ids.length, new Set(ids).size]).toEqual([path, meta.total as number, meta.total as number])
    return ids
  }
}

test('after any writes every list holds exactly what can be read one by one, and its total is right', async () => {
  const write = await writers(app, 60)
  for (const seed of [1, 2, 3, 4]) {
    const answers = await write(seed)
    expect(answers.filter(({ status }) => status >= 500).map(({ text }) => text)).toEqual([])
    expect([...(await app.db.sql`select what, place, stored, truth from drift limit 20`)]).toEqual([])
    for (const { path } of resources) {
      const all = await wholeList(app.draftReader, path, 100)
      const published = new Set(await wholeList(app.reader, path, 7))
      const read = await Promise.all(all.map(async (id) => [id, (await app.reader.get(`/v1/${path}/${id}`)).status]))
      expect([path, ...read.filter(([, status]) => status === 200).map(([id]) => id)]).toEqual([
        path,
        ...all.filter((id) => published.has(id)),
      ])
    }
  }
})
