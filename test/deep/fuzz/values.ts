import type { Random } from '../../support/random.ts'
import type { Json, OpenApi } from './document.ts'
import { type Known, typeNamed } from './known.ts'

/** How a request is meant: right, right but for a part here and there, or without sense. */
export type Mood = 'right' | 'nearly' | 'wild'

export type Source = { api: OpenApi; known: Known; random: Random; mood: Mood }

const nonsense: unknown[] = [
  ...[null, 0, -1, 1.5, 1e21, true, false, [], [null], {}, { data: {} }, { data: [null] }, { type: [], id: {} }],
  ...['', ' ', 'a\u0000b', 'a\udc00', '💩', 'a'.repeat(256), 'a'.repeat(11_000), '9999-12-31', '0000-00-00', 'like:%'],
  ...["'; drop table cards; --", '\\', '{1,2}', '%', '[]', '/', 'null', '-infinity', 'javascript:alert(1)', ',', '\n'],
  '00000000-0000-0000-0000-000000000000',
]

/** A value that makes sense nowhere in particular. */
export const nonsenseOf = ({ random }: Source): unknown => random.pick(nonsense)

const words = ['Jordan', 'Michael', 'Fleer', '1986-87', '57', 'RC', 'a', 'Éric Ñandú', "O'Neal", '/25', 'Topps, Chrome']

/** A value as a schema has it, or by the mood one that is wrong in places; `name` says which records an id is of. */
export const aValue = (source: Source, given: Json, name = ''): unknown => {
  const { random, mood, api } = source
  if (mood === 'wild' ? random.isTrue(0.4) : mood === 'nearly' && random.isTrue(0.06)) return nonsenseOf(source)
  const schema = api.resolve(given)
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return random.pick(schema.enum)
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
  if (choices) return aValue(source, random.pick(choices), name)
  if (schema.type === 'object' || schema.properties) return objectOf(source, schema)
  if (schema.type === 'array') return arrayOf(source, schema, name)
  if (schema.type === 'integer' || schema.type === 'number') return numberOf(source, schema)
  if (schema.type === 'boolean') return random.isTrue(0.5)
  if (schema.type === 'null') return null
  return schema.type === 'string' ? textOf(source, schema, name) : nonsenseOf(source)
}

const objectOf = (source: Source, { properties = {}, required = [] }: Json): Json => {
  const { random, mood, api, known } = source
  const needed = required as string[]
  const made: Json = {}
  for (const [name, schema] of Object.entries(properties as Record<string, Json>)) {
    const share = needed.includes(name) ? (mood === 'right' ? 1 : 0.93) : 0.4
    if (random.isTrue(share)) made[name] = aValue(source, schema, name)
  }
  if (mood !== 'right' && random.isTrue(0.05))
    made[random.pick(['nothing', '__proto__', 'id', 'type', ''])] = nonsenseOf(source)
  const type = api.resolve(((properties as Json).type ?? {}) as Json)
  if (typeof made.type === 'string' && typeof made.id === 'string' && ('const' in type || type.enum) && mood !== 'wild')
    made.id = known.id(made.type, random)
  return made
}

const arrayOf = (source: Source, { items, minItems, maxItems }: Json, name: string) => {
  const { random } = source
  const least = Number(minItems ?? 0)
  const most = Math.min(Number(maxItems ?? 4), least + 4)
  return Array.from({ length: least + random.below(most - least + 1) }, () =>
    aValue(source, (items ?? {}) as Json, name),
  )
}

const numberOf = ({ random }: Source, { minimum, maximum }: Json) => {
  const least = Number(minimum ?? 0)
  const most = Number(maximum ?? least + 50)
  return random.isTrue(0.2) ? random.pick([least, most]) : least + random.below(Math.min(most - least, 1000) + 1)
}

const textOf = ({ random, known }: Source, { format, pattern, maxLength, minLength }: Json, name: string): string => {
  const day = `20${10 + random.below(20)}-0${1 + random.below(9)}-1${random.below(10)}`
  const fact = random.isTrue(0.8) ? known.some(name, random) : undefined
  if (fact !== undefined) return fact
  if (format === 'uuid') return known.id(typeNamed(name), random)
  if (format === 'date') return day
  if (format === 'date-time') return `${day}T12:00:0${random.below(10)}.000Z`
  if (format === 'uri') return `https://example.org/${random.below(1000)}`
  if (format === 'email') return `p${random.below(100_000)}@example.org`
  if (format === 'password') return `a long password ${random.below(10)}`
  if (typeof pattern === 'string' && pattern.startsWith('^#')) return '#C81E1E'
  const text = `${random.pick(words)}${random.isTrue(0.5) ? ` ${random.below(100_000)}` : ''}`
  if (random.isTrue(0.02)) return 'x'.repeat(Math.min(Number(maxLength ?? 300), 300))
  return text.padEnd(Number(minLength ?? 0), '.').slice(0, Number(maxLength ?? 1000))
}
