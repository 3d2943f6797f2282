import { expect } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Scope } from '../../../src/access/caller.ts'
import { issueCredential } from '../../../src/access/credentials.ts'
import { insertUser } from '../../../src/accounts/users.ts'
import { makeApp } from '../../../src/app.ts'
import { readConfig } from '../../../src/config.ts'
import { makeContext } from '../../../src/context.ts'
import type { Log } from '../../../src/lib/log.ts'
import { testDatabase } from '../../support/database.ts'
import { aPng } from '../../support/image.ts'
import { until } from '../../support/until.ts'

const jsonApi = 'application/vnd.api+json'
const scopesOf = {
  editor: ['read:all-status', 'write', 'delete'],
  reader: ['read:published'],
  blindWriter: ['write'],
  publishedWriter: ['read:published', 'write'],
} satisfies Record<string, Scope[]>

export type Person = keyof typeof scopesOf
export type Sending = {
  as?: Person
  type?: string
  body?: BodyInit
  document?: object
  headers?: Record<string, string>
}

/** The service on a database of its own, with a clock that the test moves and a folder for its images. */
export const openService = async (environment: Record<string, string> = {}) => {
  const db = await testDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'cardstock-data-'))
  const config = readConfig({ DATA_DIR: dataDir, BASE_URL: 'http://localhost:3000', ...environment })
  const clock = { offsetSeconds: 0, at: new Date('2026-11-21T12:00:00Z'), now: () => clock.at }
  const faults: object[] = []
  const log: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: (_, fields) => faults.push(fields ?? {}) }
  const context = makeContext({ config, db, log, secret: 'a secret of thirty-two characters', clock })
  const app = makeApp(context)
  const tokens = await issueTokens(context)

  const send = (method: string, path: string, { as, type, body, document, headers }: Sending = {}) => {
    const contentType = document ? jsonApi : type
    const url = new URL(path, config.baseUrl)
    const request = new Request(`http://localhost${url.pathname}${url.search}`, {
      method,
      body: document ? JSON.stringify(document) : body,
      headers: {
        ...(as ? { Authorization: `Bearer ${tokens[as]}` } : {}),
        ...(contentType ? { 'Content-Type': contentType } : {}),
        ...headers,
      },
    })
    return Promise.resolve(app.handle(request))
  }

  const create = async (type: string, path: string, attributes: object, relationships?: object): Promise<string> => {
    const answer = await send('POST', `/v1/${path}`, {
      as: 'editor',
      document: { data: { type, attributes, relationships } },
    })
    const { data, errors } = await readJson(answer)
    if (answer.status !== 201) throw new Error(JSON.stringify(errors))
    return data.id
  }

  const aCard = async (status = 'published') => {
    const setId = await create('sets', 'sets', { name: `Set ${Bun.randomUUIDv7()}`, status })
    const cardId = await create('cards', 'cards', { number: '1' }, { set: { data: { type: 'sets', id: setId } } })
    return { setId, cardId }
  }

  const upload = (cardId: string, as: Person = 'editor', bytes = aPng(50, 70)) =>
    send('POST', `/v1/card-images?card_id=${cardId}`, { as, type: 'image/png', body: bytes })

  return {
    context,
    clock,
    config,
    send,
    create,
    aCard,
    upload,
    /** Uploads a form whose part `data` is this. */
    uploadForm: (data: unknown, fields: Record<string, string> = {}, bytes = aPng(50, 70)) => {
      const form = new FormData()
      form.set('file', new File([bytes], 'scan.png'))
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      form.set('data', typeof data === 'string' ? data : JSON.stringify(data))
      return send('POST', '/v1/card-images', { as: 'editor', body: form })
    },
    setStatus: (id: string, status: string) =>
      send('PATCH', `/v1/sets/${id}`, {
        as: 'editor',
        document: { data: { type: 'sets', id, attributes: { status } } },
      }),
    imageOf: async (cardId: string) =>
      (await readJson(await send('GET', `/v1/cards/${cardId}`, { as: 'editor' }))).data.attributes.image_uuid as
        | string
        | null,
    /** What was logged as our fault, for a test that brings one about. */
    takeFaults: () => faults.splice(0),
    files: () => filesIn(join(dataDir, 'images')),
    /** Waits until the files of what was erased are gone, which happens behind the answer. */
    swept: () =>
      until(async () => {
        const left = await db.sql`select 1 from loose_images where loose_from <= ${clock.at.toISOString()}::timestamptz`
        return left.length === 0
      }),
    /** Ends the service: nothing may have failed, and every maintained count must be true. */
    close: async () => {
      const drift = await db.sql`select what, place, stored, truth from drift`
      await db.close()
      rmSync(dataDir, { recursive: true, force: true })
      expect([...drift]).toEqual([])
      expect(faults).toEqual([])
    },
  }
}

const issueTokens = async ({ db, config, clock }: ReturnType<typeof makeContext>) => {
  const owner = { email: 'owner@example.org', passwordHash: '-', operator: true }
  const { id } = await insertUser(db, owner, clock.now())
  const issued = await Promise.all(
    Object.entries(scopesOf).map(async ([person, scopes]) => {
      const { secret } = await issueCredential(db, 'personal_token', id, config, clock.now(), { scopes })
      return [person, secret] as const
    }),
  )
  return Object.fromEntries(issued) as Record<Person, string>
}

const filesIn = (folder: string) => {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
  } catch {
    return 0
  }
}

type Json = {
  data: {
    id: string
    type: string
    attributes: Record<string, unknown> & { download_url: string; image_uuid: string | null }
    relationships: Record<string, unknown>
    links: Record<string, string>
  }
  included: { type: string; id: string }[]
  meta: Record<string, unknown>
  errors: { status: string; code: string; detail: string; source?: Record<string, string> }[]
}

export const readJson = async (answer: Response): Promise<Json> => (await answer.json()) as Json
