import type { Database } from './database.ts'
import { UnfitDatabase } from './unfit.ts'

type Transactions = Pick<Database, 'transaction'>

/**
 * Refuses a pooler that sends reads to other servers than writes, as pgpool does: what was just written would be missing there.
 * Reads and writes on all of these at once. One that fails or takes too long says nothing.
 */
export const refuseBalanced = async (connections: Transactions[]) => {
  const probes = connections.map((one) => readsElsewhere(one).catch(() => false))
  if ((await Promise.all(probes)).includes(true))
    throw new UnfitDatabase(
      'The database sends reads to other servers than writes: there is a pooler such as pgpool in front of it. Set load_balance_mode = off in pgpool.conf.',
    )
}

/** The same for the connections that requests share: such a pooler draws a server for each. */
export const refuseBalancedPool = (db: Database) => {
  const endsAt = performance.now() + patienceMilliseconds
  return refuseBalanced(Array.from({ length: db.pool().max }, (_, no) => db.servedTo({ key: `probe ${no}`, endsAt })))
}

const patienceMilliseconds = 3000

/** Whether a connection reads from another server than it writes to. Servers are told apart by when they started. */
const readsElsewhere = ({ transaction }: Transactions): Promise<boolean> =>
  transaction(async ({ sql }) => {
    const [read] = await sql.unsafe<Started[]>('select pg_postmaster_start_time()::text as started')
    await sql.unsafe('create temporary table cardstock_probe (started text) on commit drop')
    const [written] = await sql.unsafe<Started[]>(
      'insert into cardstock_probe values (pg_postmaster_start_time()::text) returning started',
    )
    return read?.started !== written?.started
  })

type Started = { started: string }
