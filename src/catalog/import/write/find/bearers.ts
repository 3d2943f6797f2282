import { arrayOf, arrayOfTexts } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import { personName } from '../../../model/person-name.ts'
import type { CardRecord } from '../../../write/record.ts'
import { idsOf } from '../plan/laid-over.ts'
import type { WantedCard } from './cards.ts'

type Pair = { one: WantedCard; card: CardRecord }
const sides = [
  ['players', 'playerId'],
  ['teams', 'teamId'],
] as const
type Type = (typeof sides)[number][0]

/**
 * Finds which cards have people with a row's names, whoever else bears these names by now. A person bears a name as its own, as an
 * alias, or if an import knew the person by it. Returns a function that says so of a row and one of its cards.
 */
export const findBearers = async ({ sql }: Database, pairs: Pair[]) => {
  const asked = new Map<string, { type: Type; id: string; name: string }>()
  for (const { one, card } of pairs)
    for (const [type, side] of sides) {
      const names = namesOf(one, type)
      const ids = idsOf(card.entries, side)
      if (names.length !== ids.length) continue
      for (const [at, id] of ids.entries()) {
        const name = names[at] as string
        if (!one.people.includes(id)) asked.set(keyOf(type, id, name), { type, id, name })
      }
    }
  const born = asked.size > 0 ? await readBorn(sql, [...asked.values()]) : new Set<string>()
  return (one: WantedCard, card: CardRecord) =>
    sides.every(([type, side]) => {
      if (one.item.unsaid?.includes(type)) return true
      const names = namesOf(one, type)
      const ids = idsOf(card.entries, side)
      return (
        names.length === ids.length &&
        ids.every((id, at) => one.people.includes(id) || born.has(keyOf(type, id, names[at] as string)))
      )
    })
}

const readBorn = async (sql: Database['sql'], asked: { type: Type; id: string; name: string }[]) => {
  const born = new Set<string>()
  for (const [type] of sides) {
    const some = asked.filter((one) => one.type === type)
    if (some.length === 0) continue
    const rows = await sql<{ id: string; name: string }[]>`
      select e.id, n.name
      from (
        select id, name, name_fold(name) as fold
        from unnest(${arrayOf(some.map(({ id }) => id))}::uuid[], ${arrayOfTexts(some.map(({ name }) => name))}::text[])
          as n (id, name)
      ) n
      join ${sql(type)} e on e.id = n.id
      where e.folded = n.fold or alias_folds(e.aliases) @> array[n.fold] or exists (
        select from curated_fields c where c.object_id = e.id and c.field = 'name' and name_fold(c.said #>> '{}') = n.fold
      )`
    for (const { id, name } of rows) born.add(keyOf(type, id, name))
  }
  return born
}

const keyOf = (type: Type, id: string, name: string) => `${type} ${id} ${name}`

const namesOf = ({ item: { entries } }: WantedCard, type: Type): string[] => [
  ...new Set(entries.flatMap(({ player, team }) => (type === 'players' ? player && personName(player) : team) ?? [])),
]
