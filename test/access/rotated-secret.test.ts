import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSecrets } from '../../src/access/app-secret.ts'
import { issueCredential } from '../../src/access/credentials.ts'
import { isKnownNetwork, rememberNetwork } from '../../src/accounts/sessions/networks.ts'
import { makeApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { makeContext } from '../../src/context.ts'
import { readSignedUrl, signedUrls } from '../../src/files/signed-url.ts'
import { sealer } from '../../src/lib/seal.ts'
import type { Secrets } from '../../src/lib/secret.ts'
import { verifyAddress } from '../../src/mail/messages/account.ts'
import { testApp } from '../support/app.ts'
import { aUser, clientWith } from '../support/callers.ts'
import { runJobs } from '../support/jobs.ts'
import { mailsTo } from '../support/mail.ts'

const app = await testApp()
const { context, db, clock, lines } = app
const { config } = context
const [old, renewed] = ['the secret that was there at first', 'the secret that signs from now on']

/** The same service with other secrets. */
const serviceWith = (secret: Secrets) => {
  const other = makeContext({ ...context, secret })
  const service = makeApp(other)
  const client = (headers: Record<string, string>) =>
    clientWith(async (request) => service.handle(request), app.baseUrl, { 'X-Forwarded-For': '192.0.2.1', ...headers })
  return { context: other, client, bearer: (token: string) => client({ Authorization: `Bearer ${token}` }) }
}
const [before, during, after] = [serviceWith(old), serviceWith([renewed, old]), serviceWith(renewed)]

const aMachine = async () => {
  const owner = await aUser(context, { operator: true })
  return issueCredential(db, 'oauth_client', owner, config, clock.now(), { scopes: ['read:published', 'write'] })
}

/** Asks for a token, as a machine does. */
const tokenOf = async ({ client }: typeof before, { id, secret }: { id: string; secret: string }) => {
  const sent = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
  return JSON.parse((await client({}).post('/oauth/token', sent)).text).access_token as string
}

test('an access token of APP_SECRET_PREVIOUS is still accepted, and none is signed with it', async () => {
  const machine = await aMachine()
  const [first, second] = [await tokenOf(before, machine), await tokenOf(during, machine)]
  const opens = async (token: string) =>
    (await Promise.all([before, during, after].map(({ bearer }) => bearer(token).get('/v1/genres')))).map(
      ({ status }) => status,
    )
  expect(await opens(first)).toEqual([200, 200, 401])
  expect(await opens(second)).toEqual([401, 200, 200])
})

test('a cursor of APP_SECRET_PREVIOUS is still accepted, in lists and in the feed, and none is signed with it', async () => {
  const secret = (
    await issueCredential(db, 'personal_token', await aUser(context, { operator: true }), config, clock.now(), {
      scopes: ['read:all-status', 'write'],
    })
  ).secret
  for (const name of ['Golf', 'Chess', 'Darts'])
    await before.bearer(secret).post('/v2/genres', { data: { type: 'genres', attributes: { name } } })
  for (const path of ['/v2/genres', '/v2/changes']) {
    const nextOf = async ({ bearer }: typeof before) =>
      String((await bearer(secret).get(`${path}?page%5Bsize%5D=1`)).document.links?.next).replace(app.baseUrl, '')
    const read = async (next: string) =>
      (await Promise.all([before, during, after].map(({ bearer }) => bearer(secret).get(next)))).map(
        ({ status }) => status,
      )
    expect(await read(await nextOf(before))).toEqual([200, 200, 400])
    expect(await read(await nextOf(during))).toEqual([400, 200, 200])
  }
})

test('an address of an image or a bulk file that APP_SECRET_PREVIOUS signed still opens it, and none is signed with it', () => {
  const now = clock.now()
  const presented = (address: string) => {
    const { pathname, searchParams: search } = new URL(address)
    const [, , id = '', name = ''] = pathname.split('/')
    return { id, name, search }
  }
  const [image, file] = [crypto.randomUUID(), crypto.randomUUID()]
  for (const [signs, opens] of [
    [before.context, [true, true, false]],
    [during.context, [false, true, true]],
  ] as const) {
    const ofImage = presented(signedUrls(signs, 'images', now)(image, 'thumb', 2).url)
    const ofFile = presented(signedUrls(signs, 'bulk', now)(file, 'cards.ndjson.gz').url)
    const readers = [before, during, after].map((one) => one.context.secret)
    expect(readers.map((secret) => readSignedUrl(secret, 'images', ofImage, now, [[2]]) !== undefined)).toEqual([
      ...opens,
    ])
    expect(readers.map((secret) => readSignedUrl(secret, 'bulk', ofFile, now) !== undefined)).toEqual([...opens])
  }
})

test('a mail that was sealed with APP_SECRET_PREVIOUS is still sent, and none is sealed with it', async () => {
  const link = 'http://cards.example.org/verify#token=x'
  const queue = ({ context: { mail } }: typeof before, to: string) =>
    mail.queue(db, to, verifyAddress('cardstock', { link }), { now: clock.now() })
  await queue(before, 'before@example.org')
  await runJobs(during.context)
  expect(mailsTo(context, 'before@example.org')).toHaveLength(1)
  await queue(during, 'during@example.org')
  await runJobs(after.context)
  expect(mailsTo(context, 'during@example.org')).toHaveLength(1)
  await queue(before, 'late@example.org')
  expect(await runJobs(after.context)).toMatchObject([{ outcome: 'failed' }])
  lines.splice(0)
})

test('what was sealed under any of several earlier secrets is read', () => {
  const [one, two] = [sealer('first', 'letters').seal('one'), sealer('second', 'letters').seal('two')]
  const { seal, unseal } = sealer(['third', 'second', 'first'], 'letters')
  expect([unseal(one), unseal(two)]).toEqual(['one', 'two'])
  expect(sealer('third', 'letters').unseal(seal('three'))).toBe('three')
  expect(sealer(['second', 'first'], 'letters').unseal(seal('three'))).toBeUndefined()
})

test('a secret that was made by itself is rotated by taking it away and naming it in APP_SECRET_PREVIOUS', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cardstock-secret-'))
  try {
    const settings = (environment: Record<string, string> = {}) =>
      readConfig({ APP_ENV: 'development', DATA_DIR: dataDir, ...environment })
    const [made] = await readSecrets(settings(), db)
    expect(await readSecrets(settings(), db)).toEqual([made as string])
    const kept = join(dataDir, 'app-secret')
    if (db.kind === 'embedded') {
      expect(readFileSync(kept, 'utf8').trim()).toBe(made as string)
      renameSync(kept, `${kept}.old`)
    } else await db.sql`delete from settings where name = 'app_secret'`
    const [signs, ...accepted] = await readSecrets(settings({ APP_SECRET_PREVIOUS: made as string }), db)
    expect(signs).not.toBe(made as string)
    expect(accepted).toEqual([made as string])
    const given = { APP_SECRET: renewed, APP_SECRET_PREVIOUS: `${made},${signs}` }
    expect(await readSecrets(settings(given), db)).toEqual([renewed, made as string, signs as string])
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('a network that an account signed in from under APP_SECRET_PREVIOUS is still exempt, and none is kept under it', async () => {
  const known = ({ context: service }: typeof before, userId: string) =>
    isKnownNetwork(service, userId, '192.0.2.9', clock.now())
  const everywhere = async (userId: string) => [
    await known(before, userId),
    await known(during, userId),
    await known(after, userId),
  ]
  const [first, second] = [await aUser(context), await aUser(context)]
  await rememberNetwork(before.context, db, first, '192.0.2.9', clock.now())
  await rememberNetwork(during.context, db, second, '192.0.2.9', clock.now())
  expect(await everywhere(first)).toEqual([true, true, false])
  expect(await everywhere(second)).toEqual([false, true, true])
})
