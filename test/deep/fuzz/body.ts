import { aPng } from '../../support/image.ts'
import type { Json, OpenApi, Operation } from './document.ts'
import { written } from './place.ts'
import { aValue, type Source } from './values.ts'

type Body = string | Uint8Array<ArrayBuffer>

/** A body for an operation, if it takes one; its media type goes into the headers. */
export const bodyOf = (
  source: Source,
  { path: template, body }: Operation,
  path: string,
  headers: Record<string, string>,
): Body | undefined => {
  const { random, mood } = source
  if (!body) return undefined
  const mediaType = random.pick(Object.keys(body.content))
  headers['Content-Type'] = mediaType
  if (mood !== 'right') {
    if (random.isTrue(0.04))
      headers['Content-Type'] = random.pick(['text/csv', 'application/json', `${mediaType}; a=b`])
    if (random.isTrue(0.05)) return random.pick(['', '{', 'null', '[]', '{}', '{"data":null}', '{"data":[]}', '\u0000'])
  } else if (!body.required && random.isTrue(0.2)) return undefined
  if (/^image\//.test(mediaType)) return random.isTrue(0.6) ? aPng(3, 4) : 'no image'
  if (mediaType === 'multipart/form-data') return formOf(source, headers)
  const schema = body.content[mediaType]?.schema ?? {}
  if (schema.format === 'binary') return random.pick(['{}', 'set,number,player\nDeep,1,Ana Deep\n', 'x'])
  const value = template === '/v2/operations' && random.isTrue(0.8) ? operations(source) : aValue(source, schema)
  const own = path.split('/').at(-1) ?? ''
  const { data } = (value ?? {}) as { data?: { id?: unknown } }
  if (data && typeof data === 'object' && 'id' in data && !path.includes('/relationships/') && random.isTrue(0.95))
    data.id = own
  if (mediaType === 'application/x-www-form-urlencoded')
    return new URLSearchParams(Object.entries(value ?? {}).map(([name, one]) => [name, written(one)])).toString()
  return JSON.stringify(value) ?? ''
}

/** Operations as the documents of single writes make them. */
const operations = (source: Source): Json => {
  const { api, random } = source
  const one = () => {
    const [op, method] = random.pick([
      ['add', 'POST'],
      ['update', 'PATCH'],
    ] as const)
    const writes = api.operations.filter((other) => other.method === method && isOfResource(other, api))
    const { data } = aValue({ ...source, mood: 'right' }, documentOf(random.pick(writes))) as Json
    return { op, data }
  }
  return { 'atomic:operations': Array.from({ length: 1 + random.below(3) }, one) }
}

const documentOf = ({ body }: Operation): Json => body?.content['application/vnd.api+json']?.schema ?? {}

const isOfResource = (operation: Operation, api: OpenApi) =>
  /^\/v2\/[\w-]+(\/\{id\})?$/.test(operation.path) &&
  typeof ((api.resolve(documentOf(operation)).properties as Json)?.data as Json)?.properties === 'object' &&
  !operation.path.includes('collection')

const formOf = ({ random, known }: Source, headers: Record<string, string>): string => {
  const boundary = 'a-boundary'
  headers['Content-Type'] = `multipart/form-data; boundary=${boundary}`
  const part = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${name === 'file' ? '; filename="a.png"' : ''}\r\n\r\n${value}\r\n`
  const parts = [part('file', 'no image'), part('card_id', known.id('cards', random)), part('more', 'x')]
  return `${parts.filter(() => random.isTrue(0.7)).join('')}--${boundary}--\r\n`
}
