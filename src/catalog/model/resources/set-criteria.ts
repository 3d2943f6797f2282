import { Audience } from '../../../lib/audience.ts'
import { setKindIds } from '../counts.ts'
import { byText, mayReferTo, measured, oneOfFew, textIn } from '../criteria.ts'
import type { AccessPath, Criterion, SortColumn } from '../resource.ts'
import { referenceTable } from '../set-references.ts'

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
    referenceTable.map(([name, column, type]): [string, Criterion] => [
      name,
      mayReferTo(column, name, { list: 'sets', of: [type] }),
    ]),
  ),
  parent: {
    ...mayReferTo('parent_id', 'set'),
    hidden: (level) => (level >= Audience.published ? 't.parent_hidden' : undefined),
    description: 'The parent set; `null` finds root sets, and those below a set that you cannot see.',
    tally: (id) => (id === null ? { part: 'roots' } : { list: 'sets', id, of: ['sets'] }),
  },
  status: {
    ...oneOfFew('status', statuses, 'status'),
    tally: (status) => ({ part: status === 'draft' ? 'drafts' : 'published' }),
  },
  kind: {
    ...oneOfFew('kind', kinds, 'kind'),
    tally: (kind) => ({ list: 'sets', id: setKindIds[kind as keyof typeof setKindIds] }),
  },
  release_date: { ...measured('release_date', 'date', 'The day of release.'), nullable: true },
}

/** An index of all sets in an order, and one of only the root sets. */
const allAndRoots = (name: string, order: string, serves: string[] = []): AccessPath[] => [
  { index: `sets_${name}_all`, serves, order },
  { index: `sets_${name}_roots`, serves: [...serves, 'parent[null]'], order },
]

/** The indexes of sets. */
export const setPaths: AccessPath[] = [
  { index: 'sets_pkey', serves: ['id'] },
  ...allAndRoots('name', 'name'),
  { index: 'sets_name_all', serves: ['name'], order: 'name' },
  ...allAndRoots('created_at', 'created_at'),
  ...allAndRoots('updated_at', 'updated_at'),
  ...allAndRoots('year_key', 'year'),
  { index: 'sets_release_date', serves: ['release_date'], order: 'release_date' },
  { index: 'sets_release_date', serves: [], order: 'release_date' },
  ...['genre', 'year', 'brand', 'manufacturer'].flatMap((name) => allAndRoots(name, 'name', [name])),
  { index: 'sets_parent', serves: ['parent'], order: 'name' },
  { index: 'sets_kind', serves: ['kind'], order: 'name' },
  { index: 'sets_status', serves: ['status'], order: 'name' },
]
