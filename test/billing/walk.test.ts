import { expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brief } from '../support/brief.ts'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'

const root = join(import.meta.dir, '../..')
const folder = mkdtempSync(join(tmpdir(), 'cardstock-walk-'))

const begin = (words: string[], cwd: string, env: Record<string, string>) =>
  Bun.spawn([process.execPath, ...words], {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...brief, ...env },
    stdout: 'pipe',
    stderr: 'ignore',
  })

test('from a sign-up to a paid key, with the command that starts a Stripe of one’s own', async () => {
  const [port, stripePort] = [freePort(), freePort()]
  const base = `http://localhost:${port}`
  const double = begin(
    ['run', 'stripe-double', '--port', String(stripePort), '--webhook', `${base}/webhooks/stripe`],
    root,
    {},
  )
  let printed = ''
  void (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of double.stdout) printed += decoder.decode(chunk, { stream: true })
  })()
  await until(() => printed.includes('curl -X POST'))
  const environment = Object.fromEntries(
    [...printed.matchAll(/export (\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  )
  const server = begin([join(root, 'src/main.ts'), 'serve'], folder, {
    ...environment,
    PORT: String(port),
    DATA_DIR: folder,
  })
  try {
    await until(() =>
      fetch(`${base}/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    const post = async (path: string, body: object, bearer?: string) => {
      const headers = {
        'Content-Type': 'application/vnd.api+json',
        ...(bearer ? { Authorization: `Bearer ${bearer}` } : {}),
      }
      const answer = await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return JSON.parse((await answer.text()) || '{}')
    }
    const doing = (type: string, attributes: object) => ({ data: { type, attributes } })
    const account = { email: 'ann@example.org', password: 'correct horse battery' }
    await post('/v1/signup', doing('signups', account))
    const outbox = join(folder, 'outbox')
    const mails = () => readdirSync(outbox).filter((name) => name.endsWith('.eml'))
    await until(() => {
      try {
        return mails().length > 0
      } catch {
        return false
      }
    })
    const token = /token=([0-9A-Za-z]+)/.exec(readFileSync(join(outbox, mails()[0] ?? ''), 'utf8'))?.[1]
    const key = (await post('/v1/signup/verify', doing('verifications', { token }))).meta.api_key
    const limit = async () =>
      (await fetch(`${base}/v1/sets`, { headers: { Authorization: `Bearer ${key}` } })).headers.get('x-ratelimit-limit')
    expect(await limit()).toBe('10000')
    const session = (await post('/v1/session', doing('sessions', account))).meta.token
    const { url } = await post('/v1/billing/checkout', { plan: 'starter' }, session)
    expect(await (await fetch(url)).text()).toContain('Pay 9.00 USD a month')
    expect((await fetch(`${url}/declined`, { method: 'POST' })).status).toBe(402)
    expect((await fetch(url, { method: 'POST', redirect: 'manual' })).headers.get('location')).toStartWith(base)
    await until(async () => (await limit()) === '1000')
    const portal = (await post('/v1/billing/portal', {}, session)).url
    expect(await (await fetch(portal)).text()).toContain('price_starter, active')
    await fetch(`${portal}/pro`, { method: 'POST' })
    await until(async () => (await limit()) === '10000')
    await fetch(`${portal}/end`, { method: 'POST' })
    await until(
      async () => (await fetch(`${base}/v1/sets`, { headers: { Authorization: `Bearer ${key}` } })).status === 402,
    )
  } finally {
    server.kill()
    double.kill()
    await Promise.all([server.exited, double.exited])
    rmSync(folder, { recursive: true, force: true })
  }
})
