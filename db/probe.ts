import { refuseBalanced } from './balanced.ts'
import type { Database } from './database.ts'
import { hasCode } from './faults.ts'
import { UnfitDatabase } from './unfit.ts'

/** Checks that a PostgreSQL is new enough, can be written, and handles letters beyond ASCII, before anything relies on it. */
export const probe = async (db: Database) => {
  const [server] = await db.sql.unsafe<ServerRow[]>(serverQuery).catch(explain)
  if (!server) throw new UnfitDatabase('The database did not return its version.')
  if (Number(server.version_number) < oldest)
    throw new UnfitDatabase(`This is PostgreSQL ${server.version}. Cardstock needs PostgreSQL 15 or newer.`)
  await refuseBalanced([db])
  refuseUnwritable(server)
  if (server.encoding !== 'UTF8' || server.lower !== 'é')
    throw new UnfitDatabase(
      `The database ${server.name} does not handle letters beyond ASCII. Create one that does, and set it in DATABASE_URL:\n  ${createLine(server)}`,
    )
}

const oldest = 150_000

/** Refuses a database that this role can't work in. Otherwise it would only fail later, in the middle of something. */
const refuseUnwritable = ({ name, role, schema, is_read_only: isReadOnly, may_create: mayCreate }: ServerRow) => {
  if (isReadOnly)
    throw new UnfitDatabase(
      `The database ${name} is read-only: it is a standby, or default_transaction_read_only is on for the role ${role}. Set the primary in DATABASE_URL, or turn off the setting.`,
    )
  if (schema === null)
    throw new UnfitDatabase(
      `No schema in the search_path of the role ${role} exists in the database ${name}. Reset it: alter role "${role}" reset search_path`,
    )
  if (!mayCreate)
    throw new UnfitDatabase(
      `The role ${role} may not create tables in the database ${name}. Make it the owner: alter database "${name}" owner to "${role}"`,
    )
}

type ServerRow = {
  version: string
  version_number: string
  encoding: string
  lower: string
  name: string
  role: string
  schema: string | null
  is_read_only: boolean
  /** Also true if all tables already exist. */
  may_create: boolean
  locale: string | null
}

// One simple query, which passes through any pooler.
const serverQuery = `
  select current_setting('server_version') as version, current_setting('server_version_num') as version_number,
    current_setting('server_encoding') as encoding, lower(U&'\\00C9') as lower, current_database() as name,
    current_user as role, current_schema() as schema, current_setting('transaction_read_only') = 'on' as is_read_only,
    to_regclass('migrations') is not null or coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) as may_create,
    (
      select collname from pg_collation
      where collname in ('C.utf8', 'C.UTF-8', 'en_US.utf8', 'en_US.UTF-8')
      order by position(collname in 'C.UTF-8 C.utf8 en_US.UTF-8 en_US.utf8') limit 1
    ) as locale`

const createLine = ({ name, version_number, locale }: ServerRow) => {
  const letters =
    Number(version_number) >= 170_000
      ? '--locale-provider=builtin --builtin-locale=C.UTF-8 --locale=C'
      : `--locale=${locale?.replace('utf8', 'UTF-8') ?? 'C.UTF-8'}`
  return `createdb --template=template0 --encoding=UTF8 ${letters} ${name}_utf8`
}

const explain = (error: unknown): never => {
  const { message } = error as Error
  if (hasCode(error, '3D000'))
    throw new UnfitDatabase(
      `${message}. Create it with createdb --template=template0 --encoding=UTF8 --locale=C.UTF-8 NAME`,
      { cause: error },
    )
  if (hasCode(error, '53300') || (hasCode(error, '08P01') && exhausted.test(message)))
    throw new UnfitDatabase(
      `The database gives no connection: ${message}. The server, or the pool in front of it, is exhausted.`,
      {
        cause: error,
      },
    )
  throw new UnfitDatabase(`The database cannot be reached: ${inWords(message)}.`, { cause: error })
}

/** The runtime's messages in words. Those of a server are sentences already. */
const inWords = (message: string) =>
  message
    .replace(/^connect (?:ECONNREFUSED|ENOENT) (\S+)$/, 'nothing listens at $1')
    .replace(/^write CONNECTION_DESTROYED .*$/, 'none of its hosts is a primary')
    .replace(/^connect E(?:HOSTUNREACH|NETUNREACH) (\S+).*$/, 'no network leads to $1')
    .replace(/^getaddrinfo \w+ (\S+)$/, 'no address of $1 was found')

/** PgBouncer's errors for a client that waited too long or is one too many. */
const exhausted = /query_wait_timeout|no more connections/

/**
 * Whether the database keeps prepared statements. A pooler that runs each transaction on another connection must keep them for
 * its clients. PgBouncer does since 1.21; before that, it fails or never answers. So `db` occupies the connection on which
 * `lone`, a client with a single connection, prepared its statement, and `lone` asks again.
 */
export const keepsPrepared = async (db: Database, lone: Database): Promise<boolean> => {
  const ask = () => lone.transaction((tx) => tx.sql`select ${1}::int as one`).then(() => true, refused)
  await ask()
  const again = await db.transaction(async (tx) => {
    await tx.sql`select 1`
    const asked = ask()
    await Promise.race([asked, Bun.sleep(holdMilliseconds)])
    return { asked }
  })
  return Promise.race([again.asked, Bun.sleep(answerMilliseconds).then(() => false)])
}

const holdMilliseconds = 500
const answerMilliseconds = 3000

const refused = (error: unknown) => {
  if (hasCode(error, '26000', '25P02', '42P05', '08P01')) return false
  throw error
}
