import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { accessTokens } from '../../../src/access/access-token.ts'
import { sign } from '../../../src/lib/secret.ts'

const secret = 'a secret of the service'
const tokens = accessTokens(secret)
const ownKey = sign(secret, 'access tokens')
const now = new Date()
const claims = { sub: 'client', jti: 'token', scope: 'read:published', exp: Math.floor(now.getTime() / 1000) + 60 }
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const forge = (header: object, body: object, key = ownKey, algorithm = 'sha256') => {
  const signed = `${part(header)}.${part(body)}`
  return `${signed}.${createHmac(algorithm, key).update(signed).digest('base64url')}`
}

describe('an access token', () => {
  test('is read as it was issued', async () => {
    const text = await tokens.issue(
      { id: 'token', clientId: 'client', generation: 3, scopes: ['read:draft', 'write'] },
      now,
    )
    const expiresAt = new Date((Math.floor(now.getTime() / 1000) + 86_400) * 1000)
    const token = { id: 'token', clientId: 'client', generation: 3, scopes: ['read:draft', 'write'], expiresAt }
    expect(await tokens.verify(text, now)).toEqual(token as never)
  })
  test('from before there were generations is of the first', async () => {
    expect(await tokens.verify(forge({ alg: 'HS256' }, claims), now)).toMatchObject({ generation: 0 })
    for (const gen of ['0', 0.5, null, -0.1])
      expect(await tokens.verify(forge({ alg: 'HS256' }, { ...claims, gen }), now)).toBeUndefined()
  })
  test('of an earlier secret is accepted while that is named, and nothing is signed with it', async () => {
    const [old, renewed, later] = [tokens, accessTokens(['a newer secret', secret]), accessTokens('a newer secret')]
    const [before, after] = [
      await old.issue({ id: 'token', clientId: 'client', scopes: [] }, now),
      await renewed.issue({ id: 'token', clientId: 'client', scopes: [] }, now),
    ]
    expect(await renewed.verify(before, now)).toMatchObject({ id: 'token' })
    expect(await later.verify(after, now)).toMatchObject({ id: 'token' })
    expect(await old.verify(after, now)).toBeUndefined()
    expect(await later.verify(before, now)).toBeUndefined()
  })
  test('lives for a day', async () => {
    const text = await tokens.issue({ id: 'token', clientId: 'client', scopes: [] }, now)
    expect(await tokens.verify(text, new Date(now.getTime() + 86_390_000))).toBeDefined()
    expect(await tokens.verify(text, new Date(now.getTime() + 86_410_000))).toBeUndefined()
  })
  test('is HS256 and nothing else, whatever its header says', async () => {
    expect(await tokens.verify(forge({ alg: 'HS256' }, claims), now)).toBeDefined()
    const unsigned = `${part({ alg: 'none' })}.${part(claims)}.`
    for (const text of [
      unsigned,
      `${unsigned}x`,
      forge({ alg: 'none' }, claims),
      forge({ alg: 'HS512' }, claims, ownKey, 'sha512'),
      forge({ alg: 'HS384' }, claims, ownKey, 'sha384'),
      forge({ alg: 'RS256' }, claims),
      forge({ alg: 'hs256' }, claims),
      forge({}, claims),
      forge({ alg: 'HS256', crit: ['exp'] }, claims),
    ])
      expect(await tokens.verify(text, now)).toBeUndefined()
  })
  test('of another secret, without an end, a client or an id is none', async () => {
    for (const text of [
      forge({ alg: 'HS256' }, claims, 'another secret'),
      forge({ alg: 'HS256' }, { ...claims, exp: undefined }),
      forge({ alg: 'HS256' }, { ...claims, sub: undefined }),
      forge({ alg: 'HS256' }, { ...claims, jti: 7 }),
      forge({ alg: 'HS256' }, { ...claims, nbf: claims.exp }),
      'a.b.c',
      '..',
      '',
    ])
      expect(await tokens.verify(text, now)).toBeUndefined()
  })
  test('whose last letter was changed is none', async () => {
    const text = await tokens.issue({ id: 'token', clientId: 'client', scopes: [] }, now)
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (const letter of letters.replace(text.at(-1) ?? '', ''))
      expect(await tokens.verify(text.slice(0, -1) + letter, now)).toBeUndefined()
  })
})
