import type { Setting } from './lib/setting.ts'
import { type Allowance, type LimitName, tighterLimits } from './limits.ts'
import { settingSections, type settings } from './settings.ts'

/** The service's settings, read once from the environment. Secrets never reach a log. */
export type Config = Readonly<ReturnType<typeof configOf>>

export type Environment = Record<string, string | undefined>
type Problem = { name: string; value?: string; accepted: string }

/** What each variable holds, or its default. */
type Values = { [Name in keyof typeof settings]: (typeof settings)[Name]['fallback'] }

/** Thrown with one line for each bad variable: its name, its value, and what is accepted. */
export class BadConfig extends Error {}

const table = Object.values(settingSections).flatMap((section) => Object.entries(section))

/** Reads and checks every setting (decisions.md §1). Throws a BadConfig that names everything that is wrong. */
export const readConfig = (environment: Environment = process.env): Config => {
  const given = (name: string) => environment[name]?.trim() || undefined
  const problems: Problem[] = []
  const values = Object.fromEntries(table.map(([name, setting]) => [name, read(given, name, setting, problems)]))
  if (values.APP_ENV === 'production')
    problems.push(...table.flatMap((entry) => faultInProduction(given, values, entry)))
  problems.push(...missingWith(given))
  if (problems.length > 0) throw new BadConfig(problems.map(sentence).join('\n'))
  return Object.freeze(configOf(values as Values, Boolean(given('BASE_URL'))))
}

type Given = (name: string) => string | undefined

const read = (given: Given, name: string, { also, onlyWith, ...setting }: Setting, problems: Problem[]) => {
  const value = given(name) ?? (also && given(also))
  if (value === undefined || (onlyWith && !given(onlyWith))) return setting.fallback
  const parsed = setting.parse(value)
  if (parsed === undefined)
    problems.push({
      ...{ name, value: setting.isSecret ? '[secret]' : value },
      accepted: setting.expects?.(value) ?? setting.takes,
    })
  return parsed ?? setting.fallback
}

const faultInProduction = (given: Given, values: Record<string, unknown>, [name, setting]: [string, Setting]) => {
  const { requiredInProductionWith: other, isRefusedInProduction, takes, fallback } = setting
  if (other && given(other) && !given(name))
    return [{ name, accepted: `${takes}; it is required with ${other} in production` }]
  if (isRefusedInProduction && values[name] !== fallback)
    return [{ name, value: String(values[name]), accepted: 'no value when APP_ENV is production' }]
  return []
}

/** Settings that aren't set, although others that are make no sense without them. */
const missingWith = (given: Given): Problem[] => {
  const isSet = (name: string, also: string | undefined) => Boolean(given(name) ?? (also && given(also)))
  return table
    .filter(([name, { also }]) => !isSet(name, also))
    .flatMap(([name, { takes }]) => {
      const others = table.filter(([other, { needs }]) => given(other) && needs?.includes(name)).map(([other]) => other)
      return others.length > 0 ? [{ name, accepted: `${takes}; it is required with ${others.join(', ')}` }] : []
    })
}

const sentence = ({ name, value, accepted }: Problem) =>
  `${name} is ${value === undefined ? 'not set' : JSON.stringify(value)}: expected ${accepted}.`

