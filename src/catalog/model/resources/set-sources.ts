import { asWritten, line, longText, nullable, oneOf, optional, time, url, uuid } from '../../../jsonapi/fields.ts'
import { sizes } from '../../../limits.ts'
import { refersTo, usualPaths } from '../criteria.ts'
import { plainColumns } from '../more.ts'
import type { Resource } from '../resource.ts'

const written = asWritten({
  set_id: uuid(),
  source_url: url(),
  title: optional(nullable(line(sizes.title.most))),
  notes: optional(nullable(longText())),
  source_type: optional({
    ...oneOf(['checklist', 'metadata', 'images']),
    description: 'What the source was for: `checklist` where nobody said.',
  }),
  verified_at: optional(nullable(time())),
})

/** The other name of the title, which clients of a hosted service use. */
const sourceName = { ...nullable(line(sizes.title.most)), description: 'The same as `title`.' }

const verifiedAt = `to_char(t.verified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as verified_at`

/** Where a set's checklist comes from. */
export const setSources: Resource = {
  type: 'set_sources',
  path: 'set-sources',
  noun: 'set source',
  description: "Where a set's checklist comes from.",
  table: 'set_sources t',
  columns: (level, more = []) =>
    plainColumns(...['set_id', 'source_url', 'title', 'notes', 'source_type'])(level, [
      verifiedAt,
      't.title as source_name',
      ...more,
    ]),
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
    read: { ...written.read, source_name: sourceName },
    create: { ...written.create, source_name: optional(sourceName) },
    update: { ...written.update, source_name: optional(sourceName) },
    relationships: {},
    readOnly: ['set'],
    references: { set: 'set_id' },
    example: {
      set_id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
      source_url: 'https://example.org/checklists/1986-87-fleer',
      title: 'Fleer checklist',
      source_type: 'checklist',
    },
    shownExample: { source_name: 'Fleer checklist' },
  },
}
