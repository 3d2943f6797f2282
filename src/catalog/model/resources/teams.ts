import { asWritten, line, name, nullable, optional } from '../../../jsonapi/fields.ts'
import { byText, matching, textIn, usualPaths } from '../criteria.ts'
import { aliases, identifiersOf, plainColumns } from '../more.ts'
import type { Resource } from '../resource.ts'

const written = asWritten({
  name: name(),
  location: optional(nullable(line())),
  abbreviation: optional(nullable(line())),
})

const described =
  'The name without its leading `location`, or all of it. To write it makes the name: behind `location`, unless the document has a `name`.'
const mascot = { ...name(), description: described }

const mascotColumn = `case when starts_with(t.name, t.location || ' ')
  then substr(t.name, length(t.location) + 2) else t.name end as mascot`

/** A team as printed on cards, such as Chicago Bulls. */
export const teams: Resource = {
  type: 'teams',
  path: 'teams',
  showsDeleted: true,
  noun: 'team',
  description: 'A team as printed on cards, such as Chicago Bulls.',
  table: 'teams t',
  columns: (level, more = []) => plainColumns('name', 'location', 'abbreviation')(level, [mascotColumn, ...more]),
  relationships: () => ({}),
  tally: 'teams',
  filters: { name: { ...matching('name', "team's name"), alias: 'name' } },
  includes: {},
  sorts: { name: byText('name_key') },
  criteria: { name: textIn('name', 'name_key', 'name') },
  paths: usualPaths('teams', 'name'),
  schema: {
    read: { ...written.read, mascot },
    create: { ...written.create, name: optional(name()), mascot: optional(mascot) },
    update: { ...written.update, mascot: optional(mascot) },
    relationships: {},
    readOnly: [],
    example: { name: 'Chicago Bulls', location: 'Chicago', abbreviation: 'CHI' },
    shownExample: { mascot: 'Bulls' },
  },
  more: { ...aliases, includes: identifiersOf('teams') },
}
