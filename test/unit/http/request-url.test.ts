import { expect, test } from 'bun:test'
import { readUrl } from '../../../src/http/request-url.ts'

test('a path and query are read whatever stands before them', () => {
  for (const [url, expected] of [
    ['http://localhost:3000/v1/cards?a=1', '/v1/cards?a=1'],
    ['http://a/', '/'],
    ['http://a', '/'],
    ['/version', '/version'],
    ['//v1/cards', '//v1/cards'],
    ['http://[::1/v1/cards', '/v1/cards'],
    ['http://a b"</v1/cards?b=://', '/v1/cards?b=://'],
    ['/v1/cards?b=http://evil/', '/v1/cards?b=http://evil/'],
  ] as const) {
    const { pathname, search } = readUrl({ url } as Request)
    expect(pathname + search).toBe(expected)
  }
})
