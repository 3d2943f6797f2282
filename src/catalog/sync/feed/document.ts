import { Type } from '@sinclair/typebox'
import { link, nullable, oneOf, optional, time, uuid } from '../../../jsonapi/fields.ts'
import { included, jsonApiVersion } from '../../../jsonapi/schema.ts'
import { sparse } from '../../../jsonapi/serialize.ts'
import type { Identifier } from '../../model/resource.ts'
import { path } from './place.ts'
import { feedTypes } from './query.ts'
import type { Entry } from './read.ts'

const change = Type.Object(
  {
    type: Type.Literal('changes'),
    id: Type.String(),
    attributes: Type.Partial(Type.Object({ action: oneOf(['upsert', 'delete']), changed_at: time() })),
    relationships: Type.Partial(
      Type.Object({ resource: Type.Object({ data: Type.Object({ type: oneOf(feedTypes), id: uuid() }) }) }),
    ),
    meta: Type.Object({
      page: Type.Object({ cursor: Type.String() }),
      merged_into: optional(
        Type.Object(
          { type: oneOf(feedTypes), id: uuid() },
          { description: 'The record that a deleted one was merged into.' },
        ),
      ),
    }),
  },
  { $id: 'Change' },
)

/** A page of the feed. */
export const feedPage = Type.Object(
  {
    jsonapi: jsonApiVersion(),
    links: Type.Object({ self: link(), first: link(), prev: nullable(link()), next: link() }),
    data: Type.Array(change),
    included: included('/v2'),
    meta: Type.Object({
      page: Type.Object({ cursor: Type.String({ description: 'Where `links.next` continues.' }) }),
    }),
  },
  { $id: 'ChangePage' },
)

/** A change as a page shows it, with the cursor after it, and only the requested fields. */
export const renderEntry = (
  { type, id, action, changedAt, next: { no, taken } }: Entry,
  cursor: string,
  fields?: Set<string>,
  mergedInto?: Identifier,
) => ({
  type: 'changes',
  id: taken > 0 ? `${no}.${taken}` : `${no - 1}.0`,
  attributes: sparse({ action, changed_at: changedAt }, fields),
  relationships: sparse({ resource: { data: { type, id } } }, fields),
  meta: { page: { cursor }, ...(mergedInto ? { merged_into: mergedInto } : {}) },
})

const cursor = 'm3kqJ0v9W2hT6b1xYc4zWzQyLDBd'
const address = `http://localhost:3000${path}`

/** The example of a page in the OpenAPI document. */
export const example = {
  jsonapi: { version: '1.1' },
  links: { self: address, first: address, prev: null, next: `${address}?page%5Bafter%5D=${cursor}` },
  data: [
    renderEntry(
      {
        ...{ type: 'cards', id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e', action: 'upsert' },
        ...{ changedAt: '2026-11-21T12:00:00.000Z', next: { no: 42, taken: 0 } },
      },
      cursor,
    ),
  ],
  meta: { page: { cursor } },
}
