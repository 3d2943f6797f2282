import type { Operation, Parameter } from './document.ts'
import { typeNamed } from './known.ts'
import { aValue, nonsenseOf, type Source } from './values.ts'

/** A path of an operation: one that a link led to, or one made of ids. */
export const pathOf = (source: Source, { path }: Operation) => {
  const { random, known, mood } = source
  const place = random.isTrue(0.5) ? known.place(path, random) : undefined
  if (path.includes('{') && place !== undefined) return place.replace(/\?.*$/, '')
  const made = path.replace(/([\w-]+)\/\{(\w+)\}/g, (_, before: string, name: string) => {
    if (mood !== 'right' && random.isTrue(mood === 'wild' ? 0.3 : 0.05))
      return `${before}/${segmentOf(nonsenseOf(source))}`
    if (name === 'file') return `${before}/${random.pick(['page.js', 'page.css', 'nothing.js'])}`
    if (before === 'audit-logs') return `${before}/${1 + random.below(300)}`
    return `${before}/${known.id(typeNamed(/^id$|_id$|^job$/.test(name) ? before : name), random)}`
  })
  return made.replaceAll(/\{\w+\}/g, 'original')
}

/** One segment, which is neither empty nor dots: those are other paths. */
const segmentOf = (value: unknown) => {
  const text = encodeURIComponent(
    (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed().slice(0, 2000),
  )
  return /^\.*$/.test(text) ? 'x' : text
}

/** The query of an operation: some of its parameters, and sometimes one that it does not have. */
export const queryOf = (source: Source, { parameters }: Operation) => {
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
  if (/^page\[(after|before)\]$/.test(name)) return [[name, known.some('cursor', random) ?? 'now']]
  const isOfRecords = /^filter\[\w+\](\[ne\])?$/.test(name) && random.isTrue(0.4)
  const value = isOfRecords ? known.id(typeNamed(name), random) : aValue(plain, schema, name)
  const texts = (Array.isArray(value) ? value : [value]).map(written)
  if (Array.isArray(value) && random.isTrue(0.5)) return texts.map((text): [string, string] => [name, text])
  const once: [string, string] = [name, texts.join(',')]
  return mood !== 'right' && random.isTrue(0.04) ? [once, once] : [once]
}

/** A value as it stands in a query or a form. */
export const written = (value: unknown) =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 2000)

/** A header that an operation heeds. */
export const headerOf = (source: Source, { name, schema }: Parameter) => {
  const { random, known, mood } = source
  if (name === 'X-Request-ID') return mood === 'right' ? 'a-request.1' : random.pick(['a b', 'x'.repeat(129), 'ok_1'])
  if (name.startsWith('If-')) return random.pick([known.some('tag', random) ?? '"v1-1.1-1"', '*', 'x', '"a", W/"b"'])
  return String(aValue({ ...source, mood: 'right' }, schema, name))
}
