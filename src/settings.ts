import { capital } from './lib/capital.ts'
import { logFormats, logLevels } from './lib/log.ts'
import { findPostgresUrlFault } from './lib/postgres-url.ts'
import { scopes } from './lib/scopes.ts'
import { isSecret } from './lib/secret.ts'
import * as a from './lib/setting.ts'
import { samplerNames } from './lib/tracing.ts'
import { sayWindow, tighterLimits } from './limits.ts'

/** The scopes that an operator may let every account grant, which never include `internal`. */
const selfService = scopes.filter((scope) => scope !== 'internal')

const serving = {
  HOST: a.text('127.0.0.1', 'The address to listen on; 0.0.0.0 or :: for all of them.'),
  PORT: a.integer(3000, 0, 65535, 'The port to listen on; 0 picks a free one.'),
  PROCESSES: a.processes(
    'How many processes serve on the port, with PostgreSQL; auto is one for each core. serve --processes counts first.',
  ),
  BASE_URL: a.webAddress('http://localhost:PORT', 'The URL that people use. Every link starts with it.'),
  APP_ENV: a.choice(['production', 'staging', 'development'], 'production', 'Staging and development issue test keys.'),
  BRAND: a.checked(
    'a lowercase word of letters and digits',
    (value) => /^[a-z][a-z0-9]{0,30}$/.test(value),
    'cardstock',
    'The name in keys, headers, mails and pages.',
  ),
  PUBLIC_CATALOG: a.flag(true, 'Whether visitors may browse the published catalog without signing in.'),
  TRUSTED_PROXIES: a.list(
    'addresses and CIDRs, separated by commas',
    a.isAddressRange,
    'The proxies whose X-Forwarded-For is trusted.',
  ),
  TRUSTED_ORIGINS: a.list(
    'origins such as https://cards.example, separated by commas',
    a.isOrigin,
    'The origins, besides its own, that a payment may return to.',
  ),
  SHUTDOWN_DELAY_MS: a.integer(0, 0, 600_000, 'How long it keeps serving after SIGTERM, with /health at 503.'),
}

const data = {
  DATABASE_URL: a.postgresAddress(
    'none',
    'A PostgreSQL, 15 or newer. Without one, Cardstock runs its own in DATA_DIR.',
  ),
  DATABASE_DIRECT_URL: a.postgresAddress('DATABASE_URL', 'The server itself, if DATABASE_URL is a pooler.'),
  DATABASE_REPLICA_URLS: a.list(
    'URLs such as postgres://user:password@replica:5432/cardstock, separated by commas',
    (one) => findPostgresUrlFault(one) === undefined,
    'Standbys of DATABASE_URL that answer reads of the catalog while they are up to date.',
    { isSecret: true, needs: ['DATABASE_URL'] },
  ),
  DATABASE_PREPARE: a.flag(true, 'Set to false for a pooler without prepared statements.'),
  DATABASE_POOL: a.integer(8, 1, 200, 'Connections for requests. A process opens half as many again, plus four.'),
  DATA_DIR: a.text(
    './data',
    'The folder for the embedded database, images, bulk files, mails and the generated secret.',
  ),
  APP_SECRET: a.checked(
    'a secret of 32 characters or more',
    isSecret,
    undefined,
    'Signs access tokens, cursors and image URLs.',
    {
      ...{ isSecret: true, shown: 'generated once', requiredInProductionWith: 'DATABASE_URL' },
    },
  ),
  APP_SECRET_PREVIOUS: a.list(
    'secrets of 32 characters or more, separated by commas',
    isSecret,
    'Earlier secrets. What they signed is still accepted.',
    { isSecret: true },
  ),
}

