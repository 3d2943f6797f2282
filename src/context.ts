import { type Database, openDatabase } from '../db/client.ts'
import { closeFolder } from '../db/embedded/folder-modes.ts'
import { migrate } from '../db/migrate.ts'
import { probeDisk } from '../db/probe-disk.ts'
import { probeFolder } from '../db/probe-folder.ts'
import { usualDeadlines } from '../db/turns.ts'
import { watchStatements } from '../db/watch.ts'
import { type AccessTokens, accessTokens } from './access/access-token.ts'
import { type FindAddress, trustProxies } from './access/address.ts'
import { readSecrets } from './access/app-secret.ts'
import { type Gate, openGate } from './access/gate.ts'
import { openRequestTurns, type RequestTurns } from './access/request-turns.ts'
import { warnOfForwards } from './access/untrusted-forwards.ts'
import type { Config } from './config.ts'
import { type Clock, systemClock } from './lib/clock.ts'
import { type Leaving, openLeaving } from './lib/leaving.ts'
import type { Log } from './lib/log.ts'
import { type Meter, openMeter } from './lib/meter.ts'
import type { Secrets } from './lib/secret.ts'
import { openStorage, type Storage } from './lib/storage.ts'
import type { Tracing } from './lib/tracing.ts'
import { type MailPort, openMail } from './mail/mail.ts'
import type { PaymentsPort } from './payments/payments.ts'
import { openStripe } from './payments/stripe.ts'
import type { Supervisor } from './processes/supervisor.ts'
import { version } from './version.ts'

/** What lives as long as the process, made once and handed to everything that needs it. */
export type Context = Readonly<{
  config: Config
  db: Database
  clock: Clock
  log: Log
  /** Undefined if nobody collects traces. */
  tracing: Tracing | undefined
  /** This process's counts for GET /metrics. */
  meter: Meter
  /** Signs and seals; the same on all replicas. Earlier secrets are accepted if the settings list them. */
  secret: Secrets
  tokens: AccessTokens
  gate: Gate
  /** Keeps one caller from taking over the process. */
  turns: RequestTurns
  findAddress: FindAddress
  mail: MailPort
  /** Whether the process is shutting down but still serves every request. */
  leaving: Leaving
  /** Whether the service can write to its storage. */
  storage: Storage
  /** The payment processor. Undefined without a key for it. */
  payments: PaymentsPort | undefined
  /** Undefined unless several processes serve on this port. */
  supervisor: Supervisor | undefined
}>

/**
 * Opens the database, brings it up to date, and assembles the parts. Close it with `context.db.close()`. `isBrief` is for a
 * single command, which needs few connections.
 */
export const openContext = async (
  config: Config,
  log: Log,
  { isBrief = false, supervisor }: { isBrief?: boolean; supervisor?: Supervisor } = {},
): Promise<Context> => {
  const deadlines = { ...usualDeadlines, statement: config.statementTimeoutMilliseconds }
  const tracing = isBrief ? undefined : await openTraces(config, log)
  const slowMilliseconds = isBrief ? 0 : config.slowStatementMilliseconds
  const watch = watchStatements(log, { slowMilliseconds, tracing })
  const db = await openDatabase({ ...databaseOf(config), deadlines, isBrief, log, watch })
  try {
    closeFolder(config.dataDir, log)
    const applied = await migrate(db)
    if (applied.length > 0) log.info('migrated', { applied })
    return makeContext({ config, db, log, secret: await readSecrets(config, db), supervisor, tracing })
  } catch (error) {
    await db.close()
    throw error
  }
}

/** Traces, if they are wanted. What makes them is loaded only then. */
const openTraces = async ({ traces }: Config, log: Log) =>
  traces && (await import('./tracing/open.ts')).openTracing({ ...traces, version }, log)

/** The database options in the settings. */
export const databaseOf = (config: Config) => {
  const { databaseUrl, databaseDirectUrl, databaseReplicaUrls, dataDir } = config
  const { databasePrepare: prepare, databasePool: poolSize } = config
  return { databaseUrl, databaseDirectUrl, databaseReplicaUrls, dataDir, prepare, poolSize }
}

/** Each of several processes has fewer requests at a time, and the database would have more of the gate's statements. */
const gatherMilliseconds = 1

/** Assembles the parts. Opens nothing. */
export const makeContext = (parts: {
  config: Config
  db: Database
  log: Log
  secret: Secrets
  clock?: Clock
  supervisor?: Supervisor
  tracing?: Tracing
}): Context => {
  const { config, db, log, secret, supervisor, tracing } = parts
  const clock = parts.clock ?? systemClock(config.clockOffsetSeconds)
  return Object.freeze({
    config,
    db,
    clock,
    log,
    tracing,
    meter: openMeter(),
    secret,
    tokens: accessTokens(secret),
    gate: openGate(db, clock, config, supervisor && gatherMilliseconds),
    turns: openRequestTurns(config),
    findAddress: trustProxies(config.trustedProxies, warnOfForwards({ db, clock, log })),
    mail: openMail({ config, secret, log, tracing }),
    leaving: openLeaving(),
    storage: openStorage([async () => probeFolder(config.dataDir)], [() => probeDisk(db)]),
    payments: openStripe(config.stripe, tracing),
    supervisor,
  })
}
