import { Type } from '@sinclair/typebox'
import { cursorDocument, cursorExample, itemMetaSchema } from '../../../jsonapi/cursor-schema.ts'
import { nullable, oneOf, time, uuid } from '../../../jsonapi/fields.ts'
import { pagesWith } from '../../../jsonapi/list-query.ts'
import { plainDocument } from '../../../jsonapi/plain-schema.ts'
import { sparse } from '../../../jsonapi/serialize.ts'
import { resourcesInV2 } from '../../model/v2.ts'
import type { Fields } from '../../write/history/fields.ts'
import { leftOutMost } from './left-out.ts'
import type { Revision } from './read.ts'

export const type = 'revisions'

/** The types whose records have a history. */
export const objectTypes: string[] = resourcesInV2.map((resource) => resource.type)

const causes = ['request', 'import', 'prune', 'undo', 'merge', 'split', 'revert', 'command']

const shown = {
  object_type: oneOf(objectTypes),
  object_id: uuid(),
  agent_id: nullable(
    Type.String({ description: 'Who did it: `user:{id}`, `client:{id}`, `command-line` or `service`.' }),
  ),
  agent_name: nullable(
    Type.String({ description: 'The name of that user or client, or the e-mail address of a user without a name.' }),
  ),
  cause: { ...oneOf(causes), description: 'What changed the record.' },
  cause_id: {
    ...nullable(uuid()),
    description:
      'The id of the import, merge or split, or of the player-team whose deletion or return changed a card, otherwise null.',
  },
  changed_at: time(),
  changes: Type.Record(Type.String(), Type.Object({ before: Type.Unknown(), after: Type.Unknown() }), {
    description:
      'Each changed field before and after, by name. References are ids (`set_id`), `oncard` and `card_attributes` are lists of identifiers, and `aliases` is a list of texts. `deleted` says whether the record was deleted.',
  }),
}

/** What the list accepts in its query. */
export const shape = pagesWith({ [type]: Object.keys(shown) })

const id = () => Type.String({ pattern: '^[1-9][0-9]{0,17}$', description: 'A number that grows with each revision.' })
const object = { type: Type.Literal(type), id: id(), attributes: Type.Object(shown) }

/** A page of a record's history. */
export const historyPage = cursorDocument(
  'Revision',
  Type.Object({ ...object, meta: itemMetaSchema() }, { $id: 'ListedRevision' }),
)

/** The document of the revision that a revert creates. */
export const revertDocument = plainDocument(
  Type.Object(object, { $id: 'Revision' }),
  { $id: 'RevisionDocument' },
  {
    meta: Type.Object({
      left_out: Type.Array(Type.Object({ type: Type.Literal('identifiers'), id: uuid() }), {
        maxItems: leftOutMost,
        description:
          'After reverting a deletion: the identifiers of the record, and of a set’s cards, that stay deleted because another record has taken them. At most the first 1,000.',
      }),
    }),
  },
)

/** A revision as a resource object. */
export const renderRevision = (revision: Revision, fields?: Set<string>) => {
  const { id, object_type, object_id, agent_id, agent_name, cause, cause_id, changed_at } = revision
  const by = { agent_id, agent_name, cause, cause_id, changed_at }
  const attributes = { object_type, object_id, ...by, changes: changesOf(revision) }
  return { type, id, attributes: sparse<unknown>(attributes, fields) }
}

/** The changed fields under their /v2 names, each before and after. */
export const changesOf = ({
  object_type: objectType,
  before,
  after,
}: Pick<Revision, 'object_type' | 'before' | 'after'>) =>
  Object.fromEntries(
    Object.keys({ ...after, ...before }).map((name) => [
      nameOf(objectType, name),
      { before: shownValue(objectType, name, before), after: shownValue(objectType, name, after) },
    ]),
  )

const nameOf = (objectType: string, name: string) =>
  objectType === 'cards' && name === 'attributes' ? 'card_attributes' : name

/** Lists that are stored in a shorter form are shown as in documents. */
const shownValue = (objectType: string, name: string, fields: Fields): unknown => {
  const value = fields[name] ?? null
  if (name === 'aliases') return typeof value === 'string' ? value.split('\n') : []
  if (objectType === 'cards' && name === 'attributes' && Array.isArray(value))
    return value.map((one) => ({ type: 'attributes', id: one }))
  return value
}

/** A revision as the OpenAPI document shows it. */
export const exampleRevision = renderRevision({
  ...{ id: '4711', object_type: 'players', object_id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d26', cause: 'request' },
  ...{
    cause_id: null,
    agent_id: 'user:0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2f',
    agent_name: 'Ada',
    changed_at: '2026-11-21T12:00:00.000Z',
  },
  ...{ before: { last_name: 'Griffey Jr' }, after: { last_name: 'Griffey Jr.' } },
})

/** The document of a page that is the only one. */
export const examplePage = (path: string) =>
  cursorExample(`https://cards.example.org${path}`, exampleRevision, 'm3kqJ0v9W2hT6b1xYc4zWzQyLDBd')
