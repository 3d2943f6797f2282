import { asWritten, longText, name, nullable, optional } from '../../../jsonapi/fields.ts'
import { byText, matching, textIn, usualPaths } from '../criteria.ts'
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

/** A year or season of issue, such as 1986-87. */
export const years = defineLabel({
  type: 'years',
  noun: 'year',
  description: 'A year or season of issue, such as 1986-87.',
  filter: 'year',
  described: false,
  example: { name: '1986-87' },
})
