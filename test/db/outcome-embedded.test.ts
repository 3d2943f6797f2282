import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unpackDirectory } from '../../db/embedded/pack.ts'
import { readSnapshot } from '../../db/embedded/snapshot.ts'
import { startDatabase } from '../../db/embedded/start.ts'
import { type ServerThread, startThread } from '../../db/embedded/thread.ts'
import { testApp } from '../support/app.ts'
import { aDocument, aName } from '../support/factories.ts'
import { ownDatabaseRuns } from '../support/own-database.ts'

const runs = ownDatabaseRuns('an embedded database that ends in a commit')
const folder = mkdtempSync(join(tmpdir(), 'cardstock-outcome-'))

let thread: ServerThread | undefined
/** When the server ends next: as soon as it gets a COMMIT, or once it has answered one. */
let ends: 'never' | 'asked' | 'answered' = 'never'

/** A server that ends in the first COMMIT of its session, whose statement is not prepared yet. */
const start = async () => {
  const started = await startThread(folder, true)
  thread = started
  let isCommitting = false
  return {
    ...started,
    get alive() {
      return started.alive
    },
    connect: ((receive, fail) =>
      started.connect((bytes) => {
        if (!isCommitting) return receive(bytes)
        isCommitting = false
        started.kill('it was killed.')
      }, fail)) as ServerThread['connect'],
    send: (bytes: Parameters<ServerThread['send']>[0]) => {
      const isCommit = ends !== 'never' && Buffer.from(bytes).includes('\0commit\0')
      if (isCommit && ends === 'asked') started.kill('it was killed.')
      isCommitting = isCommit && ends === 'answered'
      if (isCommit) ends = 'never'
      if (started.alive) started.send(bytes)
    },
  }
}

const open = async () => {
  rmSync(folder, { recursive: true })
  unpackDirectory(await readSnapshot(), folder, false)
  return testApp({ db: await startDatabase(folder, true, undefined, start) })
}
const app = runs ? await open() : undefined
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.skipIf(!app)(
  'a write whose database ends in the commit is OUTCOME_UNKNOWN, and its repetition is done once',
  async () => {
    if (!app) return
    for (const [when, found] of [
      ['asked', 0],
      ['answered', 1],
    ] as const) {
      const name = aName('Outcome')
      const [document, key] = [aDocument('brands', { name }), { 'Idempotency-Key': `${when}-1` }]
      const made = async () => (await app.db.sql`select from brands where name = ${name}`).length
      thread?.kill('it begins anew.')
      await app.db.sql`select 1`.catch(() => {})
      ends = when
      const { status, faults } = await app.operator.post('/v1/brands', document, key)
      expect([when, status, ...faults]).toEqual([when, 503, 'OUTCOME_UNKNOWN'])
      expect([when, await made()]).toEqual([when, found])
      expect((await app.operator.post('/v1/brands', document, key)).status).toBe(201)
      expect(await made()).toBe(1)
    }
    app.lines.splice(0)
  },
)
