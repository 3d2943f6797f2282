import { asWritten, line, name, nullable, optional } from '../../../jsonapi/fields.ts'
import { byText, matching, textIn, usualPaths } from '../criteria.ts'
import { aliases, identifiersOf, plainColumns } from '../more.ts'
import type { Resource } from '../resource.ts'

/** A team as printed on cards, such as Chicago Bulls. */
export const teams: Resource = {
  type: 'teams',
  path: 'teams',
  noun: 'team',
  description: 'A team as printed on cards, such as Chicago Bulls.',
  table: 'teams t',
  columns: plainColumns('name', 'location', 'abbreviation'),
  relationships: () => ({}),
  tally: 'teams',
  filters: { name: matching('name', "team's name") },
  includes: {},
  sorts: { name: byText('name_key') },
  criteria: { name: textIn('name', 'name_key', 'name') },
  paths: usualPaths('teams', 'name'),
  schema: {
    ...asWritten({
      name: name(),
      location: optional(nullable(line())),
      abbreviation: optional(nullable(line())),
    }),
    relationships: {},
    readOnly: [],
    example: { name: 'Chicago Bulls', location: 'Chicago', abbreviation: 'CHI' },
  },
  more: { ...aliases, includes: identifiersOf('teams') },
}
