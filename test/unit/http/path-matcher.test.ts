import { describe, expect, test } from 'bun:test'
import { methodsOf, pathMatcher } from '../../../src/http/path-matcher.ts'

const match = pathMatcher([
  { method: 'GET', path: '/v1/cards' },
  { method: 'POST', path: '/v1/cards' },
  { method: 'GET', path: '/v1/cards/:id' },
  { method: 'GET', path: '/v1/cards/newest' },
  { method: 'DELETE', path: '/a/:b/c/:d' },
])
const methods = (path: string) => {
  const matched = match(path)
  return matched && methodsOf(matched.routes)
}

describe('a path', () => {
  test('has the methods of all of its routes', () => {
    expect(methods('/v1/cards')).toEqual(['GET', 'HEAD', 'POST', 'OPTIONS'])
    expect(methods('/a/1/c/2')).toEqual(['DELETE', 'OPTIONS'])
  })
  test('that no route knows has none', () => {
    for (const path of ['/', '/v1', '/v1/cards/', '/v1/cards/1/2', '//v1/cards', '/a//c/2'])
      expect(methods(path)).toBeUndefined()
  })
  test('gives its parameters decoded, and a malformed escape as it is', () => {
    expect(match('/a/x%20y/c/%zz')?.params).toEqual({ b: 'x y', d: '%zz' })
  })
  test('that is literal goes before one with a parameter', () => {
    expect(match('/v1/cards/newest')?.params).toEqual({})
  })
})
