import { capital } from './lib/capital.ts'
import { logFormats, logLevels } from './lib/log.ts'
import { scopes } from './lib/scopes.ts'
import { isSecret } from './lib/secret.ts'
import * as a from './lib/setting.ts'
import { sayWindow, tighterLimits } from './limits.ts'

/** What an operator may let every account grant; never `internal`. */
const selfService = scopes.filter((scope) => scope !== 'internal')

const serving = {
  HOST: a.text('127.0.0.1', 'The address to listen on; 0.0.0.0 or :: for all of them.'),
  PORT: a.integer(3000, 0, 65535, 'The port to listen on; 0 picks a free one.'),
  BASE_URL: a.webAddress('http://localhost:PORT', 'The address people use, which every link starts with.'),
  APP_ENV: a.choice(['production', 'staging', 'development'], 'production', 'Staging and development make test keys.'),
  BRAND: a.checked(
    'a lower-case word of letters and digits',
    (value) => /^[a-z][a-z0-9]{0,30}$/.test(value),
    'cardstock',
    'The name in keys, headers, mails and pages.',
  ),
  PUBLIC_CATALOG: a.flag(true, 'Whether visitors may browse what is published without signing in.'),
  TRUSTED_PROXIES: a.list(
    'addresses and CIDRs, separated by commas',
    a.isAddressRange,
    'The proxies whose X-Forwarded-For to believe.',
  ),
  TRUSTED_ORIGINS: a.list(
    'origins such as https://cards.example, separated by commas',
    a.isOrigin,
    'The origins, besides its own, that a payment may lead back to.',
  ),
  SHUTDOWN_DELAY_MS: a.integer(0, 0, 600_000, 'How long it keeps serving after SIGTERM, with /health at 503.'),
}

const data = {
  DATABASE_URL: a.postgresAddress(
    'none',
    'A PostgreSQL, 15 or newer. Without one, Cardstock runs its own in DATA_DIR.',
  ),
  DATABASE_DIRECT_URL: a.postgresAddress('DATABASE_URL', 'The server itself, when DATABASE_URL is a pooler.'),
  DATABASE_PREPARE: a.flag(true, 'Set it to false for a pooler that keeps no prepared statements.'),
  DATABASE_POOL: a.integer(8, 1, 200, 'Connections for requests. A process opens half as many again, and four more.'),
  DATA_DIR: a.text(
    './data',
    'The folder for the embedded database, images, bulk files, mails and the generated secret.',
  ),
  APP_SECRET: a.checked(
    'a secret of 32 characters or more',
    isSecret,
    undefined,
    'Signs access tokens, cursors and image addresses.',
    {
      ...{ isSecret: true, shown: 'generated once', requiredInProductionWith: 'DATABASE_URL' },
    },
  ),
  APP_SECRET_PREVIOUS: a.list(
    'secrets of 32 characters or more, with commas',
    isSecret,
    'Earlier secrets: what they signed is still accepted.',
    { isSecret: true },
  ),
}

const sizes = {
  CONCURRENCY_PER_CALLER: a.integer(16, 1, 10_000, 'Requests of one caller that a process works on at a time.'),
  STATEMENT_TIMEOUT_MS: a.integer(5000, 50, 60_000, 'How long a statement of a read may take.'),
  ACTIONABLE_TIMEOUT_MS: a.integer(5000, 10, 60_000, 'How long the query for actionable sets may take.'),
  MAX_BODY_BYTES: a.integer(16 * 1024 * 1024, 1024, 2 ** 31, 'The largest body (16 MiB).'),
  IMAGE_MAX_BYTES: a.integer(10 * 1024 * 1024, 1024, 2 ** 30, 'The largest image (10 MiB).'),
  IMPORT_MAX_BYTES: a.integer(
    256 * 1024 * 1024,
    1024,
    2 ** 40,
    'The largest checklist for /internal/imports (256 MiB).',
  ),
  IMAGE_URL_TTL: a.integer(900, 1, 604_800, 'How many seconds the address of an image works, at least.'),
  BATCH_INLINE_MAX: a.integer(
    100,
    0,
    10_000,
    'Rows of a card batch that are written before the answer; a job writes more.',
  ),
  BATCH_MAX: a.integer(10_000, 1, 100_000, 'Rows that a card batch may have.'),
}

