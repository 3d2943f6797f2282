import { expect, test } from 'bun:test'
import { ownPath } from '../../../src/dashboard/browser/account/own-path.ts'

const here = 'https://cards.example.org'

test('a sign-in goes on to a path of this host, with its query and fragment', () => {
  for (const path of ['/', '/account', '/cards/1?page=2#top', '/a//b', '/a/\\b'.replace('\\', '%5C')])
    expect(ownPath(path, here)).toBe(path)
})

test('any other next leads where a sign-in without one does', () => {
  const others = [
    undefined,
    '',
    'account',
    'https://cards.example.org/account',
    'https://evil.example',
    'javascript:alert(1)',
  ]
  const disguised = [
    '//evil.example',
    '/\\evil.example',
    '/\\/evil.example',
    '//cards.example.org/account',
    '/\t/evil.example',
  ]
  for (const next of [
    ...others,
    ...disguised,
    '/\n\\evil.example',
    '\\/evil.example',
    ' //evil.example',
    '/\r//evil.example',
    '/.//evil.example',
    '/./\\evil.example',
    '/cards/..//evil.example',
    '/%2e//evil.example',
  ])
    expect([next, ownPath(next, here)]).toEqual([next, undefined])
})