const sizes = {
  CONCURRENCY_PER_CALLER: a.integer(16, 1, 10_000, 'How many requests of one caller a process handles at a time.'),
  STATEMENT_TIMEOUT_MS: a.integer(5000, 50, 60_000, 'How long a statement in a read request may take.'),
  ACTIONABLE_TIMEOUT_MS: a.integer(5000, 10, 60_000, 'How long the actionable sets query may take.'),
  MAX_BODY_BYTES: a.integer(16 * 1024 * 1024, 1024, 2 ** 31, 'The largest body (16 MiB).'),
  IMAGE_MAX_BYTES: a.integer(10 * 1024 * 1024, 1024, 2 ** 30, 'The largest image (10 MiB).'),
  IMPORT_MAX_BYTES: a.integer(
    256 * 1024 * 1024,
    1024,
    2 ** 40,
    'The largest checklist for /internal/imports (256 MiB).',
  ),
  IMAGE_URL_TTL: a.integer(900, 1, 604_800, 'How many seconds an image URL works, at least.'),
  BATCH_INLINE_MAX: a.integer(
    100,
    0,
    10_000,
    'How many rows of a card batch are written before the response. A job writes larger batches.',
  ),
  BATCH_MAX: a.integer(10_000, 1, 100_000, 'How many rows a card batch may have.'),
}

const accounts = {
  FOUNDING_SLOTS: a.integerOrUnlimited(5, 'How many accounts that signed up may be on trial or active.'),
  TRIAL_DAYS: a.integer(14, 1, 365, 'How long a trial lasts.'),
  SELF_SERVICE_SCOPES: a.wordsOf(
    selfService,
    ['read:published'],
    'The scopes that accounts may grant to their clients and tokens.',
  ),
  INTERNAL_POOL_LIMIT: a.integer(60_000, 1, 2 ** 31 - 1, 'Requests per hour for each client in the internal pool.'),
}

const told = {
  WEBHOOK_ALLOW_PRIVATE: a.flag(
    false,
    'Whether webhooks may go to private addresses, and outside production to http://localhost.',
  ),
}

const watching = {
  LOG_LEVEL: a.choice(logLevels, 'info', 'The lowest level that is logged.'),
  LOG_FORMAT: a.choice(logFormats, 'auto', 'auto is text at a terminal and JSON elsewhere.'),
  SLOW_STATEMENT_MS: a.integer(
    1000,
    0,
    3_600_000,
    'How long a database statement may take before it is logged; 0 logs none.',
  ),
  METRICS_TOKEN: a.checked(
    '16 characters or more without spaces',
    (value) => /^\S{16,}$/.test(value),
    '',
    'The bearer token for GET /metrics, which returns 404 without it.',
    { isSecret: true, shown: 'none' },
  ),
  CLOCK_OFFSET_SECONDS: a.integer(0, -(2 ** 31), 2 ** 31, 'Shifts the clock, to try out expiry.', {
    isRefusedInProduction: true,
  }),
}

