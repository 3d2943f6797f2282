import { describe, expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { clientWith } from '../support/callers.ts'

const baseUrl = 'https://cards.example.org'
const [secure, plain] = [await testApp({ environment: { BASE_URL: baseUrl } }), await testApp()]

const asked: [method: string, path: string, headers: Record<string, string>][] = [
  ['GET', '/health', {}],
  ['GET', '/v1/cards', {}],
  ['GET', '/v1/nowhere', {}],
  ['PUT', '/v1/cards', {}],
  ['POST', '/oauth/token', {}],
  ['GET', '/', {}],
  ['GET', '/nowhere', { Accept: 'text/html' }],
  ['GET', '/openapi.json', {}],
  ['GET', '/docs', {}],
  ['GET', '/pages/v1/cards', {}],
  ['GET', '/.well-known/oauth-authorization-server', {}],
  ['GET', '/images/x/y', {}],
  ['OPTIONS', '/v1/cards', {}],
  ['HEAD', '/v1/stats/counts', {}],
]

describe('with an https BASE_URL', () => {
  test.each(asked)(
    'Strict-Transport-Security: max-age=31536000 is on every answer, pages too: %s %s',
    async (method, path, headers) => {
      const { headers: sent } = await clientWith(secure.fetch, baseUrl, {}).send(method, path, { headers })
      expect(sent.get('strict-transport-security')).toBe('max-age=31536000')
    },
  )
  test('of http there is none', async () => {
    for (const [method, path, headers] of asked)
      expect(
        (await plain.stranger().send(method, path, { headers })).headers.get('strict-transport-security'),
      ).toBeNull()
  })
})
