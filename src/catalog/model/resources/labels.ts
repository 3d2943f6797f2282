import { asWritten, longText, name, nullable, optional, uuid } from '../../../jsonapi/fields.ts'
import { byText, isNull, matching, mayReferTo, shownId, textIn, usualPaths } from '../criteria.ts'
import { aliases, plainColumns } from '../more.ts'
import type { Resource } from '../resource.ts'

type Label = {
  type: 'brands' | 'genres' | 'manufacturers' | 'years'
  noun: string
  description: string
  filter: string
  described: boolean
  example: Record<string, unknown>
}

const shownParent = shownId('years', 'parent_year')

/** The labels of sets: four resources that only differ in wording. */
const defineLabel = ({ type, noun, description, filter, described, example }: Label): Resource => {
  const written = { name: name(), ...(described ? { description: optional(nullable(longText())) } : {}) }
  return {
    type,
    path: type,
    ...(type === 'genres' ? { showsDeleted: true as const } : {}),
    noun,
    description,
    table: `${type} t`,
    columns: plainColumns(...Object.keys(written)),
    relationships: () => ({ sets: undefined }),
    tally: type,
    filters: { name: { ...matching('name', `${noun}'s name`), alias: 'name' } },
    includes: {
      sets: {
        types: ['sets'],
        many: true,
        description: `The sets of the ${noun}.`,
        listedBy: filter,
        related: (id) => `/v1/sets?filter%5B${filter}%5D=${id}&scope=all`,
      },
    },
    sorts: { name: byText('name_key') },
    criteria: { name: textIn('name', 'name_key', 'name') },
    paths: usualPaths(type, 'name'),
    schema: {
      ...asWritten(written),
      relationships: {},
      readOnly: ['sets'],
      example,
    },
    more: aliases,
  }
}

/** A card maker's label, such as Topps Chrome. */
export const brands = defineLabel({
  type: 'brands',
  noun: 'brand',
  description: "A card maker's label, such as Topps Chrome.",
  filter: 'brand',
  described: true,
  example: { name: 'Topps Chrome', description: null },
})

/** Who makes the cards, such as Topps or Panini. */
export const manufacturers = defineLabel({
  type: 'manufacturers',
  noun: 'manufacturer',
  description: 'Who makes the cards, such as Topps or Panini.',
  filter: 'manufacturer',
  described: true,
  example: { name: 'Fleer', description: 'The Fleer Corporation, Philadelphia' },
})

/** What the cards are about, such as Baseball. */
export const genres = defineLabel({
  type: 'genres',
  noun: 'genre',
  description: 'What the cards are about, such as Baseball.',
  filter: 'genre',
  described: true,
  example: { name: 'Basketball', description: null },
})

const seasons = defineLabel({
  type: 'years',
  noun: 'year',
  description: 'A year or season of issue, such as 1986-87.',
  filter: 'year',
  described: false,
  example: { name: '1986-87' },
})

const parentField = {
  ...nullable(uuid()),
  description: 'The id of the year that it belongs to; null if that is hidden.',
}

/** A year or season of issue, such as 1986-87. It may belong to another year. */
export const years: Resource = {
  ...seasons,
  columns: (level, more = []) => seasons.columns(level, [`${shownParent(level)} as parent_year`, ...more]),
  relationships: ({ parent_year: id }) => ({
    parent: { data: typeof id === 'string' ? { type: 'years', id } : null },
    children: undefined,
    sets: undefined,
  }),
  filters: {
    ...seasons.filters,
    parent_year: {
      of: 'parent_year',
      orNull: true,
      description: 'The id of the parent, or `null` for years without one.',
    },
  },
  options: {
    sort: { values: ['name', '-name'], description: 'Years are in the order of their names; `-name` reverses it.' },
  },
  includes: {
    parent: { types: ['years'], many: false, description: 'The parent; null if there is none or it is hidden.' },
    children: {
      types: ['years'],
      many: true,
      description: 'The years that have this one as their parent, by name.',
      listedBy: 'parent_year',
      related: (id) => `/v1/years?filter%5Bparent_year%5D=${id}`,
    },
    ...seasons.includes,
  },
  criteria: {
    ...seasons.criteria,
    parent_year: {
      ...mayReferTo('parent_year', 'year'),
      description: 'The parent; `null` finds years without one, and those whose parent you cannot see.',
      hidden: (level) => `(t.parent_year is not null and ${isNull(shownParent)(level)})`,
    },
  },
  paths: [...seasons.paths, { index: 'years_parent', serves: ['parent_year'], order: 'name' }],
  schema: {
    ...seasons.schema,
    read: { ...seasons.schema.read, parent_year: parentField },
    create: { ...seasons.schema.create, parent_year: optional(parentField) },
    update: { ...seasons.schema.update, parent_year: optional(parentField) },
    readOnly: [...seasons.schema.readOnly, 'parent', 'children'],
    references: { parent: 'parent_year' },
    example: { ...seasons.schema.example, parent_year: null },
  },
}
