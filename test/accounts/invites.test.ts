import { describe, expect, test } from 'bun:test'
import { type InviteTerms, issueInvite, readInvites, revokeInvite } from '../../src/accounts/invites/invite.ts'
import { testApp } from '../support/app.ts'
import { anAddress, asking, day, later, mailsOf, signingUp } from '../support/signing-up.ts'

const app = await testApp({ environment: { FOUNDING_SLOTS: '30' } })
const { db, clock } = app
const { signUp, lastToken, verify, resend, join } = signingUp(app)

const anInvite = (terms: InviteTerms = {}) => issueInvite(db, terms, clock.now())
const withCode = (code: string, email = anAddress()) => signUp(email, { invite_code: code })
const validate = (code: unknown) => app.stranger().post('/v1/invites/validate', { code }, json)
const json = { 'Content-Type': 'application/json' }
const usesOf = async (id: string) => {
  const [invite] = await readInvites(db, { now: clock.now(), id })
  return [invite?.claims, invite?.holds]
}
const exhausted = [422, ['invite_exhausted /data/attributes/invite_code']]
const invalid = [422, ['invite_invalid /data/attributes/invite_code']]

describe('a sign-up with an invite', () => {
  test('holds a use, and verifying claims it', async () => {
    const { id, code } = await anInvite({ maxUses: 2 })
    const email = anAddress()
    expect((await withCode(code, email)).status).toBe(202)
    expect(await usesOf(id)).toEqual([0, 1])
    await verify(await lastToken(email))
    expect(await usesOf(id)).toEqual([1, 0])
  })

  test('finds it exhausted where claims and live holds take all uses', async () => {
    const { code } = await anInvite({ maxUses: 2 })
    await join(anAddress(), { invite_code: code })
    await withCode(code)
    const answer = await withCode(code)
    expect([answer.status, answer.faults]).toEqual(exhausted)
  })

  test('holds its use for 24 hours, and no longer', async () => {
    const { code } = await anInvite()
    await withCode(code)
    await later(app, day - 600, async () => expect((await withCode(code)).status).toBe(422))
    await later(app, day + 1, async () => expect((await withCode(code)).status).toBe(202))
  })

  test('keeps what it claimed for good', async () => {
    const { code } = await anInvite({ expiresAt: null })
    await join(anAddress(), { invite_code: code })
    await later(app, 400 * day, async () => expect((await withCode(code)).status).toBe(422))
  })

  test.each(['unknown', 'revoked', 'expired', 'pinned to another'])(
    'that is %s is invalid, and says no more',
    async (what) => {
      const codes: Record<string, () => Promise<string>> = {
        unknown: async () => 'no such code',
        revoked: async () => {
          const { id, code } = await anInvite()
          await revokeInvite(db, id, clock.now())
          return code
        },
        expired: async () => (await anInvite({ expiresAt: new Date(clock.now().getTime() - 1000) })).code,
        'pinned to another': async () => (await anInvite({ email: anAddress() })).code,
      }
      const answer = await withCode((await codes[what]?.()) ?? '')
      expect([answer.status, answer.faults]).toEqual(invalid)
      expect(answer.document.errors).toEqual((await withCode('no such code')).document.errors as never)
    },
  )

  test('that is pinned takes its own address, however it is spelt', async () => {
    const email = anAddress()
    const { code } = await anInvite({ email })
    expect((await withCode(code, email.toUpperCase())).status).toBe(202)
  })

  test('uses it up alike for an address that has an account, so that nothing is learnt from what is left', async () => {
    const { email } = await join()
    const { id, code } = await anInvite({ maxUses: 2 })
    expect((await withCode(code, email)).status).toBe(202)
    expect((await withCode(code)).status).toBe(202)
    expect(await usesOf(id)).toEqual([0, 2])
    expect((await withCode(code, email)).faults).toEqual(exhausted[1] as string[])
  })

  test('two sign-ups for the last use at once: one gets it', async () => {
    const { code } = await anInvite()
    const answers = await Promise.all([withCode(code), withCode(code), withCode(code)])
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 422, 422])
  })

  test('that is refused keeps nobody', async () => {
    const email = anAddress()
    await withCode('no such code', email)
    expect(await mailsOf(app, email, 'verify_address')).toEqual([])
    expect(await db.sql`select id from users where email = ${email}`).toHaveLength(0)
  })

  test('verifies what it holds, though the invite was revoked meanwhile', async () => {
    const { id, code } = await anInvite()
    const email = anAddress()
    await withCode(code, email)
    await revokeInvite(db, id, clock.now())
    expect((await verify(await lastToken(email))).status).toBe(200)
  })

  test('twice: verifying one gives back what the other held', async () => {
    const { id, code } = await anInvite({ maxUses: 2 })
    const email = anAddress()
    await withCode(code, email)
    await withCode(code, email)
    await verify(await lastToken(email))
    expect(await usesOf(id)).toEqual([1, 0])
  })
})

