import { isAddressRange } from './lib/address-range.ts'
import { isEmail } from './lib/email.ts'
import { type LogLevel, logFormats, logLevels } from './lib/log.ts'
import { type Scope, scopes } from './lib/scopes.ts'
import { isSecret } from './lib/secret.ts'
import { isOrigin, isWeb } from './lib/web-address.ts'

/** The service's settings, read once from the environment. Secrets never reach a log. */
export type Config = Readonly<ReturnType<typeof readAll>>

export type Environment = Record<string, string | undefined>
type Problem = { name: string; value?: string; accepted: string }

/** Raised with one line for each variable that is wrong: its name, what it was, what is accepted. */
export class BadConfig extends Error {}

/** Reads and checks every setting (decisions.md §1); throws BadConfig that names all that is wrong. */
export const readConfig = (environment: Environment = process.env): Config => {
  const problems: Problem[] = []
  const config = readAll(reader(environment, problems), environment)
  if (config.databaseUrl && config.appEnv === 'production' && !environment.APP_SECRET?.trim())
    problems.push({
      name: 'APP_SECRET',
      accepted: 'a secret of 32 characters or more; it is required with DATABASE_URL in production',
    })
  if (config.appEnv === 'production' && config.clockOffsetSeconds !== 0)
    problems.push({
      name: 'CLOCK_OFFSET_SECONDS',
      value: String(config.clockOffsetSeconds),
      accepted: 'nothing when APP_ENV is production',
    })
  if (problems.length === 0) return Object.freeze(config)
  throw new BadConfig(
    problems
      .map(
        ({ name, value, accepted }) =>
          `${name} is ${value === undefined ? 'not set' : JSON.stringify(value)}: it takes ${accepted}.`,
      )
      .join('\n'),
  )
}

const readAll = (read: ReturnType<typeof reader>, environment: Environment) => {
  const port = read.integer('PORT', 3000, 0, 65535)
  const s3Bucket = read.text('S3_BUCKET')
  return {
    host: read.text('HOST') ?? '127.0.0.1',
    port,
    baseUrl: (read.address('BASE_URL') ?? `http://localhost:${port}`).replace(/\/+$/, ''),
    baseUrlGiven: Boolean(environment.BASE_URL),
    databaseUrl: read.database('DATABASE_URL'),
    databaseDirectUrl: read.database('DATABASE_DIRECT_URL'),
    databasePrepare: read.flag('DATABASE_PREPARE', true),
    databasePool: read.integer('DATABASE_POOL', 8, 1, 200),
    concurrencyPerCaller: read.integer('CONCURRENCY_PER_CALLER', 16, 1, 10_000),
    statementTimeoutMilliseconds: read.integer('STATEMENT_TIMEOUT_MS', 5000, 50, 60_000),
    dataDir: read.text('DATA_DIR') ?? './data',
    appSecret: read.secret('APP_SECRET'),
    previousAppSecrets: read.list('APP_SECRET_PREVIOUS', isSecret, 'secrets of 32 characters or more, with commas'),
    appEnv: read.choice('APP_ENV', ['production', 'staging', 'development'], 'production'),
    brand: read.matching('BRAND', 'cardstock', /^[a-z][a-z0-9]{0,30}$/, 'a lower-case word of letters and digits'),
    trustedProxies: read.list('TRUSTED_PROXIES', isAddressRange, 'addresses and CIDRs, separated by commas'),
    trustedOrigins: read.list(
      'TRUSTED_ORIGINS',
      isOrigin,
      'origins such as https://cards.example, separated by commas',
    ),
    maxBodyBytes: read.integer('MAX_BODY_BYTES', 16 * 1024 * 1024, 1024, 2 ** 31),
    imageMaxBytes: read.integer('IMAGE_MAX_BYTES', 10 * 1024 * 1024, 1024, 2 ** 30),
    importMaxBytes: read.integer('IMPORT_MAX_BYTES', 256 * 1024 * 1024, 1024, 2 ** 40),
    imageUrlTtlSeconds: read.integer('IMAGE_URL_TTL', 900, 1, 604_800),
    selfServiceScopes: read.scopes('SELF_SERVICE_SCOPES', ['read:published']),
    metricsToken: read.matching('METRICS_TOKEN', '', /^\S{16,}$/, '16 characters or more without spaces'),
    publicCatalog: read.flag('PUBLIC_CATALOG', true),
    logLevel: read.choice('LOG_LEVEL', logLevels, 'info') as LogLevel,
    logFormat: read.choice('LOG_FORMAT', logFormats, 'auto'),
    batchInlineMax: read.integer('BATCH_INLINE_MAX', 100, 0, 10_000),
    batchMax: read.integer('BATCH_MAX', 10_000, 1, 100_000),
    shutdownDelayMilliseconds: read.integer('SHUTDOWN_DELAY_MS', 0, 0, 600_000),
    actionableTimeoutMilliseconds: read.integer('ACTIONABLE_TIMEOUT_MS', 5000, 10, 60_000),
    foundingSlots: read.slots('FOUNDING_SLOTS', 5),
    trialDays: read.integer('TRIAL_DAYS', 14, 1, 365),
    clockOffsetSeconds: read.integer('CLOCK_OFFSET_SECONDS', 0, -(2 ** 31), 2 ** 31),
    internalPoolLimit: read.integer('INTERNAL_POOL_LIMIT', 60_000, 1, 2 ** 31 - 1),
    limits: readLimits(read.integer),
    stripe: {
      secretKey: read.text('STRIPE_SECRET_KEY'),
      webhookSecret: read.text('STRIPE_WEBHOOK_SECRET'),
      priceStarter: read.text('STRIPE_PRICE_STARTER'),
      pricePro: read.text('STRIPE_PRICE_PRO'),
      apiBase: read.address('STRIPE_API_BASE'),
      answerSeconds: read.integer('STRIPE_TIMEOUT', 8, 1, 60),
    },
    mail: {
      resendApiKey: read.text('RESEND_API_KEY'),
      resendBaseUrl: read.address('RESEND_BASE_URL'),
      from: read.sender('MAIL_FROM'),
    },
    s3: s3Bucket
      ? {
          bucket: s3Bucket,
          endpoint: read.address('S3_ENDPOINT'),
          accessKeyId: read.text('S3_ACCESS_KEY_ID') ?? read.text('AWS_ACCESS_KEY_ID'),
          secretAccessKey: read.text('S3_SECRET_ACCESS_KEY') ?? read.text('AWS_SECRET_ACCESS_KEY'),
        }
      : null,
  }
}

