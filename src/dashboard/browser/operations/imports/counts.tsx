import { sayCount, sayName, sayNumber } from '../../kit/format.ts'
import { Table } from '../../kit/table.tsx'
import type { Report } from './report.ts'

/** How many records an import wrote or would write, and what else it created or left out. */
export const Counts = ({ counts, dry_run, notes, status }: Pick<Report, 'counts' | 'dry_run' | 'notes' | 'status'>) => {
  const rows = (['sets', 'cards', 'records'] as const).flatMap((what) => {
    const of = counts[what]
    return what === 'records' && of.created + of.updated + of.unchanged + of.failed === 0 ? [] : { what, ...of }
  })
  type Row = (typeof rows)[number]
  const outcome = (name: Exclude<keyof Row, 'what'>) => ({
    title: sayName(name),
    isNumber: true,
    cell: (row: Row) => sayNumber(row[name]),
  })
  const made = [
    counts.players > 0 && sayCount(counts.players, 'player'),
    counts.teams > 0 && sayCount(counts.teams, 'team'),
    counts.labels > 0 && sayCount(counts.labels, 'genre, year, maker or code', 'genres, years, makers and codes'),
  ].filter((one) => one !== false)
  const empty = status === 'completed' && notes.length === 0 && counts.files === 0
  return (
    <>
      <Table
        caption={dry_run ? 'What would be written' : 'What was written'}
        isCaptionSeen
        rows={rows}
        keyOf={({ what }) => what}
        columns={[
          { title: 'What', cell: ({ what }) => sayName(what) },
          outcome('created'),
          outcome('updated'),
          outcome('unchanged'),
          outcome('failed'),
        ]}
      />
      {made.length > 0 && <p>Also created: {made.join(', ')}.</p>}
      {counts.parallels_left_out > 0 && (
        <p>
          {sayCount(counts.parallels_left_out, 'card')} of parallels left out. To import them, select “Create sets for
          parallels and variations”.
        </p>
      )}
      {empty && <p>Nothing in the file could be read.</p>}
    </>
  )
}