describe('sending its link again', () => {
  const waiting = async (terms: InviteTerms = {}) => {
    const invite = await anInvite(terms)
    const email = anAddress()
    await withCode(invite.code, email)
    return { ...invite, email, token: await lastToken(email) }
  }
  const mails = async (email: string) => (await mailsOf(app, email, 'verify_address')).length

  test('holds the same use for another 24 hours', async () => {
    const { id, code, token } = await waiting()
    await later(app, day - 60, async () => {
      expect((await resend(token)).status).toBe(202)
      expect(await usesOf(id)).toEqual([0, 1])
      await later(app, 3600, async () => expect((await withCode(code)).status).toBe(422))
    })
  })

  test('takes a use anew after the hold has lapsed', async () => {
    const { id, token } = await waiting()
    await later(app, day + 60, async () => {
      expect(await usesOf(id)).toEqual([0, 0])
      expect((await resend(token)).status).toBe(202)
      expect(await usesOf(id)).toEqual([0, 1])
    })
  })

  test('is invite_exhausted where somebody else took the use, and leaves token and mails as they are', async () => {
    const { code, email, token } = await waiting()
    await later(app, day + 60, async () => {
      await join(anAddress(), { invite_code: code })
      const answer = await resend(token)
      expect([answer.status, answer.faults]).toEqual([422, ['invite_exhausted']])
      expect(await mails(email)).toBe(1)
      expect((await verify(token)).status).toBe(410)
    })
  })

  test('is invite_invalid where the invite was revoked or has expired', async () => {
    const revoked = await waiting()
    await revokeInvite(db, revoked.id, clock.now())
    expect((await resend(revoked.token)).faults).toEqual(['invite_invalid'])
    expect((await verify(revoked.token)).status).toBe(200)
    const expiring = await waiting({ expiresAt: new Date(clock.now().getTime() + 3_600_000) })
    await later(app, 3660, async () => expect((await resend(expiring.token)).faults).toEqual(['invite_invalid']))
  })
})

describe('POST /v1/invites/validate', () => {
  test('says that a code is good, and whether it is for one address; that uses nothing up', async () => {
    const [free, pinned] = [await anInvite(), await anInvite({ email: anAddress() })]
    for (let n = 0; n < 2; n++) {
      const answer = await validate(free.code)
      expect([answer.status, answer.document]).toEqual([200, { valid: true, email_pinned: false } as never])
      expect(answer.headers.get('content-type')).toBe('application/json')
    }
    expect((await validate(pinned.code)).document).toEqual({ valid: true, email_pinned: true } as never)
    expect((await validate(pinned.code)).text).not.toContain('@')
  })

  test('takes a document too', async () => {
    const { code } = await anInvite()
    const ask = (value: unknown) => app.stranger().post('/v1/invites/validate', asking('invites', { code: value }))
    expect((await ask(code)).status).toBe(200)
    expect((await ask('no such code')).faults).toEqual(['invite_invalid /data/attributes/code'])
    expect((await ask(1)).faults).toEqual(['VALIDATION-FAILED /data/attributes/code'])
  })

  test('tells exhausted from invalid, and not revoked from unknown', async () => {
    const [used, revoked] = [await anInvite(), await anInvite()]
    await withCode(used.code)
    await revokeInvite(db, revoked.id, clock.now())
    expect((await validate(used.code)).faults).toEqual(['invite_exhausted /code'])
    const [one, other] = [await validate(revoked.code), await validate('unknown')]
    expect([one.status, one.document.errors]).toEqual([422, other.document.errors])
    expect(one.faults).toEqual(['invite_invalid /code'])
  })

  test.each([[undefined], [null], [1], [['a']], ['a\u0000b']])('refuses the code %p', async (code) => {
    expect((await validate(code)).faults).toEqual(['VALIDATION-FAILED /code'])
  })

  test('is limited to 30 an hour and address', async () => {
    const caller = app.stranger()
    const ask = () => caller.post('/v1/invites/validate', { code: 'guess' }, json)
    for (let n = 0; n < 30; n++) expect((await ask()).status).toBe(422)
    expect((await ask()).status).toBe(429)
  })
})

test('a code is kept as a hash alone, and is good for 14 days and one use unless said otherwise', async () => {
  const { id, code } = await anInvite()
  expect(JSON.stringify([...(await db.sql`select i::text from invites i`)])).not.toContain(code)
  const [invite] = await readInvites(db, { now: clock.now(), id })
  expect(invite?.max_uses).toBe(1)
  expect(Date.parse(String(invite?.expires_at)) - Date.parse(String(invite?.created_at))).toBe(14 * day * 1000)
})

test('a code of one’s own is taken once', async () => {
  await anInvite({ code: 'CARDSHOW-26' })
  expect((await withCode('CARDSHOW-26')).status).toBe(202)
  const refusal = await anInvite({ code: 'CARDSHOW-26' }).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ status: 422, errors: [{ source: { pointer: '/data/attributes/code' } }] })
})
