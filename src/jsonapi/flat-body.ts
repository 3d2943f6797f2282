import { type TObject, TypeGuard } from '@sinclair/typebox'
import { badRequest, type Fault, mostFaults } from './errors.ts'
import { faultsAt } from './field-faults.ts'
import { escapePointer, isObject, readJson } from './json.ts'

/** The members of a flat body; 400 if it is no JSON object. No body counts as an empty one. */
export const readFlat = (body: Uint8Array, mostMembers = 1000): Record<string, unknown> => {
  const members = body.byteLength === 0 ? {} : readJson(body, mostMembers)
  if (!isObject(members)) throw badRequest('The body must be an object.')
  return members
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
    if (!schema) return [{ pointer, detail: 'There is no member of this name.' }]
    return faultsAt(schema, value, pointer)
  })
  return [...left, ...given].slice(0, mostFaults)
}
