import { Type } from '@sinclair/typebox'
import type { Call } from '../../http/route.ts'
import { readDocument } from '../../jsonapi/document.ts'
import { ApiError, type Fault, validationFailed } from '../../jsonapi/errors.ts'
import { fieldFaults } from '../../jsonapi/field-faults.ts'
import { boolean, integer, nullable } from '../../jsonapi/fields.ts'
import { escapePointer, isObject } from '../../jsonapi/json.ts'
import type { Allowance } from '../../limits.ts'
import type { ClientChange } from './client.ts'

const amount = () => integer(1, 2 ** 31 - 1)

/** An allowance, as the API shows it. */
export const allowance = () => Type.Object({ limit: amount(), window_seconds: amount() }, { $id: 'RateLimit' })

/** What an operator may write. */
export const writable = {
  internal_approved: Type.Optional(boolean()),
  internal_pool: Type.Optional(boolean()),
  rate_limit: Type.Optional(nullable(allowance())),
}

type Shape = { type: string; names: string[] }

/** Reads a PATCH of a client. `requireClient` throws 404, which takes precedence over all faults in the document except a 400. */
export const readChange = async (call: Call, id: string, shape: Shape, requireClient: () => Promise<unknown>) => {
  const body = await call.body()
  try {
    return read(body, id, shape)
  } catch (error) {
    if (error instanceof ApiError && error.status !== 400) await requireClient()
    throw error
  }
}

const read = (body: Uint8Array, id: string, { type, names }: Shape): ClientChange => {
  const { attributes } = readDocument(body, {
    type,
    id,
    attributes: writable,
    relationships: {},
    readOnly: names,
  })
  const { internal_approved: approved, internal_pool: pool, rate_limit: limit } = attributes
  return {
    ...(typeof approved === 'boolean' ? { internalApproved: approved } : {}),
    ...(typeof pool === 'boolean' ? { internalPool: pool } : {}),
    ...(limit === undefined ? {} : { rateLimit: limit === null ? null : readAllowance(limit) }),
  }
}

const members = ['limit', 'window_seconds']

/** Reads an allowance, which must have exactly these members. */
const readAllowance = (value: unknown): Allowance => {
  const given = isObject(value) ? value : {}
  const faults: Fault[] = []
  for (const name of new Set([...members, ...Object.keys(given)])) {
    const pointer = `/data/attributes/rate_limit/${escapePointer(name)}`
    if (!members.includes(name)) faults.push({ pointer, detail: 'There is no member with this name.' })
    else if (!Object.hasOwn(given, name)) faults.push({ pointer, detail: 'Is required.' })
    else for (const detail of fieldFaults(amount(), given[name])) faults.push({ pointer, detail })
  }
  if (faults.length > 0) throw validationFailed(faults)
  return { limit: Number(given.limit), windowSeconds: Number(given.window_seconds) }
}
