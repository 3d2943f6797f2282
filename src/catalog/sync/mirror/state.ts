import type { Database, Queryable, Transaction } from '../../../../db/client.ts'
import { resourcesInV2 } from '../../model/v2.ts'
import type { Generation, SourceFile } from './files.ts'

/** The progress of a filling: its files, the current step, and the id up to which that is done. */
type Filling = Generation & { step: number; after?: string }

/** The process no longer holds the mirror, because another one does or the mirror was stopped. */
export class NotHolder extends Error {}

const heldSeconds = 5

/**
 * Takes or renews the lease of a mirror. The process that has it follows the source. On the embedded database no other process can be alive,
 * so any lease there is void. Returns whether this process holds the lease. While something is being applied, the row is locked: nobody gets
 * the lease, and nobody waits for it.
 */
export const holdMirror = async ({ sql, kind }: Database, holder: string): Promise<boolean> => {
  const held = await sql`
    update mirror set holder = ${holder}, held_until = clock_timestamp() + make_interval(secs => ${heldSeconds})
    where one in (
      select one from mirror
      where holder is null or holder = ${holder} or held_until < clock_timestamp() or ${kind === 'embedded' ? 1 : 0}::int = 1
      for update skip locked
    )`
  return held.count > 0
}

/** Releases the lease, so that another process doesn't have to wait until it expires. */
export const releaseMirror = ({ sql }: Database, holder: string) =>
  sql`update mirror set holder = null where holder = ${holder}`

/** Locks the mirror for a transaction that applies something. Throws NotHolder. */
export const requireHeld = async ({ sql }: Transaction, holder: string) => {
  const rows = await sql`select 1 from mirror where holder = ${holder} for update`
  if (rows.length === 0) throw new NotHolder('Another process holds the mirror, or it was stopped.')
}

type Row = {
  files: { files: SourceFile[]; cursor: string; generatedAt: string } | null
  step: number
  after: string | null
}

/** The filling in progress, if there is one. */
export const findFilling = async ({ sql }: Queryable): Promise<Filling | undefined> => {
  const [row] = await sql<Row[]>`select files, step, step_after as after from mirror where is_filling`
  return row?.files ? { ...row.files, step: row.step, after: row.after ?? undefined } : undefined
}

/** When the files of the last filling were made. Undefined before the first. */
export const findFilledFrom = async ({ sql }: Queryable): Promise<Date | undefined> => {
  const [row] = await sql<
    { ms: number | null }[]
  >`select extract(epoch from filled_from)::float8 * 1000 as ms from mirror`
  return row?.ms ? new Date(row.ms) : undefined
}

/**
 * Starts another filling, from files that are yet to be found: `newer` ones than in the last filling, or, if the place in the feed was
 * lost, `any` that the feed continues from.
 */
export const startFilling = ({ sql }: Queryable, holder: string, wanted: 'newer' | 'any') => sql`
  update mirror set is_filling = true, files = null, step = 0, step_after = null,
    filled_from = case when ${wanted} = 'newer' then filled_from end
  where holder = ${holder} and not is_filling`

/** Saves why the mirror can't follow its source. `fault_since` stays until something works again. */
export const noteFault = ({ sql }: Queryable, holder: string, message: string, now: Date) => sql`
  update mirror set fault = ${message}, fault_since = coalesce(fault_since, ${now.toISOString()}::timestamptz)
  where holder = ${holder}`

/** Saves the files of a filling, and starts its first step. */
export const noteFiles = ({ sql }: Queryable, holder: string, generation: Generation) => sql`
  update mirror set files = ${JSON.stringify(generation)}::text::jsonb, step = 0, step_after = null
  where holder = ${holder} and is_filling`

/** Saves the progress of the filling, in the transaction that made it. */
export const noteStep = ({ sql }: Queryable, step: number, after: string | undefined, now: Date) => sql`
  update mirror set step = ${step}, step_after = ${after ?? null}, last_applied_at = ${now.toISOString()}::timestamptz,
    held_until = clock_timestamp() + make_interval(secs => ${heldSeconds}), fault = null, fault_since = null`

/** Ends the filling. From now on, the mirror follows the feed. */
export const endFilling = ({ sql }: Queryable, holder: string, { cursor, generatedAt }: Generation) => sql`
  update mirror set is_filling = false, files = null, step = 0, step_after = null, cursor = ${cursor},
    filled_from = ${generatedAt}::timestamptz, current_at = ${generatedAt}::timestamptz, fault = null, fault_since = null
  where holder = ${holder}`

/** How far the feed was read, when this catalog last equaled the source's, and when something was last applied. */
type Progress = { cursor: string; currentAt: Date | undefined; appliedAt: Date | undefined }

/** Saves how far the feed was followed, in the transaction that applied its changes. */
export const noteProgress = ({ sql }: Queryable, holder: string, { cursor, currentAt, appliedAt }: Progress) => sql`
  update mirror set cursor = ${cursor},
    current_at = greatest(current_at, ${currentAt?.toISOString() ?? null}::timestamptz),
    last_applied_at = coalesce(${appliedAt?.toISOString() ?? null}::timestamptz, last_applied_at),
    held_until = clock_timestamp() + make_interval(secs => ${heldSeconds}), fault = null, fault_since = null
  where holder = ${holder}`

/** The database has its own catalog, which a mirror would replace. */
class HoldsCatalog extends Error {
  constructor(noun: string) {
    super(`This database has another catalog (it has a ${noun}). Use an empty one.`)
  }
}

/** Throws HoldsCatalog if there are any records, even deleted ones or drafts. */
export const requireMirrorable = async ({ sql }: Transaction) => {
  for (const { table, noun } of resourcesInV2) {
    const [name = ''] = table.split(' ')
    const rows = await sql`select 1 from ${sql(name)} limit 1`
    if (rows.length > 0) throw new HoldsCatalog(noun)
  }
}
