import { type Static, type TObject, Type } from '@sinclair/typebox'
import type { Queryable } from '../../../db/client.ts'
import { jobStatuses } from '../../jobs/read.ts'
import { boolean, nullable, oneOf, time, uuid } from '../../jsonapi/fields.ts'
import { secondsAfter } from '../../lib/clock.ts'
import { lifetimes } from '../../limits.ts'
import { aliveSince } from './runs.ts'

/** What the list shows of an import: one over HTTP while its report is kept, or any that can be undone. */
export const listed = {
  file: Type.String(),
  status: oneOf([...jobStatuses]),
  dry_run: boolean(),
  applies: nullable({ ...uuid(), description: 'The dry run whose file it imported.' }),
  undoes: nullable({ ...uuid(), description: 'The import that it undid.' }),
  has_report: { ...boolean(), description: 'Whether `/internal/imports/{id}` still has its report.' },
  can_be_undone: {
    ...boolean(),
    description: 'Whether it wrote to the catalog, no job is still working on it, and it is recent enough.',
  },
  undone: boolean(),
  error: nullable(Type.String({ description: 'Why the last attempt failed.' })),
  agent_id: nullable(Type.String({ description: 'Who started it.' })),
  created_at: time(),
  finished_at: nullable(time()),
}
type ListedImport = Static<TObject<typeof listed>> & { id: string }

/** A page of imports, newest first, and how many there are. Imports by command are listed while they can be undone. */
export const listImports = async (
  { sql }: Queryable,
  { limit, offset }: { limit: number; offset: number },
  now: Date,
): Promise<{ imports: ListedImport[]; total: number }> => {
  const before = ({ seconds }: { seconds: number }) => secondsAfter(now, -seconds).toISOString()
  const since = { report: before(lifetimes.doneJob), undo: before(lifetimes.importUndo), alive: aliveSince(now) }
  const all = sql`
    select i.id, i.created_at from imports i join jobs j on j.id = i.job_id
    where j.finished_at is null or j.finished_at > ${since.report}::timestamptz
    union all select r.id, r.created_at from import_runs r
    where r.created_at > ${since.undo}::timestamptz and not exists (
      select 1 from imports i join jobs j on j.id = i.job_id
      where i.id = r.id and (j.finished_at is null or j.finished_at > ${since.report}::timestamptz)
    )`
  const imports = await sql<ListedImport[]>`
    select a.id, coalesce(i.name, r.name) as file,
      coalesce(j.status, case when r.finished_at is not null then 'completed'
        when r.alive_at > ${since.alive}::timestamptz then 'running' else 'failed' end) as status,
      coalesce(i.dry_run, false) as dry_run, i.applies, i.undoes,
      coalesce(j.finished_at is null or j.finished_at > ${since.report}::timestamptz, false) and j.id is not null as has_report,
      coalesce(r.created_at > ${since.undo}::timestamptz
        and (r.finished_at is not null or j.id is null or j.finished_at is not null), false) as can_be_undone,
      exists (select 1 from revisions v where v.cause_id = a.id and v.cause = 'undo')
        or exists (select 1 from imports u join jobs d on d.id = u.job_id where u.undoes = a.id and d.status = 'completed')
        as undone,
      case when j.id is not null then j.last_error
        when r.finished_at is null and r.alive_at <= ${since.alive}::timestamptz then 'The command was interrupted.'
        end as error, coalesce(i.agent, r.agent) as agent_id, a.created_at,
      coalesce(j.finished_at, r.finished_at) as finished_at
    from (select * from (${all}) both_kinds order by created_at desc, id desc limit ${limit} offset ${offset}) a
    left join imports i on i.id = a.id left join jobs j on j.id = i.job_id left join import_runs r on r.id = a.id
    order by a.created_at desc, a.id desc`
  const [counted] = await sql<{ total: number }[]>`select count(*)::int as total from (${all}) both_kinds`
  const shown = imports.map((row) => ({
    ...row,
    created_at: new Date(row.created_at).toISOString(),
    finished_at: row.finished_at && new Date(row.finished_at).toISOString(),
  }))
  return { imports: shown, total: counted?.total ?? 0 }
}
