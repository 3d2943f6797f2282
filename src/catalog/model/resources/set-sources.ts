import { asWritten, line, longText, nullable, optional, url, uuid } from '../../../jsonapi/fields.ts'
import { sizes } from '../../../limits.ts'
import { refersTo, usualPaths } from '../criteria.ts'
import { plainColumns } from '../more.ts'
import type { Resource } from '../resource.ts'

/** Where a set's checklist comes from. */
export const setSources: Resource = {
  type: 'set_sources',
  path: 'set-sources',
  noun: 'set source',
  description: "Where a set's checklist comes from.",
  table: 'set_sources t',
  columns: plainColumns('set_id', 'source_url', 'title', 'notes'),
  relationships: (row) => ({ set: { data: { type: 'sets', id: row.set_id as string } } }),
  tally: 'set_sources',
  filters: { set_id: { of: 'set' } },
  includes: { set: { types: ['sets'], many: false, description: 'The set.' } },
  sorts: {},
  criteria: { set: refersTo('set_id', 'set', { list: 'set_sources', of: ['sets'] }) },
  paths: [
    ...usualPaths('set_sources', 'created_at'),
    { index: 'set_sources_set', serves: ['set'], order: 'created_at' },
  ],
  schema: {
    ...asWritten({
      set_id: uuid(),
      source_url: url(),
      title: optional(nullable(line(sizes.title.most))),
      notes: optional(nullable(longText())),
    }),
    relationships: {},
    readOnly: ['set'],
    references: { set: 'set_id' },
    example: {
      set_id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
      source_url: 'https://example.org/checklists/1986-87-fleer',
      title: 'Fleer checklist',
    },
  },
}
