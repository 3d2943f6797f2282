import { rankedMost } from './atoms.ts'
import type { Builder } from './builder.ts'
import { type HitPlace, numberOf } from './order.ts'
import type { Persons } from './resolve.ts'
import { scores } from './scores.ts'
import { keysOf } from './words.ts'

/** The players or teams that are named, as hits. */
export const personHits = ({ type, some }: Persons): HitPlace[] =>
  some.map(({ id, key, near, isWhole }) => [
    (isWhole ? scores.whole : scores.name) * scores.near ** near,
    ...[numberOf(type), 0],
    ...[key, id],
  ]) as HitPlace[]

/** A select of those that are too many to be named. */
export const manyPersons = (
  type: Persons['type'],
  cut: NonNullable<Persons['cut']>,
  { level, args }: Builder,
): string => `
  select (case when t.name_key = ${args.add(cut.name, 'text')} then ${scores.whole} else ${scores.name} end)::float8 as score,
    0 as a, t.name_key as b, t.id
  from ${type} t where t.audience >= ${level} and ${keysOf('t.name')} @@ ${args.add(cut.query, 'tsquery')}
  limit ${rankedMost + 1}`
