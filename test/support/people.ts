import { issueCredential } from '../../src/access/credentials.ts'
import type { TestApp } from './app.ts'
import { aUser, type Client, clientWith } from './callers.ts'

/** A signed-in user, and the session's secret. */
export type Person = { user: string; person: Client; session: string }

/** A client with a bearer credential. */
export const bearerOf = (app: TestApp, secret: unknown): Client =>
  clientWith(app.fetch, app.baseUrl, { Authorization: `Bearer ${secret}` })

/** Creates an account, like `aUser`, and signs it in. */
export const aPerson = async (app: TestApp, standing: Parameters<typeof aUser>[1] = {}): Promise<Person> => {
  const { db, config, clock } = app.context
  const user = await aUser(app.context, standing)
  const { secret } = await issueCredential(db, 'session', user, config, clock.now())
  return { user, person: bearerOf(app, secret), session: secret }
}

/** Sends and reads flat JSON. */
export const flat = async (client: Client, method: string, path: string, body?: unknown) => {
  const sent = { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
  const { status, headers, text, faults } = await client.send(method, path, body === undefined ? {} : sent)
  return { status, headers, text, faults, flat: text ? JSON.parse(text) : undefined }
}
