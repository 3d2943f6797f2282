import { type Caller, isScope, type Scope, scopes } from '../access/caller.ts'
import type { Call, Reply } from '../http/route.ts'
import { ApiError } from '../jsonapi/errors.ts'
import { fieldFaults } from '../jsonapi/field-faults.ts'
import { name } from '../jsonapi/fields.ts'
import { isObject, readJson } from '../jsonapi/json.ts'
import { oauthRefusal } from './refusal.ts'

/** What a user asks for: the name and the scopes of a client or token. */
type Registration = { name: string; scopes: Scope[] }

/**
 * Reads `{name, scope}`, and refuses scopes beyond those that may be granted, in OAuth's form. Other members are ignored (RFC
 * 6749), since nothing else about a client or token can be set.
 */
export const readRegistration = async (call: Call, grantable: readonly Scope[]): Promise<Registration | Reply> => {
  const body = await readBody(call)
  if (typeof body === 'string') return oauthRefusal(400, 'invalid_request', body)
  const [fault] = body.name === undefined ? ['Is required.'] : fieldFaults(nameSchema, body.name)
  if (fault) return oauthRefusal(400, 'invalid_request', `name: ${fault}`)
  if (typeof body.scope !== 'string')
    return oauthRefusal(400, 'invalid_request', 'scope: Must be a string of scopes, separated by spaces.')
  const asked = [...new Set(body.scope.split(' ').filter(Boolean))]
  const granted = asked.filter(isScope).filter((scope) => grantable.includes(scope))
  if (granted.length === asked.length && granted.length > 0) return { name: String(body.name), scopes: granted }
  return oauthRefusal(400, 'invalid_scope', `You may grant ${grantable.join(', ') || 'nothing'}.`)
}

/** The name of a client or a token. */
export const nameSchema = name()

/** The scopes that a user may grant a client: operators all of them, others those in the settings. */
export const grantableBy = (caller: Caller, selfService: readonly Scope[]): readonly Scope[] =>
  caller.operator ? scopes : selfService

const readBody = async (call: Call): Promise<Record<string, unknown> | string> => {
  try {
    const body = readJson(await call.body(), mostMembers)
    return isObject(body) ? body : 'The body must be a JSON object.'
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return error.message
    throw error
  }
}

const mostMembers = 1000