const traces = {
  OTEL_EXPORTER_OTLP_ENDPOINT: a.webAddress(
    'none',
    'Sends traces to a collector, by OTLP over HTTP as JSON, at /v1/traces.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: a.webAddress('none', 'The whole URL for traces, in place of the one above.'),
  OTEL_EXPORTER_OTLP_HEADERS: a.secretText('Headers for the collector: name=value, separated by commas.'),
  OTEL_SERVICE_NAME: a.text(undefined, 'The name of this service in traces.', { shown: 'BRAND' }),
  OTEL_RESOURCE_ATTRIBUTES: a.text(undefined, 'More about it: name=value, separated by commas.'),
  OTEL_TRACES_SAMPLER: a.choice(samplerNames, 'parentbased_always_on', 'Which traces are kept.'),
  OTEL_TRACES_SAMPLER_ARG: a.checked(
    'a number from 0 to 1',
    (value) => /^(0|1|0?\.\d+|1\.0+)$/.test(value),
    '1',
    'The share that traceidratio keeps.',
  ),
  OTEL_BSP_SCHEDULE_DELAY: a.integer(5000, 0, 600_000, 'Milliseconds from one batch of spans to the next.'),
  OTEL_BSP_MAX_QUEUE_SIZE: a.integer(2048, 1, 1_000_000, 'How many spans may wait. More are dropped.'),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: a.integer(512, 1, 1_000_000, 'How many spans a batch has at most.'),
  OTEL_BSP_EXPORT_TIMEOUT: a.integer(30_000, 1, 600_000, 'Milliseconds that sending a batch may take.'),
  OTEL_SDK_DISABLED: a.flag(false, 'Whether there are no traces, whatever else is set.'),
}

const mail = {
  RESEND_API_KEY: a.secretText('Sends mail through Resend. Without it, mails are written to DATA_DIR/outbox.', {
    needs: ['MAIL_FROM'],
  }),
  RESEND_BASE_URL: a.webAddress('Resend’s own', 'Another host with the same API.'),
  MAIL_FROM: a.sender('The sender of every mail.'),
}

const bucket = { onlyWith: 'S3_BUCKET', needs: ['S3_BUCKET'] }
const storage = {
  S3_BUCKET: a.text(undefined, 'The bucket for images and bulk files. Without it, they are kept in DATA_DIR.', {
    needs: ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  }),
  S3_ENDPOINT: a.webAddress('Amazon’s', 'The URL of the object store.', bucket),
  S3_ACCESS_KEY_ID: a.secretText('The bucket’s access key.', { ...bucket, also: 'AWS_ACCESS_KEY_ID' }),
  S3_SECRET_ACCESS_KEY: a.secretText('Its secret.', { ...bucket, also: 'AWS_SECRET_ACCESS_KEY' }),
}

const stripe = { needs: ['STRIPE_SECRET_KEY'] }
const payments = {
  STRIPE_SECRET_KEY: a.secretText('Takes payments. Without it, the billing endpoints return 502.', {
    needs: ['STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_STARTER', 'STRIPE_PRICE_PRO'],
  }),
  STRIPE_WEBHOOK_SECRET: a.secretText('The signing secret of the /webhooks/stripe endpoint.', stripe),
  STRIPE_PRICE_STARTER: a.text(undefined, 'The price id of the starter plan.', stripe),
  STRIPE_PRICE_PRO: a.text(undefined, 'The price id of the pro plan.', stripe),
  STRIPE_API_BASE: a.webAddress('Stripe’s own', 'Another host with the same API.'),
  STRIPE_TIMEOUT: a.integer(8, 1, 60, 'How many seconds to wait for Stripe.'),
}

/** One setting for each of the tighter limits. */
const limits: Record<string, a.Setting<number>> = Object.fromEntries(
  Object.values(tighterLimits).map(({ setting, limit, windowSeconds, counts, by }) => [
    `LIMIT_${setting}`,
    a.integer(limit, 1, 1_000_000, `${capital(counts)} ${sayWindow(windowSeconds)} per ${by}.`),
  ]),
)

/** Every setting by the name of its variable (decisions.md §1). Config, help, docs and warnings come from this table. */
export const settings = {
  ...{ ...serving, ...data, ...sizes, ...accounts },
  ...{ ...told, ...watching, ...traces, ...mail, ...storage, ...payments },
}

/** The same settings in the sections that help and docs show, limits included. */
export const settingSections: Record<string, Record<string, a.Setting>> = {
  'Where it runs': serving,
  'Where it keeps things': data,
  'Sizes and times': sizes,
  Accounts: accounts,
  Webhooks: told,
  'Logs, metrics, clock': watching,
  Traces: traces,
  Mail: mail,
  'S3 storage': storage,
  'Stripe payments': payments,
  'Tighter limits': limits,
}

/** Every variable that is read, including alternative names. */
export const settingNames = (): string[] =>
  Object.values(settingSections).flatMap((section) =>
    Object.entries(section).flatMap(([name, { also }]) => (also ? [name, also] : [name])),
  )
