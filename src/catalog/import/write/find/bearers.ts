import { arrayOf, arrayOfTexts } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import { personName } from '../../../model/person-name.ts'
import type { CardRecord } from '../../../write/record.ts'
import { areNear } from '../../read/names/near.ts'
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
 * alias, or if an import knew the person by it. Returns what to ask of a row and one of its cards: whether the card's people
 * bear the row's names, and whether it has a team of the row and players whose names are nearly the row's.
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
  const { born, near } = await readBorn(sql, [...asked.values()])
  const areAll = (one: WantedCard, card: CardRecord, [type, side]: (typeof sides)[number], is: ReadonlySet<string>) => {
    const names = namesOf(one, type)
    const ids = idsOf(card.entries, side)
    return (
      names.length === ids.length &&
      ids.every((id, at) => one.people.includes(id) || is.has(keyOf(type, id, names[at] as string)))
    )
  }
  return {
    bears: (one: WantedCard, card: CardRecord) =>
      sides.every((side) => one.item.unsaid?.includes(side[0]) || areAll(one, card, side, born)),
    resembles: (one: WantedCard, card: CardRecord) =>
      areAll(one, card, sides[0], near) && idsOf(card.entries, 'teamId').some((id) => one.people.includes(id)),
  }
}

const readBorn = async (sql: Database['sql'], asked: { type: Type; id: string; name: string }[]) => {
  const [born, near] = [new Set<string>(), new Set<string>()]
  for (const [type] of sides) {
    const some = asked.filter((one) => one.type === type)
    if (some.length === 0) continue
    const rows = await sql<{ id: string; name: string; own: string; isBorn: boolean }[]>`
      select e.id, n.name, e.name as own,
        replace(e.folded, '-', '') = replace(n.fold, '-', '')
        or alias_folds(replace(e.aliases, '-', '')) @> array[replace(n.fold, '-', '')] or exists (
          select from curated_fields c
          where c.object_id = e.id and c.field = 'name' and name_fold(c.said #>> '{}') = n.fold
        ) as "isBorn"
      from (
        select id, name, name_fold(name) as fold
        from unnest(${arrayOf(some.map(({ id }) => id))}::uuid[], ${arrayOfTexts(some.map(({ name }) => name))}::text[])
          as n (id, name)
      ) n
      join ${sql(type)} e on e.id = n.id`
    for (const { id, name, own, isBorn } of rows) {
      if (isBorn) born.add(keyOf(type, id, name))
      if (isBorn || areNear(name, own)) near.add(keyOf(type, id, name))
    }
  }
  return { born, near }
}

const keyOf = (type: Type, id: string, name: string) => `${type} ${id} ${name}`

const namesOf = ({ item: { entries } }: WantedCard, type: Type): string[] => [
  ...new Set(entries.flatMap(({ player, team }) => (type === 'players' ? player && personName(player) : team) ?? [])),
]
