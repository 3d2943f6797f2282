import { describe, expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { runningCommands } from './running.ts'

const app = await testApp()
const run = runningCommands(app.context)
const user = (email: string, ...more: string[]) =>
  run('user', 'create', '--email', email, '--password', 'ten letters', ...more)

describe('user create', () => {
  test('makes a verified account and prints its id and address', async () => {
    const { exit, json } = await user('Ann@Example.org', '--json')
    expect([exit, Object.keys(json), json.email]).toEqual([0, ['id', 'email'], 'Ann@Example.org'])
    const [row] = await app.db.sql`select operator, verified_at, password_hash from users where id = ${String(json.id)}`
    expect(row?.verified_at).not.toBeNull()
    expect(row?.operator).toBe(false)
    expect(row?.password_hash).toStartWith('$argon2id$')
  })
  test('refuses an address that is taken, compared without case', async () => {
    const { exit, err } = await user('ANN@example.org')
    expect([exit, err]).toEqual([1, 'An account with this e-mail address already exists.\n'])
  })
  test('makes operators, and accounts that are active on a plan', async () => {
    const { json } = await user('op@example.org', '--operator', '--plan=starter', '--json')
    const [row] = await app.db.sql`
      select u.operator, s.plan, s.status from users u join subscriptions s on s.user_id = u.id where u.id = ${String(json.id)}`
    expect(row).toEqual({ operator: true, plan: 'starter', status: 'active' })
  })
  test('is used in one way only', async () => {
    for (const words of [
      ['--email', 'b@example.org'],
      ['--password', 'ten letters'],
      ['--email', 'b@example.org', '--password', 'short'],
      ['--email', 'no address', '--password', 'ten letters'],
      ['--email', 'jörg@example.org', '--password', 'ten letters'],
      ['--email', 'b@example.org', '--password', 'ten letters', '--name', 'Ben\nBcc: c@example.org'],
      ['--email', 'b@example.org', '--password', 'ten letters', '--plan', 'gold'],
      ['--email', 'b@example.org', '--password', 'ten letters', '--admin'],
      ['--email', 'b@example.org', '--password', 'ten letters', 'more'],
      ['--email'],
    ])
      expect((await run('user', 'create', ...words)).exit).toBe(2)
  })
})

test('--user finds an account however its address is written, and none whose address only looks the same', async () => {
  await user('kim@gmail.example')
  const token = (written: string) => run('token', 'create', '--user', written, '--scope', 'read:published', '--json')
  for (const written of ['KIM@gmail.example', 'Kim@ｇmail。example'])
    expect(Object.keys((await token(written)).json)).toEqual(['token'])
  const { exit, err } = await token('kim@gma\u0130l.example')
  expect([exit, err]).toEqual([1, expect.stringContaining('There is no user')])
})

test('names and labels are one line', async () => {
  await user('lee@example.org')
  const scope = ['--user', 'lee@example.org', '--scope', 'read:published']
  for (const words of [
    ['token', 'create', ...scope, '--name', 'a\nb'],
    ['client', 'create', ...scope, '--name', 'a\u001bb'],
    ['invite', 'create', '--label', 'a\u2028b'],
  ]) {
    const { exit, err } = await run(...words)
    expect([exit, err]).toEqual([2, expect.stringContaining('must be one line without control characters')])
  }
})

describe('the front door', () => {
  test('helps with every command', async () => {
    const list = await run('--help')
    expect(list.exit).toBe(0)
    const names = [...list.out.matchAll(/^ {2}([a-z]+(?: [a-z]+)?) {2,}/gm)].map(([, name]) => name as string)
    expect(names).toContain('serve')
    for (const name of names) {
      const { exit, out } = await run(...name.split(' '), '--help')
      expect([name, exit]).toEqual([name, 0])
      expect(out).toStartWith(`Usage: cardstock ${name}`)
    }
  })
  test('knows groups, and refuses what is no command', async () => {
    expect((await run('user', '--help')).out).toContain('user create')
    expect(await run('user')).toMatchObject({ exit: 2, out: '', err: expect.stringContaining('user create') })
    for (const words of [['nope'], ['user', 'nope'], ['--nope']]) expect((await run(...words)).exit).not.toBe(0)
  })
  test('refuses an unknown flag everywhere', async () => {
    for (const words of [['user', 'create'], ['key', 'create'], ['limit', 'set'], ['doctor'], ['migrate']]) {
      const { exit, err } = await run(...words, '--nope')
      expect([words, exit]).toEqual([words, 2])
      expect(err).toContain('--nope')
    }
  })
})
