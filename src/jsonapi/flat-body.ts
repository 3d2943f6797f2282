import { type TObject, TypeGuard } from '@sinclair/typebox'
import { checkData } from './document.ts'
import { badRequest, conflict, type Fault, mostFaults, withPointers } from './errors.ts'
import { faultsAt } from './field-faults.ts'
import { escapePointer, isObject, readJson } from './json.ts'
import { typeAmong } from './type-names.ts'

/** The members of a flat body. 400 if it isn't a JSON object. No body counts as an empty one. */
export const readFlat = (body: Uint8Array, mostMembers = 1000): Record<string, unknown> => {
  const members = body.byteLength === 0 ? {} : readJson(body, mostMembers)
  if (!isObject(members)) throw badRequest('The body must be an object.')
  return members
}

/**
 * Calls `run` with the members of a body, which may be flat or the attributes of a JSON:API document of the type. Faults point
 * to where the members really are.
 */
export const withMembers = async <T>(
  members: Record<string, unknown>,
  type: string,
  run: (members: Record<string, unknown>) => Promise<T>,
): Promise<T> => {
  if (!Object.hasOwn(members, 'data')) return run(members)
  const data = checkData(members.data)
  if (!typeAmong([type], data.type)) throw conflict(`The type must be ${type}.`, { pointer: '/data/type' })
  if (!isObject(data.attributes)) throw badRequest('The attributes member must be an object.', { pointer: '/data' })
  try {
    return await run(data.attributes)
  } catch (error) {
    throw withPointers(error, (pointer) => `/data/attributes${pointer}`)
  }
}

/** What is wrong with a flat body: a fault for each member, list item and rule, at its pointer. */
export const flatFaults = ({ properties }: TObject, members: Record<string, unknown>): Fault[] => {
  const left = Object.entries(properties).flatMap(([name, schema]) =>
    TypeGuard.IsOptional(schema) || Object.hasOwn(members, name)
      ? []
      : [{ pointer: `/${name}`, detail: 'Is required.' }],
  )
  const given = Object.entries(members).flatMap(([name, value]) => {
    const pointer = `/${escapePointer(name)}`
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!schema) return [{ pointer, detail: 'There is no member with this name.' }]
    return faultsAt(schema, value, pointer)
  })
  return [...left, ...given].slice(0, mostFaults)
}
