import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { scopes } from '../../src/access/caller.ts'
import { issueCredential } from '../../src/access/credentials.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { jsonApi } from '../../src/jsonapi/negotiate.ts'
import { initializeTodos } from '../../src/operations/workflow/job.ts'
import { testApp } from '../support/app.ts'
import { aUser, clientWith } from '../support/callers.ts'
import { methods } from './php-methods.ts'
import { type Made, type Method, reasons, ways } from './php-requests.ts'

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

/** The rows of the page's table as scripts/php-client.php finds them: with its own expression, which means the same here. */
const rowsOfPage = async () => {
  const root = join(import.meta.dir, '../..')
  const [script, page] = await Promise.all(
    ['scripts/php-client.php', 'docs/moving.md'].map((path) => Bun.file(join(root, path)).text()),
  )
  const [, row = '(?!)'] = script?.match(/preg_match_all\('\/(.+)\/mu', \$moving/) ?? []
  return [...(page ?? '').matchAll(new RegExp(row, 'gmu'))]
}

test('each method is in the table of the page on moving, with what there is instead, and the script finds it', async () => {
  const told = (await rowsOfPage()).flatMap(([, names = '', status = '', why = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, status, why]),
  )
  expect(told.map(String).toSorted()).toEqual([...new Set(methods.map(tell).map(String))].toSorted())
})

const tell = ({ name, refused, instead }: Method) => {
  if (refused) return [name, String(reasons[refused].status), reasons[refused].why]
  return instead ? [name, '–', ways[instead]] : [name, 'works', '']
}
