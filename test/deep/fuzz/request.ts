import { aPng } from '../../support/image.ts'
import type { Operation, Parameter } from './document.ts'
import { typeNamed } from './known.ts'
import { aValue, nonsenseOf, type Source } from './values.ts'

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
  for (const parameter of operation.parameters)
    if (parameter.in === 'header' && random.isTrue(0.15)) headers[parameter.name] = headerOf(source, parameter)
  if (random.isTrue(0.1)) headers.Accept = random.pick(accepts)
  const made = { method: operation.method, path: query ? `${path}?${query}` : path, headers }
  return { ...made, ...bodyOf(source, operation, path, headers) }
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

const pathOf = (source: Source, { path }: Operation) =>
  path
    .replace(/([\w-]+)\/\{(\w+)\}/g, (_, before: string, name: string) => {
      const { random, known, mood } = source
      if (mood !== 'right' && random.isTrue(mood === 'wild' ? 0.3 : 0.05))
        return `${before}/${segmentOf(nonsenseOf(source))}`
      if (name === 'file') return `${before}/${random.pick(['page.js', 'page.css', 'nothing.js'])}`
      if (before === 'audit-logs') return `${before}/${1 + random.below(300)}`
      const type = typeNamed(name === 'id' || name.endsWith('_id') || name === 'job' ? before : name)
      return `${before}/${known.id(type, random)}`
    })
    .replaceAll(/\{\w+\}/g, 'original')

/** One segment, which is neither empty nor dots: those are other paths. */
const segmentOf = (value: unknown) => {
  const text = encodeURIComponent(
    (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed().slice(0, 2000),
  )
  return /^\.*$/.test(text) ? 'x' : text
}

const queryOf = (source: Source, { parameters }: Operation) => {
  const { random, mood } = source
  const known = parameters.filter((parameter) => parameter.in === 'query')
  const pairs = known.flatMap((parameter) => {
    const share = parameter.required ? 0.95 : Math.min(0.35, 2.5 / known.length)
    return random.isTrue(share) ? pairsOf(source, parameter) : []
  })
  if (mood !== 'right' && random.isTrue(0.05))
    pairs.push([random.pick(['bogus', 'filter[nothing]', 'page[number]', '']), '1'])
  return pairs
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&')
}

const queries = [
  'jordan',
  'michael jordan #57 RC',
  '"upper deck" -is:parallel',
  'year:1986',
  '/25',
  '-',
  'foo:bar',
  '"',
  'é',
]

const pairsOf = (source: Source, { name, schema }: Parameter): [string, string][] => {
  const { random, known, mood } = source
  const plain = { ...source, mood: mood === 'wild' ? 'nearly' : mood } as const
  if (name === 'wait') return [[name, random.pick(['0', '0', '1', '31', 'x'])]]
  if (name === 'q') return [[name, random.pick(queries)]]
  if (/^page\[(after|before)\]$/.test(name)) return [[name, known.cursor(random)]]
  const isOfRecords = /^filter\[\w+\](\[ne\])?$/.test(name) && random.isTrue(0.4)
  const value = isOfRecords ? known.id(typeNamed(name), random) : aValue(plain, schema, name)
  const texts = (Array.isArray(value) ? value : [value]).map(written)
  if (Array.isArray(value) && random.isTrue(0.5)) return texts.map((text): [string, string] => [name, text])
  const once: [string, string] = [name, texts.join(',')]
  return mood !== 'right' && random.isTrue(0.04) ? [once, once] : [once]
}

const written = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 2000)

const headerOf = (source: Source, { name, schema }: Parameter) => {
  const { random, known, mood } = source
  if (name === 'X-Request-ID') return mood === 'right' ? 'a-request.1' : random.pick(['a b', 'x'.repeat(129), 'ok_1'])
  if (name.startsWith('If-')) return random.pick([known.tag(random), '*', 'x', '"a", W/"b"'])
  return String(aValue({ ...source, mood: 'right' }, schema, name))
}

const bodyOf = (source: Source, { body }: Operation, path: string, headers: Record<string, string>): Partial<Made> => {
  const { random, mood } = source
  if (!body) return {}
  const mediaType = random.pick(Object.keys(body.content))
  headers['Content-Type'] = mediaType
  if (mood !== 'right') {
    if (random.isTrue(0.04))
      headers['Content-Type'] = random.pick(['text/csv', 'application/json', `${mediaType}; a=b`])
    if (random.isTrue(0.05))
      return { body: random.pick(['', '{', 'null', '[]', '{}', '{"data":null}', '{"data":[]}', '\u0000']) }
  } else if (!body.required && random.isTrue(0.2)) return {}
  if (/^image\//.test(mediaType)) return { body: random.isTrue(0.5) ? aPng(3, 4) : 'no image' }
  if (mediaType === 'multipart/form-data') return formOf(source, headers)
  const schema = body.content[mediaType]?.schema ?? {}
  if (schema.format === 'binary') return { body: random.pick(['{}', 'set,number,player\nDeep,1,Ana Deep\n', 'x']) }
  const value = aValue(source, schema)
  const own = path.split('/').at(-1) ?? ''
  const { data } = (value ?? {}) as { data?: { id?: unknown } }
  if (data && typeof data === 'object' && 'id' in data && !path.includes('/relationships/') && random.isTrue(0.95))
    data.id = own
  if (mediaType === 'application/x-www-form-urlencoded')
    return {
      body: new URLSearchParams(Object.entries(value ?? {}).map(([name, one]) => [name, written(one)])).toString(),
    }
  return { body: JSON.stringify(value) ?? '' }
}

const formOf = ({ random, known }: Source, headers: Record<string, string>): Partial<Made> => {
  const boundary = 'a-boundary'
  headers['Content-Type'] = `multipart/form-data; boundary=${boundary}`
  const part = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${name === 'file' ? '; filename="a.png"' : ''}\r\n\r\n${value}\r\n`
  const parts = [part('file', 'no image'), part('card_id', known.id('cards', random)), part('more', 'x')]
  return { body: `${parts.filter(() => random.isTrue(0.7)).join('')}--${boundary}--\r\n` }
}
