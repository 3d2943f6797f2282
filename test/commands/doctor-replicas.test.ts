import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { ownServer } from '../support/own-server.ts'
import { openProcesses } from '../support/service-process.ts'

setDefaultTimeout(120_000)

const primary = await ownServer('what doctor says about replicas')
const standby = await primary?.standby()
afterAll(() => primary?.remove())

const lineWith = async (...urls: (string | undefined)[]) => {
  const own = { DATABASE_URL: primary?.url ?? '', DATABASE_REPLICA_URLS: urls.join() }
  const { start, end } = await openProcesses(own)
  const { out, ended } = start('doctor')
  const exit = await ended()
  await end()
  return { exit, line: /^\S+ +replicas .*/m.exec(out())?.[0] }
}

describe.skipIf(!primary)('doctor', () => {
  test('warns of a replica that lets the primary end its reads', async () => {
    const { exit, line } = await lineWith(standby?.url)
    expect(exit).toBe(0)
    expect(line).toMatch(/^warn +replicas +\S+ is [\d,]+ bytes behind\. Set hot_standby_feedback = on at /)
  })

  test('has nothing against one that does not', async () => {
    await standby?.ask('alter system set hot_standby_feedback = on')
    await standby?.ask('select pg_reload_conf()')
    const { exit, line } = await lineWith(standby?.url)
    expect(exit).toBe(0)
    expect(line).toMatch(/^ok +replicas +\S+ is [\d,]+ bytes behind$/)
  })

  test('has a FAULT line for one that nobody answers at, and for a primary', async () => {
    const { exit, line } = await lineWith(primary?.url, 'postgres://postgres@127.0.0.1:1/postgres')
    expect(exit).toBe(1)
    expect(line).toMatch(/^FAULT +replicas +\S+: it is a primary, not a standby; 127\.0\.0\.1:1: .*ECONNREFUSED/)
  })
})
