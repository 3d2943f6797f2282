import { type Static, type TObject, Type } from '@sinclair/typebox'
import { cards } from '../../catalog/model/resources/cards.ts'
import { jobStatuses } from '../../jobs/read.ts'
import { errorObject } from '../../jsonapi/error-schema.ts'
import { type Fault, validationFailed } from '../../jsonapi/errors.ts'
import { boolean, integer, nullable, oneOf, uuid } from '../../jsonapi/fields.ts'
import { escapePointer, isObject, readJson } from '../../jsonapi/json.ts'
import { updateBody } from '../../jsonapi/schema.ts'

/** The path of batches. */
export const path = '/internal/card-batches'

/** The answer to the POST and to the poll. */
export const state = Type.Object(
  {
    status: oneOf([...jobStatuses]),
    job_id: nullable(uuid()),
    total: integer(0),
    created: integer(0),
    updated: integer(0),
    failed: integer(0),
    results: Type.Array(
      Type.Object({
        id: nullable(Type.String({ description: 'As in the row. Null if the row has none.' })),
        status: oneOf(['created', 'updated', 'failed']),
        restored: Type.Boolean({ description: 'Whether the row restored a deleted card.' }),
        error: nullable(errorObject()),
      }),
      { description: 'The result of each row written so far, in order.' },
    ),
  },
  { $id: 'CardBatch' },
)

const id = '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e'

/** A batch, as the OpenAPI document shows it. */
export const example: Static<typeof state> = {
  status: 'completed',
  job_id: null,
  total: 2,
  created: 1,
  updated: 0,
  failed: 1,
  results: [
    { id, status: 'created', restored: false, error: null },
    {
      id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2f',
      status: 'failed',
      restored: false,
      error: {
        status: '422',
        code: 'VALIDATION-FAILED',
        title: 'Validation failed',
        detail: 'There is no such player, or it is hidden from you.',
        source: { pointer: '/data/1/relationships/oncard/data/0/id' },
      },
    },
  ],
}

const linkage = (type: string) => ({ data: { type, id } })

/** The body of the POST, as the OpenAPI document shows it. */
export const requestExample = {
  data: [
    {
      type: 'cards',
      id,
      attributes: { number: '57' },
      relationships: { set: linkage('sets'), oncard: { data: [{ type: 'players', id }] } },
    },
  ],
  meta: { propagate: true },
}

const mostMembers = 5_000_000

/**
 * Reads the body of a POST: rows as they came, each of which may fail alone. 422 if there are none, or too many, and for unknown
 * members.
 */
export const readBatch = (body: Uint8Array, most: number): { rows: unknown[]; propagate: boolean } => {
  const given = readJson(body, mostMembers)
  const members = isObject(given) ? given : {}
  const { data: rows } = members
  const meta = members.meta ?? {}
  const propagate = isObject(meta) ? (meta.propagate ?? false) : false
  const faults = [...unknownIn(members, ['data', 'meta'], ''), ...unknownIn(meta, ['propagate'], '/meta')]
  if (!Array.isArray(rows)) faults.push({ pointer: '/data', detail: 'Must be a list of cards.' })
  else if (rows.length === 0) faults.push({ pointer: '/data', detail: 'Must hold at least one card.' })
  else if (rows.length > most) faults.push({ pointer: '/data', detail: `Must hold at most ${most} cards.` })
  if (!isObject(meta)) faults.push({ pointer: '/meta', detail: 'Must be an object.' })
  if (typeof propagate !== 'boolean') faults.push({ pointer: '/meta/propagate', detail: 'Must be true or false.' })
  if (faults.length > 0) throw validationFailed(faults)
  return { rows: rows as unknown[], propagate: propagate as boolean }
}

/** The faults of members that aren't known. */
export const unknownIn = (members: unknown, known: string[], pointer: string): Fault[] =>
  (isObject(members) ? Object.keys(members) : [])
    .filter((name) => !known.includes(name))
    .map((name) => ({ pointer: `${pointer}/${escapePointer(name)}`, detail: 'There is no member with this name.' }))

/** The input of the POST. */
export const request = () => {
  const { data: row } = (updateBody(cards) as TObject<{ data: TObject }>).properties
  return Type.Object(
    {
      data: Type.Array(row, { minItems: 1 }),
      meta: Type.Optional(Type.Object({ propagate: Type.Optional(boolean()) }, { additionalProperties: false })),
    },
    { $id: 'CardBatchRequest', additionalProperties: false },
  )
}
