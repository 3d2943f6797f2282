import { Type } from '@sinclair/typebox'
import type { Context } from '../context.ts'
import { version } from '../version.ts'
import type { Route } from './route.ts'

const check = () => Type.Unsafe<string>({ type: 'string', enum: ['ok', 'failed', 'disabled'] })
type Check = 'ok' | 'failed' | 'disabled'

const deadlineMilliseconds = 2000

/** Whether a statement answers in time. */
const answers = async (statement: Promise<unknown>): Promise<Check> => {
  const late = Bun.sleep(deadlineMilliseconds).then(() => 'failed' as const)
  return Promise.race([
    statement.then(
      () => 'ok' as const,
      () => 'failed' as const,
    ),
    late,
  ])
}

/** The database, the store of the rate windows (`cache`), and billing, which never changes the status. */
export const readHealth = async ({ db, payments }: Context) => {
  const [database, cache, billing] = await Promise.all([
    answers(db.sql`select 1`),
    answers(db.sql`select count from rate_windows where key = 'health'`),
    payments?.pulse() ?? 'disabled',
  ])
  const isHealthy = database === 'ok' && cache === 'ok'
  return { status: isHealthy ? 'ok' : 'failed', version, checks: { database, cache, billing } }
}

const healthSchema = Type.Object(
  {
    status: Type.Unsafe<string>({ type: 'string', enum: ['ok', 'failed'] }),
    version: Type.String(),
    checks: Type.Object({ database: check(), cache: check(), billing: check() }),
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
    description: 'Public and unthrottled. `billing` is advisory and never changes the status code.',
    tag: 'Service',
    access: 'public',
    flat: true,
    answers: {
      200: {
        description: 'The service is well.',
        schema: healthSchema,
        mediaType: 'application/json',
        example: { status: 'ok', version, checks: { database: 'ok', cache: 'ok', billing: 'disabled' } },
      },
      503: {
        description: 'Something that the service needs fails.',
        schema: healthSchema,
        mediaType: 'application/json',
      },
    },
    handle: async (context) => {
      const health = await readHealth(context)
      return { status: health.status === 'ok' ? 200 : 503, mediaType: 'application/json', body: health }
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
        mediaType: 'application/json',
        example: { version },
      },
    },
    handle: () => ({ status: 200, mediaType: 'application/json', body: { version } }),
  },
]
