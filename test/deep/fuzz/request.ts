import { bodyOf } from './body.ts'
import type { Operation } from './document.ts'
import { headerOf, pathOf, queryOf } from './place.ts'
import type { Source } from './values.ts'

/** A request as it is sent, and as a failure shows it. */
export type Made = {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
}

/** Makes a request to an operation, which brings these headers of a caller. */
export const requestOf = (source: Source, operation: Operation, caller: Record<string, string>): Made => {
  const { random } = source
  const headers: Record<string, string> = { ...caller, 'X-Forwarded-For': addressOf(random.below(2 ** 24)) }
  const path = pathOf(source, operation)
  const query = queryOf(source, operation)
  const followed =
    operation.method === 'GET' && random.isTrue(0.2) ? source.known.place(operation.path, random) : undefined
  for (const parameter of operation.parameters)
    if (parameter.in === 'header' && random.isTrue(0.15)) headers[parameter.name] = headerOf(source, parameter)
  if (random.isTrue(0.1)) headers.Accept = random.pick(accepts)
  if (operation.method === 'GET' && random.isTrue(0.005)) headers['X-Long'] = 'x'.repeat(20_000)
  const body = bodyOf(source, operation, path, headers)
  return { method: operation.method, path: followed ?? (query ? `${path}?${query}` : path), headers, body }
}

const accepts = [
  '*/*',
  'application/vnd.api+json',
  'application/json',
  'text/html',
  'application/vnd.api+json; foo=bar',
  'x',
]

const addressOf = (number: number) => `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`
