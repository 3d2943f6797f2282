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

/** The result of a statement if it comes in time. If the database is just busy, it counts as up. */
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
 * The database, the store of the rate windows (`cache`), the disks and free descriptors (`storage`), and billing, which never
 * changes the status. On a mirror also how far it lags behind its source, which doesn't change the status either.
 */
const readHealth = async ({ db, payments, clock, leaving, storage }: Context) => {
  const isThere = db.isAnswering().catch((error) => {
    storage.note(error)
    return false
  })
  // Where nothing can be written, this fails, too.
  const windows = db.pulse.sql`select count from rate_windows where key = 'health' for update`.then(() => 'ok' as const)
  const [database, cache, billing, mirror] = await Promise.all([
    isThere.then((is): Check => (is ? 'ok' : 'failed')),
    whenAnswered<Check>(windows, isThere, 'ok', storage).then((check) => check ?? 'failed'),
    payments?.pulse() ?? 'disabled',
    whenAnswered(readMirror(db), isThere, lastMirrors.get(db.shared), storage),
  ])
  const full = await storage.check()
  const isHealthy = database === 'ok' && cache === 'ok' && !full && !leaving.stops
  const checks = { database, cache, storage: full ? 'failed' : 'ok', billing }
  return {
    ...{ status: isHealthy ? 'ok' : 'failed', version, checks },
    ...(leaving.stops ? { stopping: true } : {}),
    ...(mirror ? { mirror: shownMirror(mirror, clock.now()) } : {}),
  }
}

/** What the database last said about being a mirror, for when it is too busy to say it again. */
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
      description: 'Only while the service is shutting down but still serving, for SHUTDOWN_DELAY_MS.',
    }),
    mirror: optional(
      Type.Object(
        {
          source: { ...url(), description: 'The service that this one mirrors.' },
          state: {
            ...oneOf(['filling', 'waiting', 'following']),
            description:
              'Whether the mirror is loading the source’s bulk files, waiting for files it can load, or following the feed.',
          },
          lag_seconds: {
            ...nullable(integer(0)),
            description: 'How many seconds it may be behind the source. Null until the first load is complete.',
          },
          cursor: { ...nullable(text()), description: 'Its position in the source’s feed.' },
          last_applied_at: { ...nullable(time()), description: 'When it last applied a change from the source.' },
          error: {
            ...nullable(Type.Object({ message: text(), since: time() })),
            description: 'What currently keeps it from following the source. Null if nothing does.',
          },
        },
        { description: 'Only on a mirror.' },
      ),
    ),
  },
  { $id: 'Health' },
)

/** What infrastructure asks: whether the service is healthy, and which version it is. */
export const healthRoutes: Route[] = [
  {
    method: 'GET',
    path: '/health',
    operationId: 'getHealth',
    summary: 'Check the service’s health',
    description:
      'Public and unthrottled. `billing` is advisory: neither it nor a mirror’s lag changes the status code.',
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
        description: 'Something that the service depends on is failing.',
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
    summary: 'Get the service’s version',
    description: 'The version that runs, which `/health` reports, too.',
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
