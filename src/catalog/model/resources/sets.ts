import { Type } from '@sinclair/typebox'
import { asWritten, date, integer, longText, name, nullable, oneOf, optional, uuid } from '../../../jsonapi/fields.ts'
import { Audience } from '../../../lib/audience.ts'
import { matching, shownId } from '../criteria.ts'
import { aliases, identifiersOf } from '../more.ts'
import type { Include, Resource } from '../resource.ts'
import { referenceTable } from '../set-references.ts'
import { cardsInAll } from '../sets-below.ts'
import { kinds, setCriteria, setPaths, setSorts, statuses } from './set-criteria.ts'

const parentId = shownId('sets', 'parent_id')

/** Whether a set that a reader sees has a parent that they see, by what the set notes of it. */
const hasParent = (level: number) =>
  level >= Audience.published ? 't.parent_id is not null and not t.parent_hidden' : 't.parent_id is not null'

const columns: Resource['columns'] = (
  level,
  more = [],
) => `t.id, t.name, t.description, t.status, t.kind, t.release_date::text as release_date,
  t.live_cards as cards_count, t.live_cards as card_count,
  t.kind not in ('variation', 'parallel') and ${hasParent(level)} as is_subset,
  t.kind = 'variation' as is_variation, ${parentId(level)} as parent_set_id, ${more.map((column) => `${column}, `).join('')}t.version, t.created_at, t.updated_at,
  t.no, t.genre_id, t.year_id, t.brand_id, t.manufacturer_id`

/** Where a row has a reference. The parent's id is in the row once, as the attribute. */
const rowsColumn = (column: string) => (column === 'parent_id' ? 'parent_set_id' : column)

const inAll = Type.Integer({
  minimum: 0,
  description:
    'How many cards you can see in the set and all sets below it, parallels included. Sets in bulk files and the feed leave it out.',
})

const referenceFields = Object.fromEntries(referenceTable.map(([, column]) => [column, optional(nullable(uuid()))]))

const derived = {
  card_count: { ...integer(), description: 'The same as `cards_count`.' },
  is_subset: Type.Boolean({ description: 'Whether the set has a parent and is neither a variation nor a parallel.' }),
  is_variation: Type.Boolean({ description: 'Whether its `kind` is `variation`.' }),
  parent_set_id: { ...nullable(uuid()), description: 'The id of the parent.' },
}

const parentField = { parent_set_id: optional(nullable(uuid())) }

const { read, create, update } = asWritten({
  name: name(),
  description: optional(nullable(longText())),
  status: optional(oneOf(statuses)),
  kind: optional(oneOf(kinds)),
  release_date: optional(nullable(date())),
})

/** A set of cards. A set with a parent is its insert, parallel, autograph subset or variation. */
export const sets: Resource = {
  type: 'sets',
  path: 'sets',
  showsDeleted: true,
  noun: 'set',
  description:
    'A set of cards. A set without a parent is a root set; inserts, parallels and the like are its children.',
  table: 'sets t',
  columns,
  relationships: (row) => ({
    ...Object.fromEntries(
      referenceTable.map(([name, column, type]) => [
        name,
        { data: row[rowsColumn(column)] ? { type, id: row[rowsColumn(column)] as string } : null },
      ]),
    ),
    children: undefined,
  }),
  copyMeta: (row) => ({ place: row.no }),
  tally: 'sets',
  filters: {
    name: { ...matching('name', "set's name"), alias: 'name' },
    genre: { of: 'genre', alias: 'genre' },
    year: { of: 'year', alias: 'year' },
    brand: { of: 'brand', alias: 'brand' },
    manufacturer: { of: 'manufacturer', alias: 'manufacturer' },
    parent_id: { of: 'parent', description: 'The id of the parent set: its children.', alias: 'parent_id' },
    status: {
      of: 'status',
      description:
        'Lists drafts only if the request has the header `X-Cardstock-Ignore-Status: true` and the credential can read them.',
      example: 'published',
    },
  },
  options: {
    scope: {
      values: ['root', 'all'],
      description:
        '`root` lists sets without a parent that you can see, `all` every set. Defaults to `all` with a name, otherwise to `root`.',
    },
    order_by: {
      values: ['name', 'year', 'created_at', 'updated_at'],
      default: 'name',
      description: 'What to sort by; the id breaks ties.',
    },
    sort: { values: ['asc', 'desc'], default: 'asc', description: 'The sort direction.' },
  },
  includes: {
    ...Object.fromEntries(
      referenceTable.map(([name, , type]): [string, Include] => [
        name,
        { types: [type], many: false, description: `The ${name}; null if there is none or it is hidden.` },
      ]),
    ),
    children: {
      types: ['sets'],
      many: true,
      description: 'The child sets, by name.',
      listedBy: 'parent',
      related: (id) => `/v1/sets?filter%5Bparent_id%5D=${id}`,
    },
    parentset: {
      types: ['parentset'],
      many: false,
      description: 'The parent, as a resource of the type `parentset`.',
      sameAs: 'parent',
    },
    subsets: {
      types: ['subsets'],
      many: true,
      description: 'The child sets, by name, as resources of the type `subsets`.',
      listedBy: 'parent',
      related: (id) => `/v1/sets?filter%5Bparent_id%5D=${id}`,
    },
    checklist: {
      types: ['checklist'],
      many: true,
      description: 'The first 1,000 cards in order, as resources of the type `checklist`.',
      listedBy: 'set',
      related: (id) => `/v1/cards?filter%5Bset_id%5D=${id}`,
    },
    sources: {
      types: ['set-sources'],
      many: true,
      description: 'Where the checklist comes from, as resources of the type `set-sources`.',
      listedBy: 'set',
      related: (id) => `/v1/set-sources?filter%5Bset_id%5D=${id}`,
    },
  },
  sorts: setSorts,
  criteria: setCriteria,
  paths: setPaths,
  schema: {
    read: { ...read, cards_count: integer(), ...derived },
    create: { ...create, ...referenceFields, ...parentField },
    update: { ...update, ...referenceFields, ...parentField },
    relationships: {
      ...Object.fromEntries(
        referenceTable.map(([name, , type]) => [name, { types: [type], many: false, nullable: true }]),
      ),
      parentset: { types: ['sets', 'parentset'], many: false, nullable: true },
    },
    pageMeta: { scope: oneOf(['root', 'all']) },
    readOnly: ['cards_count', 'card_count', 'is_subset', 'is_variation', 'children', 'subsets', 'checklist', 'sources'],
    example: { name: '1986-87 Fleer Basketball', status: 'draft', kind: 'base', release_date: null },
    shownExample: { description: null, cards_count: 132, card_count: 132, is_subset: false, is_variation: false },
    pageMetaExample: { scope: 'root' },
  },
  more: {
    ...aliases,
    includes: identifiersOf('sets'),
    derived: {
      columns: (level) => [`${cardsInAll(level)} as cards_count_total`],
      read: { cards_count_total: optional(inAll) },
      example: { cards_count_total: 143 },
    },
  },
}