/** The tighter limits (decisions.md §7), per address unless their name says otherwise; each in its hour or quarter of one. */
const readLimits = (integer: ReturnType<typeof reader>['integer']) => {
  const limit = (name: string, fallback: number, windowSeconds = 3600) => ({
    limit: integer(`LIMIT_${name}`, fallback, 1, 1_000_000),
    windowSeconds,
  })
  return {
    signup: limit('SIGNUP_PER_HOUR', 10),
    verify: limit('VERIFY_PER_HOUR', 30),
    resend: limit('RESEND_PER_HOUR', 10),
    resendToken: limit('RESEND_TOKEN_PER_HOUR', 3),
    ...{ forgot: limit('FORGOT_PER_HOUR', 10), invite: limit('INVITE_PER_HOUR', 30) },
    session: limit('SESSION_PER_15_MINUTES', 20, 900),
    sessionAccountAddress: limit('SESSION_ACCOUNT_ADDRESS_PER_15_MINUTES', 10, 900),
    sessionAccount: limit('SESSION_ACCOUNT_PER_15_MINUTES', 100, 900),
    catalogPages: limit('CATALOG_PAGES_PER_10_MINUTES', 600, 600),
    emailChange: limit('EMAIL_CHANGE_ACCOUNT_PER_HOUR', 10),
  }
}

const reader = (environment: Environment, problems: Problem[]) => {
  const get = (name: string) => environment[name]?.trim() || undefined
  const shown = (name: string) => (/SECRET|KEY|_TOKEN$|^DATABASE.*URL$/.test(name) ? '[secret]' : (get(name) ?? ''))
  const refuse = (name: string, accepted: string) => void problems.push({ name, value: shown(name), accepted })
  const checked = <T>(name: string, fallback: T, accepted: string, parse: (value: string) => T | undefined): T => {
    const value = get(name)
    if (value === undefined) return fallback
    const parsed = parse(value)
    if (parsed === undefined) refuse(name, accepted)
    return parsed ?? fallback
  }
  return {
    text: get,
    integer: (name: string, fallback: number, least: number, most: number) =>
      checked(name, fallback, `an integer from ${least} to ${most}`, (value) => {
        const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN
        return number >= least && number <= most ? number : undefined
      }),
    address: (name: string) =>
      checked<string | undefined>(name, undefined, 'an http or https address without ? and #', (value) =>
        isWeb(value) && !/[?#]/.test(value) ? value : undefined,
      ),
    database: (name: string) =>
      checked<string | undefined>(
        name,
        undefined,
        'an address such as postgres://user:password@host:5432/cardstock',
        (value) => (/^postgres(ql)?:\/\//.test(value) && URL.canParse(value) ? value : undefined),
      ),
    sender: (name: string) =>
      checked<string | undefined>(
        name,
        undefined,
        'an e-mail address, alone or as Cards <cards@example.org>',
        (value) => (isSender(value) ? value : undefined),
      ),
    flag: (name: string, fallback: boolean) =>
      checked(name, fallback, 'true or false', (value) => ({ true: true, false: false })[value]),
    choice: <T extends string>(name: string, values: readonly T[], fallback: T) =>
      checked(name, fallback, values.join(', '), (value) => values.find((one) => one === value)),
    matching: (name: string, fallback: string, form: RegExp, accepted: string) =>
      checked(name, fallback, accepted, (value) => (form.test(value) ? value : undefined)),
    list: (name: string, isGood: (one: string) => boolean, accepted: string) =>
      checked<string[]>(name, [], accepted, (value) => {
        const all = value.split(/\s*,\s*/).filter(Boolean)
        return all.every(isGood) ? all : undefined
      }),
    scopes: (name: string, fallback: Scope[]) =>
      checked<Scope[]>(name, fallback, `${selfService.join(', ')}, separated by spaces or commas`, (value) => {
        const words = value.split(/[\s,]+/)
        const known = selfService.filter((scope) => words.includes(scope))
        return words.every((word) => !word || known.some((scope) => scope === word)) ? known : undefined
      }),
    slots: (name: string, fallback: number) =>
      checked(name, fallback, 'an integer from 0, or unlimited', (value) =>
        value === 'unlimited' ? Number.POSITIVE_INFINITY : /^\d{1,9}$/.test(value) ? Number(value) : undefined,
      ),
    secret: (name: string) =>
      checked<string | undefined>(name, undefined, '32 characters or more', (value) =>
        isSecret(value) ? value : undefined,
      ),
  }
}

/** What an account that is no operator may be let to grant; `internal` never. */
const selfService = scopes.filter((scope) => scope !== 'internal')

/** An address alone, or in angle brackets after a name. */
const isSender = (value: string) => isEmail(/^[^<>\p{Cc}]*<([^<>]*)>$/u.exec(value)?.[1] ?? value)
