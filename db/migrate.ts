import type { Database } from './database.ts'
import { hasCode } from './faults.ts'
import { refuseForeignTables } from './foreign-tables.ts'
import { type Migration, migrations, statementsOf } from './migrations/index.ts'
import { refuseUnknownMigrations } from './unknown-migrations.ts'

/**
 * Brings the database up to date, one statement per step, and returns the names of the migrations that it applied. Processes
 * that start together wait for each other, with a lease row as the lock. After a crash, it continues at the same step. Throws
 * NewerDatabase if a newer Cardstock has migrated the database, and ForeignDatabase, before it changes anything, if the tables
 * there are somebody else's.
 */
export const migrate = async (db: Database, list: readonly Migration[] = migrations): Promise<string[]> => {
  await makeBooks(db)
  await refuseUnknownMigrations(db, list)
  if ((await unfinished(db, list)).length === 0) return []
  return withLease(db, (renew) => applyAll(db, list, renew))
}

/** The names of migrations that this database doesn't have yet. */
export const pendingMigrations = async (db: Database, list: readonly Migration[] = migrations): Promise<string[]> => {
  const [books] = await db.sql`select to_regclass('migrations')::text as name`
  if (!books?.name) return list.map(({ name }) => name)
  return (await unfinished(db, list)).map(({ name }) => name)
}

const makeBooks = async (db: Database) => {
  const [made] = await db.sql`select to_regclass('migration_lease')::text as name`
  if (made?.name) return
  await refuseForeignTables(db)
  await tolerant(db.sql`
    create table if not exists migrations (
      name text primary key,
      steps int not null,
      finished_at timestamptz(3)
    )`)
  await tolerant(db.sql`
    create table if not exists migration_lease (
      id int primary key,
      holder uuid,
      locked_until timestamptz(3) not null
    )`)
}

/** Two processes may create the same thing at the same time. The second finds that it exists. */
const tolerant = async (made: PromiseLike<unknown>) => {
  try {
    await made
  } catch (error) {
    if (!hasCode(error, '23505', '42P07', '40001', '40P01')) throw error
  }
}

const unfinished = async (db: Database, list: readonly Migration[]) => {
  const rows = await db.sql<{ name: string }[]>`select name from migrations where finished_at is not null`
  const finished = new Set(rows.map(({ name }) => name))
  return list.filter(({ name }) => !finished.has(name))
}

const leaseSeconds = 60
const waitMilliseconds = 100

const withLease = async <T>(db: Database, work: (renew: () => Promise<void>) => Promise<T>) => {
  const holder = Bun.randomUUIDv7()
  await db.sql`insert into migration_lease (id, locked_until) values (1, now()) on conflict (id) do nothing`
  while (!(await take(db, holder))) await Bun.sleep(waitMilliseconds)
  const heartbeat = setInterval(() => void take(db, holder).catch(() => {}), (leaseSeconds * 1000) / 4)
  try {
    return await work(async () => {
      if (!(await take(db, holder))) throw new Error('Another process has taken over the migrations. Start again.')
    })
  } finally {
    clearInterval(heartbeat)
    await db.sql`update migration_lease set locked_until = now(), holder = null where id = 1 and holder = ${holder}`
  }
}

// On the embedded database, the folder's lock keeps other processes out, so a lease there was left by a dead one.
const take = async (db: Database, holder: string) => {
  const reachSeconds = db.kind === 'embedded' ? leaseSeconds : 0
  const rows = await db.sql`
    update migration_lease
    set holder = ${holder}, locked_until = now() + ${leaseSeconds} * interval '1 second'
    where id = 1 and (locked_until <= now() + ${reachSeconds} * interval '1 second' or holder = ${holder})
    returning id`
  return rows.length === 1
}

const applyAll = async (db: Database, list: readonly Migration[], renew: () => Promise<void>) => {
  // The previous holder of the lease may have been a newer version.
  await refuseUnknownMigrations(db, list)
  const waiting = await unfinished(db, list)
  for (const migration of waiting) await apply(db, migration, renew)
  return waiting.map(({ name }) => name)
}

/** A step and its record are one transaction. An engine that commits DDL at once may repeat one step. */
const apply = async (db: Database, migration: Migration, renew: () => Promise<void>) => {
  const { name } = migration
  const [row] = await db.sql<{ steps: number }[]>`select steps from migrations where name = ${name}`
  const statements = statementsOf(migration)
  for (let step = row?.steps ?? 0; step < statements.length; step++) {
    await renew()
    await db.transaction(async (tx) => {
      await tx.sql.unsafe(statements[step] as string)
      await tx.sql`
        insert into migrations (name, steps) values (${name}, ${step + 1})
        on conflict (name) do update set steps = excluded.steps`
    })
  }
  await db.sql`update migrations set finished_at = now() where name = ${name}`
}