/** The settings under the service's own names, with units. */
const configOf = (is: Values, baseUrlGiven: boolean) => ({
  baseUrlGiven,
  host: is.HOST,
  port: is.PORT,
  baseUrl: (is.BASE_URL ?? `http://localhost:${is.PORT}`).replace(/\/+$/, ''),
  databaseUrl: is.DATABASE_URL,
  databaseDirectUrl: is.DATABASE_DIRECT_URL,
  databaseReplicaUrls: is.DATABASE_REPLICA_URLS,
  databasePrepare: is.DATABASE_PREPARE,
  databasePool: is.DATABASE_POOL,
  processes: is.PROCESSES,
  concurrencyPerCaller: is.CONCURRENCY_PER_CALLER,
  statementTimeoutMilliseconds: is.STATEMENT_TIMEOUT_MS,
  dataDir: is.DATA_DIR,
  appSecret: is.APP_SECRET,
  previousAppSecrets: is.APP_SECRET_PREVIOUS,
  appEnv: is.APP_ENV,
  brand: is.BRAND,
  trustedProxies: is.TRUSTED_PROXIES,
  trustedOrigins: is.TRUSTED_ORIGINS,
  maxBodyBytes: is.MAX_BODY_BYTES,
  imageMaxBytes: is.IMAGE_MAX_BYTES,
  importMaxBytes: is.IMPORT_MAX_BYTES,
  imageUrlTtlSeconds: is.IMAGE_URL_TTL,
  selfServiceScopes: is.SELF_SERVICE_SCOPES,
  webhookAllowPrivate: is.WEBHOOK_ALLOW_PRIVATE,
  metricsToken: is.METRICS_TOKEN,
  publicCatalog: is.PUBLIC_CATALOG,
  logLevel: is.LOG_LEVEL,
  logFormat: is.LOG_FORMAT,
  traces: tracesOf(is),
  slowStatementMilliseconds: is.SLOW_STATEMENT_MS,
  batchInlineMax: is.BATCH_INLINE_MAX,
  batchMax: is.BATCH_MAX,
  shutdownDelayMilliseconds: is.SHUTDOWN_DELAY_MS,
  actionableTimeoutMilliseconds: is.ACTIONABLE_TIMEOUT_MS,
  foundingSlots: is.FOUNDING_SLOTS,
  trialDays: is.TRIAL_DAYS,
  clockOffsetSeconds: is.CLOCK_OFFSET_SECONDS,
  internalPoolLimit: is.INTERNAL_POOL_LIMIT,
  limits: limitsOf(is),
  stripe: {
    secretKey: is.STRIPE_SECRET_KEY,
    webhookSecret: is.STRIPE_WEBHOOK_SECRET,
    priceStarter: is.STRIPE_PRICE_STARTER,
    pricePro: is.STRIPE_PRICE_PRO,
    apiBase: is.STRIPE_API_BASE,
    answerSeconds: is.STRIPE_TIMEOUT,
  },
  mail: { resendApiKey: is.RESEND_API_KEY, resendBaseUrl: is.RESEND_BASE_URL, from: is.MAIL_FROM },
  s3: is.S3_BUCKET
    ? {
        bucket: is.S3_BUCKET,
        endpoint: is.S3_ENDPOINT,
        accessKeyId: is.S3_ACCESS_KEY_ID,
        secretAccessKey: is.S3_SECRET_ACCESS_KEY,
      }
    : null,
})

/** How traces are made. Undefined if nobody wants any. The library reads where they go, and with which headers. */
const tracesOf = (is: Values) =>
  is.OTEL_SDK_DISABLED || !(is.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? is.OTEL_EXPORTER_OTLP_ENDPOINT)
    ? undefined
    : {
        serviceName: is.OTEL_SERVICE_NAME ?? is.BRAND,
        environment: is.APP_ENV,
        sampler: is.OTEL_TRACES_SAMPLER,
        ratio: Number(is.OTEL_TRACES_SAMPLER_ARG),
        batches: {
          scheduledDelayMillis: is.OTEL_BSP_SCHEDULE_DELAY,
          maxQueueSize: is.OTEL_BSP_MAX_QUEUE_SIZE,
          maxExportBatchSize: is.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
          exportTimeoutMillis: is.OTEL_BSP_EXPORT_TIMEOUT,
        },
      }

const limitsOf = (values: object): Record<LimitName, Allowance> => {
  const settingOf = values as Record<string, number>
  const entries = Object.entries(tighterLimits).map(([name, { setting, windowSeconds }]) => [
    name,
    { limit: settingOf[`LIMIT_${setting}`], windowSeconds },
  ])
  return Object.fromEntries(entries)
}
