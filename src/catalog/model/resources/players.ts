import type { Fault } from '../../../jsonapi/errors.ts'
import { asWritten, date, line, nullable, optional, text } from '../../../jsonapi/fields.ts'
import { sizes } from '../../../limits.ts'
import { byText, matching, textIn, usualPaths } from '../criteria.ts'
import { aliases, identifiersOf, plainColumns } from '../more.ts'
import type { Criterion, Filter, Resource } from '../resource.ts'

/** A filter by a part of a name. Exact matches use an index of its hash, other matches the index of whole names. */
const partOfName = (column: 'first_name' | 'last_name', noun: string): Criterion => ({
  ...textIn(column, `${column}_key`, noun),
  parts: 't.name_key',
  finds: (value) => `md5(t.${column})::uuid = md5(${value})::uuid`,
})

const namePart = (column: 'first_name' | 'last_name', noun: string): Filter => ({
  ...matching(column, noun),
  example: 'like:jord',
  alias: column,
})

const fullName: Filter = {
  of: 'name',
  like: 'words',
  description: 'The exact whole name, or with `like:` in front words that must each be in the first or last name.',
  example: 'like:michael jordan',
  alias: 'full_name',
}

const { read, create, update } = asWritten({
  first_name: optional(line()),
  last_name: optional(line()),
  position: optional(nullable(line())),
})

/** A new player has either names or a `full_name` (decisions.md §19). */
const fullNameAlone = (given: Record<string, unknown>): Fault[] =>
  Object.hasOwn(given, 'full_name') && (Object.hasOwn(given, 'first_name') || Object.hasOwn(given, 'last_name'))
    ? [{ pointer: '/data/attributes/full_name', detail: 'Send either full_name, or first_name and last_name.' }]
    : []

/** A person on a card. */
export const players: Resource = {
  type: 'players',
  path: 'players',
  showsDeleted: true,
  noun: 'player',
  description: 'A person on a card.',
  table: 'players t',
  columns: plainColumns('name', 'first_name', 'last_name', 'position'),
  relationships: () => ({}),
  tally: 'players',
  filters: {
    first_name: namePart('first_name', 'first name'),
    last_name: namePart('last_name', 'last name'),
    full_name: fullName,
  },
  includes: {},
  sorts: { name: byText('name_key') },
  criteria: {
    name: textIn('name', 'name_key', 'whole name'),
    first_name: partOfName('first_name', 'first name'),
    last_name: partOfName('last_name', 'last name'),
  },
  paths: [
    ...usualPaths('players', 'name'),
    { index: 'players_first_name', serves: ['first_name'], order: 'name' },
    { index: 'players_last_name', serves: ['last_name'], order: 'name' },
  ],
  schema: {
    read: { name: text(511), ...read },
    create: { ...create, full_name: optional(line(sizes.title.most)) },
    update,
    relationships: {},
    readOnly: ['name', 'full_name'],
    onlyNew: ['full_name'],
    together: fullNameAlone,
    example: { first_name: 'Michael', last_name: 'Jordan', position: 'SG' },
    shownExample: { name: 'Michael Jordan' },
  },
  more: {
    columns: [...(aliases.columns ?? []), 't.disambiguation', 't.born_on::text as born_on'],
    read: { ...aliases.read, disambiguation: nullable(text()), born_on: nullable(date()) },
    write: { ...aliases.write, disambiguation: optional(nullable(line())), born_on: optional(nullable(date())) },
    example: { aliases: ['Air Jordan'], disambiguation: null, born_on: '1963-02-17' },
    includes: identifiersOf('players'),
  },
}
