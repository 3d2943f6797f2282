import type { Database } from '../../../../../db/client.ts'
import type { ImportReport } from '../report.ts'
import type { Session } from '../session.ts'

const labels = ['genres', 'years', 'brands', 'manufacturers', 'attributes']

/**
 * Counts what an earlier run created because a row named it. That is committed before the chunk with the row, so a run that was
 * killed may have created more than it has saved. The records of an export have lines of their own, which count them.
 */
export const countNamed = async ({ sql }: Database, { id }: Session, report: ImportReport) => {
  if (report.records.created > 0) return
  const rows = await sql<{ type: string; count: number }[]>`
    select object_type as type, sum(cardinality(ids))::int as count from import_made
    where import_id = ${id} group by object_type`
  const atLeast = (saved: number, types: string[]) =>
    Math.max(
      saved,
      rows.reduce((sum, { type, count }) => sum + (types.includes(type) ? count : 0), 0),
    )
  report.players = atLeast(report.players, ['players'])
  report.teams = atLeast(report.teams, ['teams'])
  report.playerTeams = atLeast(report.playerTeams, ['playerteams'])
  report.labels = atLeast(report.labels, labels)
  report.years = atLeast(report.years, ['years'])
}
