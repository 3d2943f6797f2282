import { expect, test } from 'bun:test'
import { warnOfForwards } from '../../src/access/untrusted-forwards.ts'
import { runningCommands } from '../commands/running.ts'
import { testApp } from '../support/app.ts'
import { until } from '../support/until.ts'

const app = await testApp({ environment: { TRUSTED_PROXIES: '192.0.2.1' } })
const doctor = runningCommands(app.context)
const warnings = () => app.lines.filter(({ event }) => event === 'untrusted proxy')
const ask = (headers: Record<string, string> = {}) => app.fetch(new Request(`${app.baseUrl}/version`, { headers }))
const forwarded = { 'X-Forwarded-For': '203.0.113.7' }
const lineOf = async () => /^(\w+) +proxies +(.*)$/m.exec((await doctor('doctor')).out)?.slice(1) ?? []

test('without X-Forwarded-For nothing is said, and doctor names the trusted proxies', async () => {
  await ask()
  expect(warnings()).toEqual([])
  expect(await lineOf()).toEqual(['ok', 'trusted: 192.0.2.1'])
})

test('X-Forwarded-For from another peer is a warning, in one line an hour, and doctor warns of the peer', async () => {
  for (let n = 0; n < 5; n++) await ask(forwarded)
  expect(warnings()).toHaveLength(1)
  expect(warnings()[0]).toMatchObject({
    level: 'warn',
    fields: { message: expect.stringContaining('TRUSTED_PROXIES') },
  })
  expect(JSON.stringify(warnings())).not.toContain('203.0.113.7')
  await until(async () => (await lineOf())[0] === 'warn')
  expect((await lineOf())[1]).toMatch(/^127\.0\.0\.1 sent X-Forwarded-For but is not trusted/)
  app.clock.offsetSeconds += 3500
  await ask(forwarded)
  expect(warnings()).toHaveLength(1)
  app.clock.offsetSeconds += 120
  await ask(forwarded)
  await ask(forwarded)
  expect(warnings()).toHaveLength(2)
})

test('each process says it, and a day later doctor has nothing to say', async () => {
  const lines: string[] = []
  const log = { ...app.context.log, warn: (event: string) => void lines.push(event) }
  const note = warnOfForwards({ ...app.context, log })
  note('127.0.0.1')
  note('127.0.0.2')
  expect(lines).toEqual(['untrusted proxy'])
  app.clock.offsetSeconds += 2 * 86_400
  expect((await lineOf())[0]).toBe('ok')
})
