import { expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { aUser } from '../support/callers.ts'
import { runningCommands } from './running.ts'

const app = await testApp()
const run = runningCommands(app.context)

test('client list shows the clients that live, of all or of one account, and which wait for an approval', async () => {
  const [one, other] = [await aUser(app.context), await aUser(app.context)]
  const make = (user: string, scope: string) =>
    run('client', 'create', '--name', 'importer', '--user', user, '--scope', scope, '--json')
  const [mine, waiting, gone] = [
    await make(one, 'read:published'),
    await make(other, 'read:published internal'),
    await make(one, 'read:published'),
  ]
  await run('client', 'delete', String(gone.json.client_id))
  const idsOf = (json: Record<string, unknown>) =>
    (json.clients as { client_id: string }[]).map(({ client_id: id }) => id)
  const all = await run('client', 'list', '--json')
  expect(idsOf(all.json)).toEqual(expect.arrayContaining([mine.json.client_id, waiting.json.client_id]))
  expect(idsOf(all.json)).not.toContain(gone.json.client_id)
  expect(JSON.stringify(all.json)).not.toContain(String(mine.json.client_secret))
  expect(idsOf((await run('client', 'list', '--user', one, '--json')).json)).toEqual([String(mine.json.client_id)])
  expect((await run('client', 'list', '--user', other)).out).toContain('internal is not approved')
  await run('client', 'approve', String(waiting.json.client_id))
  expect((await run('client', 'list', '--user', other)).out).not.toContain('not approved')
})

test('token list shows the personal tokens of an account, without secrets', async () => {
  const owner = await aUser(app.context)
  expect((await run('token', 'list', '--user', owner)).out).toBe('There are no tokens.\n')
  const made = await run('token', 'create', '--user', owner, '--scope', 'read:draft', '--name', 'laptop', '--json')
  const { json } = await run('token', 'list', '--user', owner, '--json')
  expect(json.tokens).toEqual([
    expect.objectContaining({ name: 'laptop', scope: 'read:draft', last_four: String(made.json.token).slice(-4) }),
  ])
  expect(JSON.stringify(json)).not.toContain(String(made.json.token))
  expect((await run('token', 'list')).exit).toBe(2)
})
