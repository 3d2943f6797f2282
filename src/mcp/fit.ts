import type { TObject, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { quoteSent } from '../jsonapi/errors.ts'
import { faultsAt } from '../jsonapi/field-faults.ts'
import { isObject } from '../jsonapi/json.ts'

type Fit =
  | { valid: true; data: unknown; errorMessage: undefined }
  | { valid: false; data: undefined; errorMessage: string }

const fits = (data: unknown): Fit => ({ valid: true, data, errorMessage: undefined })
const fails = (errorMessage: string): Fit => ({ valid: false, data: undefined, errorMessage })

/** Checks the arguments of a tool. What is wrong is said as the API says it of a field. */
export const fitArguments = (schema: TSchema) => {
  const { properties, required = [] } = schema as TObject
  return (given: unknown): Fit => {
    if (!isObject(given)) return fails('The arguments must be an object.')
    const faults = [
      ...required.filter((name) => given[name] === undefined).map((name) => `${name} is missing.`),
      ...Object.entries(given).flatMap(([name, value]) => {
        const property = Object.hasOwn(properties, name) ? properties[name] : undefined
        if (!property) return [`There is no argument ${quoteSent(name.toWellFormed())}.`]
        return faultsAt(property, value, name).map(({ pointer, detail }) => `${pointer}: ${detail}`)
      }),
    ]
    return faults.length > 0 ? fails(faults.slice(0, mostFaults).join(' ')) : fits(given)
  }
}

const mostFaults = 5

/** Checks what a tool gives. */
export const fitResult =
  (schema: TSchema) =>
  (given: unknown): Fit => {
    const fault = Value.Check(schema, given) ? undefined : Value.Errors(schema, given).First()
    return fault ? fails(`${fault.path}: ${fault.message}`) : fits(given)
  }
