import { Type } from '@sinclair/typebox'
import { validationFailed } from '../../jsonapi/errors.ts'
import { names, optional, text } from '../../jsonapi/fields.ts'
import { sizes } from '../../limits.ts'
import type { Include, MoreInV2, Resource } from './resource.ts'

/** The columns to select from a table without joins: the attributes, and what every record has. */
export const plainColumns =
  (...attributes: string[]): Resource['columns'] =>
  (_, more = []) =>
    ['t.id', ...attributes.map((name) => `t.${name}`), ...more, ...['t.version', 't.created_at', 't.updated_at']].join(
      ', ',
    )

/** Aliases are stored as lines of one text, and shown as a list. */
const aliasesColumn = `array_to_json(coalesce(string_to_array(t.aliases, E'\\n'), '{}')) as aliases`

const described = 'Other names of the record, in your order, trimmed and without duplicates.'
const most = `At most ${sizes.aliases.most}, or as many as merges gave the record.`

/** Other names of a record, in the order of the document. A merge may add more than a document may have. */
export const aliases: MoreInV2 = {
  columns: [aliasesColumn],
  read: { aliases: { ...Type.Array(text()), description: described } },
  write: { aliases: optional({ ...names(), description: `${described} ${most}` }) },
  example: { aliases: [] },
}

/** Throws 422 if a document has more aliases (one per line) than allowed and also more than the record already has. */
export const refuseManyAliases = (given: string | null | undefined, before: string | null | undefined) => {
  const many = countOf(given)
  if (many > sizes.aliases.most && many > countOf(before))
    throw validationFailed([
      { pointer: '/data/attributes/aliases', detail: `Must have at most ${sizes.aliases.most} items.` },
    ])
}

const countOf = (aliases: string | null | undefined) => aliases?.split('\n').length ?? 0

/** The include of a record's identifiers in other services, in /v2. */
export const identifiersOf = (type: string): Record<string, Include> => ({
  identifiers: {
    types: ['identifiers'],
    many: true,
    description: 'The identifiers of the record in other services.',
    listedBy: 'object_id',
    listedWith: { object_type: type },
  },
})
