import type { JobStatus } from '../jobs/following.tsx'

type Outcomes = { created: number; updated: number; unchanged: number; failed: number }
type Place = { file: string; line: number | null }
type Named = { type: string; id: string; name: string }

/** What an import would change in a set or a card. `before` is null for a new one. */
export type Change = Named & { before: Record<string, unknown> | null; after: Record<string, unknown> }
/** A field that was kept because somebody had changed it. `change` is the PATCH that would use the file's value. */
export type Kept = Named & { field: string; kept: unknown; said: unknown; change: object | null }
type BadRow = Place & { reason: string }
type Note = { rule: string; count: number; examples: (Place & { text: string })[] }

/** An import, as the API shows it. */
export type Report = {
  job_id: string
  status: JobStatus
  file: string
  publish: boolean
  parallels: boolean
  overwrite: boolean
  prune: boolean
  clear_missing: boolean
  dry_run: boolean
  applies: string | null
  undoes: string | null
  progress: { bytes_read: number; bytes_total: number }
  counts: Record<'sets' | 'cards' | 'records', Outcomes> &
    Record<
      'files' | 'players' | 'teams' | 'player_teams' | 'labels' | 'parallels_left_out' | 'kept' | 'missing',
      number
    > &
    Record<'pruned' | 'changes' | 'deleted' | 'put_back' | 'left' | 'bad_rows', number>
  bad_rows: BadRow[]
  kept: Kept[]
  missing: { id: string; set_id: string; name: string; deleted: boolean }[]
  changes: Change[]
  left: (Named & { reason: string })[]
  made: Named[]
  notes: Note[]
  error: string | null
  finished_at: string | null
}

/** What became of the rows that weren't refused. */
export const sayRest = ({ counts: { sets, cards, records } }: Report): string =>
  [sets, cards, records].some(({ created, updated, unchanged }) => created + updated + unchanged > 0)
    ? 'The rest was imported.'
    : 'Nothing was imported.'

/** The note that names a file's unread columns. */
export const unreadRule = 'unread-column'
