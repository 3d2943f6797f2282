import { countConnections } from '../../db/connections.ts'
import { findLoginRetry } from '../../db/login-retry.ts'
import { pendingMigrations } from '../../db/migrate.ts'
import { probeDisk } from '../../db/probe-disk.ts'
import { probeFolder } from '../../db/probe-folder.ts'
import { examineReplica } from '../../db/replicas/examine.ts'
import { refuseUnknownMigrations } from '../../db/unknown-migrations.ts'
import { findMirror, lagOf } from '../access/mirror.ts'
import { findUntrustedForward } from '../access/untrusted-forwards.ts'
import { unfinishedRenames } from '../catalog/curate/rename.ts'
import { imageStore } from '../catalog/images/store.ts'
import type { Context } from '../context.ts'
import { countJobs } from '../jobs/read.ts'

/** One thing to check. `run` returns a sentence, which may be a warning, or throws one that says what is wrong. */
export type Check = { name: string; run: (context: Context) => Promise<string | { warning: string }> }

const oldestVersion = 15
/** Seconds. */
const longestRetry = 2

/** What `cardstock doctor` checks once the database is open. Each check prints a line. */
export const checks: Check[] = [
  {
    name: 'lock',
    run: async ({ db, config }) =>
      db.kind === 'embedded' ? `process ${process.pid} holds ${config.dataDir}` : 'not needed',
  },
  {
    name: 'version',
    run: async ({ db }) => {
      const [row] = await db.sql<{ number: string; text: string }[]>`
        select current_setting('server_version_num') as number, current_setting('server_version') as text`
      if (Number(row?.number) < oldestVersion * 10_000)
        throw new Error(`PostgreSQL ${row?.text} is too old. ${oldestVersion} or newer is required`)
      return `PostgreSQL ${row?.text}`
    },
  },
  {
    name: 'pooler',
    run: async ({ db, config: { databaseUrl } }) => {
      const seconds = databaseUrl ? await findLoginRetry(db, databaseUrl) : undefined
      if (seconds === undefined) return 'none in front of the database'
      if (seconds === 'unsaid') return 'in front of the database; it does not say its server_login_retry'
      if (seconds <= longestRetry) return `PgBouncer, server_login_retry is ${seconds}`
      return {
        warning: `PgBouncer’s server_login_retry is ${seconds}: after the server was away for a moment, it refuses everything for ${seconds} seconds. Set it to 1`,
      }
    },
  },
  {
    name: 'connections',
    run: async ({ db, config: { databaseUrl, databaseDirectUrl, databasePool, processes = 1 } }) => {
      if (!databaseUrl || databaseDirectUrl)
        return databaseUrl ? 'for a pooler to share out' : 'the embedded database has one'
      const { opened, most } = await countConnections(db, databasePool, processes)
      const each = processes === 1 ? 'the service opens' : `${processes} processes open`
      if (opened <= most) return `${each} up to ${opened}, PostgreSQL takes ${most}`
      return {
        warning: `${each} up to ${opened} connections, but PostgreSQL takes ${most}. Lower DATABASE_POOL, or raise max_connections`,
      }
    },
  },
  {
    name: 'replicas',
    run: async ({ db, config: { databaseReplicaUrls: urls } }) => {
      if (urls.length === 0) return 'none'
      const all = await Promise.all(urls.map((url) => examineReplica(db, url)))
      const faults = all.filter(({ fault }) => fault).map(({ server, fault }) => `${server}: ${fault}`)
      if (faults.length > 0) throw new Error(`${faults.join('; ')}. Its reads go to the primary`)
      const summary = all
        .map(({ server, bytesBehind = 0 }) => `${server} is ${bytesBehind.toLocaleString('en')} bytes behind`)
        .join(', ')
      const without = all.filter(({ hasFeedback }) => !hasFeedback).map(({ server }) => server)
      if (without.length === 0) return summary
      return {
        warning: `${summary}. Set hot_standby_feedback = on at ${without.join(', ')}: without it, what the primary cleans up ends reads there`,
      }
    },
  },
  {
    name: 'migrations',
    run: async ({ db }) => {
      const pending = await pendingMigrations(db)
      if (pending.length > 0) throw new Error(`${pending.join(', ')} not applied. Run cardstock migrate`)
      await refuseUnknownMigrations(db)
      return 'all applied'
    },
  },
  {
    name: 'extensions',
    run: async ({ db }) => {
      const found = await db.sql<{ extname: string }[]>`select extname from pg_extension where extname = 'pg_trgm'`
      if (found.length === 0) throw new Error('pg_trgm is missing: create extension pg_trgm')
      return 'pg_trgm'
    },
  },
  {
    name: 'counts',
    run: async ({ db }) => {
      const drift = await db.sql<{ what: string; place: string; stored: string; truth: string }[]>`
        select what, place, stored::text, truth::text from drift limit 5`
      if (drift.length === 0) return 'counts, names and visibility are correct'
      throw new Error(
        drift
          .map(({ what, place, stored, truth }) => `${what} of ${place} is ${stored} but should be ${truth}`)
          .join('; '),
      )
    },
  },
  {
    name: 'renames',
    run: async ({ db }) => {
      const unfinished = await unfinishedRenames(db)
      if (unfinished.length === 0) return 'none unfinished'
      throw new Error(`unfinished: ${unfinished.map((words) => `cardstock ${words}`).join('; ')}`)
    },
  },
  {
    name: 'storage',
    run: async ({ config, db }) => {
      await imageStore(config).probe()
      await written(config.dataDir, () => probeFolder(config.dataDir))
      await written('the database', () => probeDisk(db))
      return config.s3 ? `bucket ${config.s3.bucket}` : `${config.dataDir}/images`
    },
  },
  {
    name: 'mail',
    run: async ({ config: { mail, dataDir } }) => {
      if (!mail.resendApiKey) return `RESEND_API_KEY is not set, so mails are written to ${dataDir}/outbox`
      return `Resend, from ${mail.from}`
    },
  },
  {
    name: 'jobs',
    run: async ({ db, clock }) => {
      const { queued, running, failed, failed_lately } = await countJobs(db, clock.now())
      const summary = `${queued} queued, ${running} running, ${failed} failed`
      if (failed_lately > 0)
        throw new Error(
          `${summary}, ${failed_lately} of them within the last day. See cardstock jobs list --status failed`,
        )
      return summary
    },
  },
  {
    name: 'proxies',
    run: async ({ db, clock, config }) => {
      const trusted = config.trustedProxies.join(', ') || 'none'
      const peer = await findUntrustedForward(db, clock)
      if (!peer) return `trusted: ${trusted}`
      const warning = `${peer} sent X-Forwarded-For but is not trusted, so all people behind it count as one address. If it is your proxy, add it to TRUSTED_PROXIES (trusted: ${trusted})`
      return { warning }
    },
  },
  {
    name: 'mirror',
    run: async ({ db, clock }) => {
      const mirror = await findMirror(db)
      if (!mirror) return 'not a mirror'
      const { source, state, isFollowed, error } = mirror
      const lag = lagOf(mirror, clock.now())
      const behind = lag === null ? 'not filled yet' : `${lag.toLocaleString('en')} seconds behind`
      const summary = `of ${source}, ${states[state]}, ${behind}${isFollowed ? '' : ', no process is following now'}`
      if (error) throw new Error(`${summary}; since ${error.since}: ${error.message}`)
      return `${summary}, no errors`
    },
  },
  {
    name: 'stripe',
    run: async ({ config, payments }) => {
      if (!payments) return 'STRIPE_SECRET_KEY is not set, so billing answers 502'
      await payments.examine()
      const { apiBase } = config.stripe
      return apiBase ? `answers at ${apiBase} and has both prices` : 'answers and has both prices'
    },
  },
]

/** Tries to write there, and names the place if it is full or no file descriptor is free. */
const written = async (where: string, probe: () => unknown) => {
  try {
    await probe()
  } catch (error) {
    throw new Error(`cannot write to ${where}: ${(error as Error).message}`, { cause: error })
  }
}

const states = { filling: 'being filled', waiting: 'waiting for bulk files', following: 'filled' }
