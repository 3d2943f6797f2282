import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { scopes } from '../../src/access/caller.ts'
import { issueCredential } from '../../src/access/credentials.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { jsonApi } from '../../src/jsonapi/negotiate.ts'
import { initializeTodos } from '../../src/operations/workflow/job.ts'
import { testApp } from '../support/app.ts'
import { aUser, clientWith } from '../support/callers.ts'
import { findsNothing, type Made, type Method, methods, reasons } from './php-methods.ts'

const app = await testApp({ environment: { BRAND: 'tcapi' } })
const { context, db, clock } = app

/** A token as the client gets it: by a form, with all the scopes that it knows. */
const signIn = async () => {
  const owner = await aUser(context, { operator: true, status: 'none' })
  const details = { scopes: [...scopes], internalApproved: true }
  const { id, secret } = await issueCredential(db, 'oauth_client', owner, context.config, clock.now(), details)
  const body = new URLSearchParams({
    ...{ grant_type: 'client_credentials', client_id: id, client_secret: secret, scope: scopes.join(' ') },
  })
  const headers = { Accept: 'application/json' }
  const { text } = await clientWith(app.fetch, app.baseUrl, headers).send('POST', '/oauth/token', { body })
  return JSON.parse(text).access_token as string
}

const php = clientWith(app.fetch, app.baseUrl, {
  ...{ Accept: 'application/json', Authorization: `Bearer ${await signIn()}`, 'X-TCAPI-Ignore-Status': '' },
})

const made: Made = {
  job: await enqueue(db, initializeTodos, { setIds: [], agent: 'service' }, { now: clock.now() }),
}

const call = ({ request }: Method) => {
  const { verb, path, json, form } = request(made)
  if (form) return php.send(verb, path, { body: form })
  const headers = verb === 'GET' || verb === 'DELETE' ? undefined : { 'Content-Type': jsonApi }
  return php.send(verb, path, { headers, ...(json === undefined ? {} : { body: JSON.stringify(json) }) })
}

describe('the PHP client of the hosted service', () => {
  test.each(methods.map((method) => [method.name, method] as const))('%s', async (_, method) => {
    const answer = await call(method)
    if (method.refused) return expect(answer.status).toBe(reasons[method.refused].status)
    expect([200, 201, 202, 204], answer.text).toContain(answer.status)
    if (method.keeps) made[method.keeps] = answer.one.id
    method.reads?.(answer, made)
  })
})

test('each method is in the table of the page on moving, and what is refused has its reason there', async () => {
  const page = await Bun.file(join(import.meta.dir, '../../docs/moving.md')).text()
  const rows = [...page.matchAll(/^\| (`[^|]+`) +\| +(\d{3}|–|works) +\| *(.*?) *\|$/gm)]
  const told = rows.flatMap(([, names = '', status = '', why = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, status, why]),
  )
  expect(told.map(String).toSorted()).toEqual([...new Set(methods.map(tell).map(String))].toSorted())
})

const tell = ({ name, refused, finds }: Method) => {
  if (refused) return [name, String(reasons[refused].status), reasons[refused].why]
  return finds ? [name, '–', findsNothing] : [name, 'works', '']
}
