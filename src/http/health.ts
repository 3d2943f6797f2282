import { Type } from '@sinclair/typebox'
import type { Database } from '../../db/client.ts'
import { findMirror, lagOf, type Mirror } from '../access/mirror.ts'
import type { Context } from '../context.ts'
import { integer, nullable, oneOf, optional, text, time, url } from '../jsonapi/fields.ts'
import type { Storage } from '../lib/storage.ts'
import { version } from '../version.ts'
import type { Route } from './route.ts'

const check = () => Type.Unsafe<string>({ type: 'string', enum: ['ok', 'failed', 'disabled'] })
type Check = 'ok' | 'failed' | 'disabled'

const patienceMilliseconds = 300

/** The result of a statement if it comes in time; if the database is busy, that it is up. */
const whenAnswered = <T>(
  asked: Promise<T>,
  isThere: Promise<boolean>,
  otherwise: T,
  storage: Storage,
): Promise<T | undefined> =>
  Promise.race([
    asked.catch((error) => void storage.note(error)),
    Promise.all([isThere, Bun.sleep(patienceMilliseconds)]).then(([is]) => (is ? otherwise : undefined)),
  ])

/**
 * The database, the store of the rate windows (`cache`), the disks and free descriptors (`storage`), and billing, which never changes the status; of a mirror how far it
 * is behind its source, which does not either.
 */
const readHealth = async ({ db, payments, clock, leaving, storage }: Context) => {
  const isThere = db.isAnswering().catch((error) => {
    storage.note(error)
    return false
  })
  const windows = db.pulse.sql`select count from rate_windows where key = 'health'`.then(() => 'ok' as const)
  const [database, cache, billing, mirror] = await Promise.all([
    isThere.then((is): Check => (is ? 'ok' : 'failed')),
    whenAnswered<Check>(windows, isThere, 'ok', storage).then((check) => check ?? 'failed'),
    payments?.pulse() ?? 'disabled',
    whenAnswered(readMirror(db), isThere, lastMirrors.get(db.shared), storage),
  ])
  const full = await storage.check()
  const isHealthy = database === 'ok' && cache === 'ok' && !full && !leaving.hasBegun
  const checks = { database, cache, storage: full ? 'failed' : 'ok', billing }
  return {
    ...{ status: isHealthy ? 'ok' : 'failed', version, checks },
    ...(leaving.hasBegun ? { stopping: true } : {}),
    ...(mirror ? { mirror: shownMirror(mirror, clock.now()) } : {}),
  }
}

/** What the database said last of being a mirror: it is shown while it is too busy to say it again. */
const lastMirrors = new WeakMap<Database, Mirror>()

const readMirror = async (db: Database): Promise<Mirror | undefined> => {
  const mirror = await findMirror(db.pulse)
  if (mirror) lastMirrors.set(db.shared, mirror)
  else lastMirrors.delete(db.shared)
  return mirror
}

const shownMirror = (mirror: Mirror, now: Date) => ({
  source: mirror.source,
  state: mirror.state,
  lag_seconds: lagOf(mirror, now),
  cursor: mirror.cursor,
  last_applied_at: mirror.lastAppliedAt,
  error: mirror.error,
})

const healthSchema = Type.Object(
  {
    status: Type.Unsafe<string>({ type: 'string', enum: ['ok', 'failed'] }),
    version: Type.String(),
    checks: Type.Object({ database: check(), cache: check(), storage: check(), billing: check() }),
    stopping: optional({
      ...Type.Boolean(),
      description: 'Only while the service shuts down and keeps serving for SHUTDOWN_DELAY_MS.',
    }),
    mirror: optional(
      Type.Object(
        {
          source: { ...url(), description: 'The service that this one mirrors.' },
          state: {
            ...oneOf(['filling', 'waiting', 'following']),
            description:
              'Whether the mirror is loading the bulk files of the source, waiting for files it can load, or following the feed.',
          },
          lag_seconds: {
            ...nullable(integer(0)),
            description: 'How many seconds it may be behind the source; null until the first load ends.',
          },
          cursor: { ...nullable(text()), description: 'Its position in the feed of the source.' },
          last_applied_at: { ...nullable(time()), description: 'When it last wrote something from the source.' },
          error: {
            ...nullable(Type.Object({ message: text(), since: time() })),
            description: 'What keeps it from following the source now; null while nothing does.',
          },
        },
        { description: 'Only on a mirror.' },
      ),
    ),
  },
  { $id: 'Health' },
)

/** What infrastructure asks: is it well, and which version is it. */
export const healthRoutes: Route[] = [
  {
    method: 'GET',
    path: '/health',
    operationId: 'getHealth',
    summary: 'Health of the service',
    description:
      'Public and unthrottled. `billing` is advisory: neither it nor the lag of a mirror changes the status code.',
    tag: 'Service',
    access: 'public',
    flat: true,
    isVital: true,
    answers: {
      200: {
        description: 'The service is healthy.',
        schema: healthSchema,
        example: { status: 'ok', version, checks: { database: 'ok', cache: 'ok', storage: 'ok', billing: 'disabled' } },
      },
      503: {
        description: 'Something the service depends on is failing.',
        schema: healthSchema,
      },
    },
    handle: async (context) => {
      const health = await readHealth(context)
      return { status: health.status === 'ok' ? 200 : 503, body: health }
    },
  },
  {
    method: 'GET',
    path: '/version',
    operationId: 'getVersion',
    summary: 'Version of the service',
    tag: 'Service',
    access: 'public',
    flat: true,
    answers: {
      200: {
        description: 'The running version.',
        schema: Type.Object({ version: Type.String() }, { $id: 'Version' }),
        example: { version },
      },
    },
    handle: () => ({ status: 200, body: { version } }),
  },
]
