import type { Sql } from '../../../db/client.ts'
import { line, nullable, optional, text } from '../../jsonapi/fields.ts'
import { byText, textIn } from './criteria.ts'
import { findsPart, hasPart } from './filters.ts'
import type { Criterion, Filter, Fragment, Resource } from './resource.ts'

/** A part of a name: exact by the hash of the text, which the index holds; `like:` is narrowed by the index of whole names. */
const namePart = (column: 'first_name' | 'last_name', noun: string): Filter => ({
  kind: 'matching',
  description: `The ${noun}, exactly; \`like:\` before it finds any part of it, without case.`,
  example: 'like:jord',
  alias: column,
  where: (sql, { value, like }) =>
    like
      ? hasPart(sql, `${column}_key`, value)
      : sql`md5(t.${sql.unsafe(column)})::uuid = md5(${value})::uuid and t.${sql.unsafe(column)} = ${value}`,
  finds: (sql, value) => findsPart(sql, 'name_key', value),
})

/** The same for /v2. */
const partOfName = (column: 'first_name' | 'last_name', noun: string): Criterion => ({
  ...textIn(column, `${column}_key`, noun),
  finds: (value) => `md5(t.${column})::uuid = md5(${value})::uuid`,
})

const fullName: Filter = {
  kind: 'matching',
  description: 'The whole name, exactly; `like:` before it finds every word of it in the first or the last name.',
  example: 'like:michael jordan',
  alias: 'full_name',
  where: (sql, { value, like }) =>
    like ? all(sql, wordsOf(value), hasPart) : sql`t.name_key collate "C" = lower(${value}) and t.name = ${value}`,
  finds: (sql, value) => all(sql, wordsOf(value), findsPart),
}

const wordsOf = (value: string) => value.split(/\s+/).filter(Boolean)

const all = (sql: Sql, words: string[], condition: typeof hasPart): Fragment =>
  words.reduce((before, word) => sql`${before} and ${condition(sql, 'name_key', word)}`, sql`true`)

/** A person on a card. */
export const players: Resource = {
  type: 'players',
  path: 'players',
  noun: 'player',
  description: 'A person on a card.',
  table: 'players t',
  columns: () => 't.id, t.name, t.first_name, t.last_name, t.position, t.version, t.created_at, t.updated_at',
  relationships: () => ({}),
  order: ['name_key collate "C"', 'id'],
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
  schema: {
    read: { name: text(511), first_name: text(), last_name: text(), position: nullable(text()) },
    create: {
      first_name: optional(line()),
      last_name: optional(line()),
      position: optional(nullable(line())),
      full_name: optional(line(500)),
    },
    update: { first_name: optional(line()), last_name: optional(line()), position: optional(nullable(line())) },
    relationships: {},
    readOnly: ['name', 'full_name'],
    example: { first_name: 'Michael', last_name: 'Jordan', position: 'SG' },
    shownExample: { name: 'Michael Jordan' },
  },
}
