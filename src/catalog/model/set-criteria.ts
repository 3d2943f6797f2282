import { everything, setKindIds } from './counts.ts'
import { byText, mayReferTo, measured, oneOfFew, textIn } from './criteria.ts'
import type { Criterion, SortColumn } from './resource.ts'
import { referenceTable } from './set-references.ts'

export const statuses = ['draft', 'published']
export const kinds = Object.keys(setKindIds)

/** The sort keys of sets. */
export const setSorts: Record<string, SortColumn[]> = {
  name: byText('name_key'),
  year: [{ sql: 't.year_key collate "C"', type: 'text', nullable: true }],
  release_date: [{ sql: 't.release_date', type: 'date', nullable: true }],
}

/** The filters of sets. */
export const setCriteria: Record<string, Criterion> = {
  name: textIn('name', 'name_key', 'name'),
  ...Object.fromEntries(
    referenceTable.map(([name, column]): [string, Criterion] => [name, mayReferTo(column, name, 'sets')]),
  ),
  parent: {
    ...mayReferTo('parent_id', 'set'),
    description: 'The parent set; `null` finds root sets.',
    tally: (id) => (id === null ? { list: 'sets', id: everything, part: 'roots' } : { list: 'sets', id }),
  },
  status: {
    ...oneOfFew('status', statuses, 'status'),
    tally: (status) => ({ list: 'sets', id: everything, part: status === 'draft' ? 'drafts' : 'published' }),
  },
  kind: {
    ...oneOfFew('kind', kinds, 'kind'),
    tally: (kind) => ({ list: 'sets', id: setKindIds[kind as keyof typeof setKindIds] }),
  },
  release_date: { ...measured('release_date', 'date', 'The day of release.'), nullable: true },
}
