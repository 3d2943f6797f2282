import { type Database, openDatabase } from '../db/client.ts'
import { closeFolder } from '../db/embedded/folder-modes.ts'
import { migrate } from '../db/migrate.ts'
import { type AccessTokens, accessTokens } from './access/access-token.ts'
import { type FindAddress, trustProxies } from './access/address.ts'
import { readAppSecret } from './access/app-secret.ts'
import { type Gate, openGate } from './access/gate.ts'
import type { Config } from './config.ts'
import { type Clock, systemClock } from './lib/clock.ts'
import type { Log } from './lib/log.ts'
import { type Meter, openMeter } from './lib/meter.ts'
import { sign } from './lib/secret.ts'
import { type MailPort, openMail } from './mail/mail.ts'
import type { PaymentsPort } from './payments/payments.ts'
import { openStripe } from './payments/stripe.ts'

/** What lives as long as the process, made once and handed to everything that needs it. */
export type Context = Readonly<{
  config: Config
  db: Database
  clock: Clock
  log: Log
  /** What this process counts for GET /metrics. */
  meter: Meter
  /** Signs access tokens and image addresses; all replicas have the same. */
  secret: string
  tokens: AccessTokens
  gate: Gate
  findAddress: FindAddress
  mail: MailPort
  /** The payment processor; undefined where there is no key for it. */
  payments: PaymentsPort | undefined
}>

/** Opens the database, brings it up to date, and puts the parts together. Close it with `context.db.close()`. */
export const openContext = async (config: Config, log: Log, clock?: Clock): Promise<Context> => {
  const { databaseUrl, databaseDirectUrl, dataDir, databasePrepare: prepare, databasePool: poolSize } = config
  const db = await openDatabase({ databaseUrl, databaseDirectUrl, dataDir, prepare, poolSize, log })
  try {
    closeFolder(dataDir, log)
    const applied = await migrate(db)
    if (applied.length > 0) log.info('migrated', { applied })
    return makeContext({ config, db, log, clock, secret: await readAppSecret(config, db) })
  } catch (error) {
    await db.close()
    throw error
  }
}

/** Puts the parts together; opens nothing itself. */
export const makeContext = (parts: {
  config: Config
  db: Database
  log: Log
  secret: string
  clock?: Clock
}): Context => {
  const { config, db, log, secret } = parts
  const clock = parts.clock ?? systemClock(config.clockOffsetSeconds)
  return Object.freeze({
    config,
    db,
    clock,
    log,
    meter: openMeter(),
    secret,
    tokens: accessTokens(sign(secret, 'access tokens')),
    gate: openGate(db, clock, config),
    findAddress: trustProxies(config.trustedProxies),
    mail: openMail({ config, secret, log }),
    payments: openStripe(config.stripe),
  })
}