const accounts = {
  FOUNDING_SLOTS: a.integerOrUnlimited(5, 'How many accounts that signed up may be on trial or active.'),
  TRIAL_DAYS: a.integer(14, 1, 365, 'How long a trial lasts.'),
  SELF_SERVICE_SCOPES: a.wordsOf(
    selfService,
    ['read:published'],
    'What accounts may grant to their clients and tokens.',
  ),
  INTERNAL_POOL_LIMIT: a.integer(60_000, 1, 2 ** 31 - 1, 'Requests an hour for each client in the internal pool.'),
}

const watching = {
  LOG_LEVEL: a.choice(logLevels, 'info', 'The least that is logged.'),
  LOG_FORMAT: a.choice(logFormats, 'auto', 'auto is text at a terminal and JSON elsewhere.'),
  METRICS_TOKEN: a.checked(
    '16 characters or more without spaces',
    (value) => /^\S{16,}$/.test(value),
    '',
    'The bearer token for GET /metrics, which is a 404 without it.',
    { isSecret: true, shown: 'none' },
  ),
  CLOCK_OFFSET_SECONDS: a.integer(0, -(2 ** 31), 2 ** 31, 'Moves the clock, to try out what expires.', {
    isRefusedInProduction: true,
  }),
}

const mail = {
  RESEND_API_KEY: a.secretText('Sends mail through Resend. Without it, mails are files in DATA_DIR/outbox.', {
    needs: ['MAIL_FROM'],
  }),
  RESEND_BASE_URL: a.webAddress('Resend’s own', 'Another host with the same API.'),
  MAIL_FROM: a.sender('The sender of every mail.'),
}

const bucket = { onlyWith: 'S3_BUCKET' }
const storage = {
  S3_BUCKET: a.text(undefined, 'Keeps images and bulk files. Without it, they are files in DATA_DIR.', {
    needs: ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  }),
  S3_ENDPOINT: a.webAddress('Amazon’s', 'The address of the object store.', bucket),
  S3_ACCESS_KEY_ID: a.secretText('The bucket’s access key.', { ...bucket, also: 'AWS_ACCESS_KEY_ID' }),
  S3_SECRET_ACCESS_KEY: a.secretText('The secret that belongs to it.', { ...bucket, also: 'AWS_SECRET_ACCESS_KEY' }),
}

const payments = {
  STRIPE_SECRET_KEY: a.secretText('Takes payments. Without it, the billing endpoints answer 502.', {
    needs: ['STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_STARTER', 'STRIPE_PRICE_PRO'],
  }),
  STRIPE_WEBHOOK_SECRET: a.secretText('The signing secret of the endpoint /webhooks/stripe.'),
  STRIPE_PRICE_STARTER: a.text(undefined, 'The id of the price of the plan starter.'),
  STRIPE_PRICE_PRO: a.text(undefined, 'The id of the price of the plan pro.'),
  STRIPE_API_BASE: a.webAddress('Stripe’s own', 'Another host with the same API.'),
  STRIPE_TIMEOUT: a.integer(8, 1, 60, 'Seconds that Stripe may take to answer.'),
}

/** One setting for each of the tighter limits. */
const limits: Record<string, a.Setting<number>> = Object.fromEntries(
  Object.values(tighterLimits).map(({ setting, limit, windowSeconds, counts, by }) => [
    `LIMIT_${setting}`,
    a.integer(limit, 1, 1_000_000, `${capital(counts)} ${sayWindow(windowSeconds)} for each ${by}.`),
  ]),
)

/** Every setting by the name of its variable (decisions.md §1). Config, help, docs and warnings come from this table. */
export const settings = {
  ...{ ...serving, ...data, ...sizes, ...accounts },
  ...{ ...watching, ...mail, ...storage, ...payments },
}

/** The same in the sections that help and docs show, limits included. */
export const settingSections: Record<string, Record<string, a.Setting>> = {
  'Where it runs': serving,
  'Where it keeps things': data,
  'How much, how long': sizes,
  Accounts: accounts,
  'Logs, metrics, clock': watching,
  Mail: mail,
  'Files in S3': storage,
  'Payments by Stripe': payments,
  'Tighter limits': limits,
}

/** Every variable that is read, second names included. */
export const settingNames = (): string[] =>
  Object.values(settingSections).flatMap((section) =>
    Object.entries(section).flatMap(([name, { also }]) => (also ? [name, also] : [name])),
  )
