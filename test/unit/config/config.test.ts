import { describe, expect, test } from 'bun:test'
import { readConfig } from '../../../src/config.ts'

const problemsOf = (environment: Record<string, string>): string[] => {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

describe('the settings', () => {
  test('have defaults for everything', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      baseUrl: 'http://localhost:3000',
      dataDir: './data',
      appEnv: 'production',
      brand: 'cardstock',
      maxBodyBytes: 16_777_216,
      imageMaxBytes: 10_485_760,
      imageUrlTtlSeconds: 900,
      foundingSlots: 5,
      trialDays: 14,
      batchInlineMax: 100,
      batchMax: 10_000,
      s3: null,
    })
  })
  test('let accounts grant what they are told, but never internal', () => {
    expect(readConfig({}).selfServiceScopes).toEqual(['read:published'])
    expect(readConfig({ SELF_SERVICE_SCOPES: 'write, read:draft read:draft' }).selfServiceScopes).toEqual([
      'read:draft',
      'write',
    ])
    for (const value of ['internal', 'read', 'read:published internal'])
      expect(problemsOf({ SELF_SERVICE_SCOPES: value })[0]).toStartWith(`SELF_SERVICE_SCOPES is "${value}"`)
  })
  test('cannot be changed afterwards', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true)
  })
  test('take no address on which nothing can be built, and no origin that is no page', () => {
    for (const value of ['https://cards.example/?page=1', 'https://cards.example/#top'])
      expect(problemsOf({ BASE_URL: value })).toEqual([
        `BASE_URL is "${value}": expected an http or https URL without ? and #.`,
      ])
    expect(problemsOf({ TRUSTED_ORIGINS: 'ftp://cards.example' })[0]).toStartWith('TRUSTED_ORIGINS is "ftp:')
  })
  test('that are empty are as good as not set', () => {
    expect(readConfig({ PORT: '', HOST: ' ' })).toMatchObject({ port: 3000, host: '127.0.0.1' })
  })
  test('that are wrong are all named, with what they were and what is accepted', () => {
    expect(problemsOf({ PORT: '70000', APP_ENV: 'prod', BASE_URL: 'cards', TRUSTED_PROXIES: '10.0.0.0/99' })).toEqual([
      'PORT is "70000": expected an integer from 0 to 65535.',
      'BASE_URL is "cards": expected an http or https URL without ? and #.',
      'APP_ENV is "prod": expected one of production, staging, development.',
      'TRUSTED_PROXIES is "10.0.0.0/99": expected addresses and CIDRs, separated by commas.',
    ])
  })
  test('that are secret are not shown', () => {
    const METRICS_TOKEN = 'two words'
    const DATABASE_URL = 'mysql://root:hunter2@db/cards'
    const said = problemsOf({ APP_SECRET: 'too short', DATABASE_URL, METRICS_TOKEN }).join('\n')
    expect(said).toContain('METRICS_TOKEN is "[secret]": expected 16 characters or more without spaces')
    expect(said).not.toContain(METRICS_TOKEN)
    expect(said).toContain('APP_SECRET')
    expect(said).toContain('DATABASE_URL')
    expect(said).not.toContain('too short')
    expect(said).not.toContain('hunter2')
  })
  test('that have a secret’s word in their names, but are none, are shown', () => {
    expect(problemsOf({ DATABASE_POOL: 'x', LIMIT_RESEND_TOKEN_PER_HOUR: '0' })).toEqual([
      'DATABASE_POOL is "x": expected an integer from 1 to 200.',
      'LIMIT_RESEND_TOKEN_PER_HOUR is "0": expected an integer from 1 to 1000000.',
    ])
  })
  test('need a secret with a PostgreSQL in production, and nowhere else', () => {
    const DATABASE_URL = 'postgres://postgres@localhost/cards'
    expect(problemsOf({ DATABASE_URL })).toEqual([expect.stringMatching(/^APP_SECRET is not set: expected a secret/)])
    expect(problemsOf({ DATABASE_URL, APP_SECRET: 'short' })).toHaveLength(1)
    expect(problemsOf({ DATABASE_URL, APP_ENV: 'staging' })).toEqual([])
    expect(problemsOf({ DATABASE_URL, APP_SECRET: 'x'.repeat(32) })).toEqual([])
  })
  test('take earlier secrets that are as long as the one that signs, and show none of them', () => {
    const [one, other] = ['a'.repeat(32), 'b'.repeat(40)]
    expect(readConfig({}).previousAppSecrets).toEqual([])
    expect(readConfig({ APP_SECRET_PREVIOUS: ` ${one} , ${other},` }).previousAppSecrets).toEqual([one, other])
    expect(problemsOf({ APP_SECRET_PREVIOUS: `${one},hunter2` })).toEqual([
      'APP_SECRET_PREVIOUS is "[secret]": expected secrets of 32 characters or more, separated by commas.',
    ])
  })
  test('refuse a METRICS_TOKEN of fewer than 16 characters', () => {
    expect(problemsOf({ METRICS_TOKEN: 'x'.repeat(15) })).toHaveLength(1)
    expect(readConfig({ METRICS_TOKEN: 'x'.repeat(16) }).metricsToken).toBe('x'.repeat(16))
  })
  test('take a sender that mail can come from', () => {
    for (const MAIL_FROM of [
      'cards@example.org',
      'cards@localhost',
      'Cards <cards@example.org>',
      '"Dagö, K." <k@e.org>',
    ])
      expect(readConfig({ MAIL_FROM }).mail.from).toBe(MAIL_FROM)
    for (const MAIL_FROM of ['cards', 'Cards', 'Cards cards@example.org', 'Cards <cards>', 'A\nBcc: b@e.org <a@e.org>'])
      expect(problemsOf({ MAIL_FROM })[0]).toEndWith(
        'expected an e-mail address, or a name and address such as Cards <cards@example.org>.',
      )
  })
  test('of a bucket take the names that others give its keys', () => {
    const names = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }
    expect(readConfig({ S3_BUCKET: 'cards', ...names }).s3).toMatchObject({
      accessKeyId: 'id',
      secretAccessKey: 'secret',
    })
    expect(readConfig({ S3_BUCKET: 'cards', S3_ACCESS_KEY_ID: 'own', ...names }).s3?.accessKeyId).toBe('own')
  })
  test('that only make sense together are all set, or each missing one is named', () => {
    const missing = (environment: Record<string, string>) => problemsOf(environment).map((line) => line.split(' ')[0])
    const bucket = { S3_BUCKET: 'cards', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' }
    const mail = { RESEND_API_KEY: 're_x', MAIL_FROM: 'cards@example.org' }
    const key = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' }
    const stripe = { ...key, STRIPE_PRICE_STARTER: 'price_1', STRIPE_PRICE_PRO: 'price_2' }
    for (const group of [bucket, mail, stripe] as Record<string, string>[]) {
      expect(problemsOf(group)).toEqual([])
      for (const name of Object.keys(group)) {
        const { [name]: _, ...others } = group
        // A sender is of use without Resend: the mails in the outbox have one.
        expect(missing(others)).toEqual(name === 'RESEND_API_KEY' ? [] : [name])
      }
    }
    expect(missing({ S3_ENDPOINT: 'https://s3.example.org' })).toEqual(['S3_BUCKET'])
    expect(missing({ DATABASE_REPLICA_URLS: 'postgres://two/cardstock' })).toEqual(['DATABASE_URL'])
    expect(problemsOf({ AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' })).toEqual([])
    expect(problemsOf({ STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_PRICE_PRO: 'price_2' })).toEqual([
      'STRIPE_WEBHOOK_SECRET is not set: expected text; it is required with STRIPE_SECRET_KEY.',
      'STRIPE_PRICE_STARTER is not set: expected text; it is required with STRIPE_SECRET_KEY.',
    ])
  })
  test('move no clock in production', () => {
    expect(problemsOf({ CLOCK_OFFSET_SECONDS: '5' })[0]).toStartWith('CLOCK_OFFSET_SECONDS is')
    expect(problemsOf({ CLOCK_OFFSET_SECONDS: '5', APP_ENV: 'development' })).toEqual([])
  })
  test('lift the founding slots by a word', () => {
    expect(readConfig({ FOUNDING_SLOTS: 'unlimited' }).foundingSlots).toBe(Number.POSITIVE_INFINITY)
  })
})
