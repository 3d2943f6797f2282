import { describe, expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { anAddress, day, signingUp } from '../support/signing-up.ts'
import { runningCommands } from './running.ts'

const app = await testApp({ environment: { FOUNDING_SLOTS: 'unlimited' } })
const run = runningCommands(app.context)
const { signUp, join } = signingUp(app)

type Listed = { id: string; claims: number; holds: number; revoked_at: string | null; expires_at: string | null }
const listed = async (id: unknown) => {
  const { json } = await run('invite', 'list', '--json')
  return (json.invites as Listed[]).find((invite) => invite.id === id)
}

describe('invite create', () => {
  test('makes a code that a sign-up takes once, for 14 days', async () => {
    const { json } = await run('invite', 'create', '--label', 'Card show', '--json')
    expect(Object.keys(json)).toEqual(['id', 'code'])
    const left = Date.parse(String((await listed(json.id))?.expires_at)) - Date.now()
    expect(left / 1000).toBeWithin(14 * day - 60, 14 * day + 1)
    expect((await signUp(anAddress(), { invite_code: json.code })).status).toBe(202)
    expect((await signUp(anAddress(), { invite_code: json.code })).faults[0]).toStartWith('invite_exhausted')
  })

  test('takes an address, a number of uses and an end', async () => {
    const email = anAddress()
    const pinned = await run('invite', 'create', '--email', email, '--max-uses', '2', '--never', '--json')
    expect((await signUp(anAddress(), { invite_code: pinned.json.code })).status).toBe(422)
    await join(email, { invite_code: pinned.json.code })
    expect(await listed(pinned.json.id)).toMatchObject({ email, claims: 1, max_uses: 2, expires_at: null } as never)
    const dated = await run('invite', 'create', '--expires', '2099-12-24', '--json')
    expect((await listed(dated.json.id))?.expires_at).toBe('2099-12-24T00:00:00.000Z')
  })

  test.each([
    '--email nobody',
    '--max-uses 0',
    '--max-uses many',
    '--expires soon',
    '--expires 2027-02-31',
    '--expires 9999-12-31T23:59:59-12:00',
    '--never --expires 2099-12-24',
    '--colour red',
  ])('refuses %s', async (words) => {
    expect((await run('invite', 'create', ...words.split(' '))).exit).toBe(2)
  })
})

test('invite list shows uses and state, and never a code', async () => {
  const { json } = await run('invite', 'create', '--label', 'For the club', '--max-uses', '3', '--json')
  await signUp(anAddress(), { invite_code: json.code })
  const { out } = await run('invite', 'list')
  const line = out.split('\n').find((one) => one.includes(String(json.id)))
  expect(line).toContain('0 of 3 used  1 held')
  expect(line).toContain('For the club')
  expect(out).not.toContain(String(json.code))
})

test('invite revoke ends an invite once', async () => {
  const { json } = await run('invite', 'create', '--json')
  expect((await run('invite', 'revoke', String(json.id), '--json')).json).toEqual({ id: json.id, revoked: true })
  expect((await signUp(anAddress(), { invite_code: json.code })).faults[0]).toStartWith('invite_invalid')
  expect((await listed(json.id))?.revoked_at).toBeString()
  expect((await run('invite', 'revoke', String(json.id))).exit).toBe(1)
  expect((await run('invite', 'revoke', 'x')).exit).toBe(1)
  expect((await run('invite', 'revoke')).exit).toBe(2)
})
