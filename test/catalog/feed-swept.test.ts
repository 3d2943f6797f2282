import { afterAll, expect, test } from 'bun:test'
import type { Database, Sql } from '../../db/client.ts'
import { startNumbering } from '../../src/catalog/sync/feed/number.ts'
import { sweepChanges } from '../../src/catalog/sync/feed/sweep.ts'
import { testApp } from '../support/app.ts'
import { toldBy } from '../support/catalog-copy.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { untilNumbered } from '../support/mirrored.ts'

const database = await testDatabase()
/** What happens just before the entries of the feed are read; once. */
let meanwhile: (() => Promise<void>) | undefined
const interrupted = (sql: Sql) =>
  new Proxy(sql, {
    apply: (target, self, words: [TemplateStringsArray]) => {
      const ask = () => Reflect.apply(target, self, words)
      const [happens] = words[0].join('').includes('audience_before') ? [meanwhile] : []
      if (!happens) return ask()
      meanwhile = undefined
      return happens().then(ask)
    },
  }) as Sql
const servedTo: Database['servedTo'] = (asker) => {
  const db = database.servedTo(asker)
  return { ...db, sql: interrupted(db.sql) }
}
const app = await testApp({ db: { ...database, servedTo } })
afterAll(startNumbering(app.context))
const make = factories(app)
const path = '/v2/changes'
const cursorOf = async (address: string) =>
  ((await app.draftReader.get(address)).meta as { page: { cursor: string } }).page.cursor
const sweep = () => sweepChanges(database, new Date(Date.now() + 91 * 86_400_000), new AbortController().signal)

test('what is swept while a page is read is a 410 to a cursor before it, and no gap', async () => {
  const from = await cursorOf(`${path}?page[after]=now`)
  await make.brand()
  await untilNumbered(app)
  meanwhile = sweep
  const answer = await app.draftReader.get(`${path}?page[after]=${from}`)
  expect([answer.status, answer.faults]).toEqual([410, ['CURSOR_EXPIRED page[after]']])
})

test('who reads from the oldest change begins at the oldest that is left', async () => {
  await make.brand()
  await untilNumbered(app)
  let last = ''
  meanwhile = async () => {
    await sweep()
    last = (await make.brand()).id
    await untilNumbered(app)
  }
  expect(toldBy(await app.draftReader.get(path)).map(({ id }) => id)).toEqual([last])
})
