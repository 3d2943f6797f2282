import { expect, test } from 'bun:test'
import manifest from '../../../package.json' with { type: 'json' }
import { testApp } from '../../support/app.ts'

const app = await testApp()

test('GET /version answers anybody with the running version', async () => {
  const answer = await app.stranger().get('/version')
  expect([answer.status, answer.text]).toEqual([200, `{"version":"${manifest.version}"}`])
  expect((await app.stranger().send('POST', '/version')).status).toBe(405)
})
