import { arrayOf, arrayOfTexts } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import { personName } from '../../../model/person-name.ts'
import type { CardRecord } from '../../../write/record.ts'
import { alikeKey } from '../../read/names/alike.ts'
import { areNear } from '../../read/names/near.ts'
import { isTeam } from '../../read/names/people.ts'
import { waysToPart } from '../../read/names/several.ts'
import { bestOfTeam } from '../../read/names/teams.ts'
import { idsOf } from '../plan/laid-over.ts'
import type { Session } from '../session.ts'
import type { WantedCard } from './cards.ts'

type Pair = { one: WantedCard; card: CardRecord }
const sides = [
  ['players', 'playerId'],
  ['teams', 'teamId'],
] as const
type Type = (typeof sides)[number][0]
type Asked = { type: Type; id: string; name: string }

/**
 * Finds which cards have people with a row's names, whoever else bears these names by now. A person bears a name as its own, as an
 * alias, or if an import knew the person by it, a team also by its short forms. Returns what to ask of a row and one of its cards: whether the card's people
 * bear the row's names, and whether it has a team of the row and players whose names are nearly the row's, or one with all names of the row.
 */
export const findBearers = async (
  { sql }: Database,
  pairs: Pair[],
  { pretendedCards }: Pick<Session, 'pretendedCards'>,
) => {
  const asked = new Map<string, Asked>()
  for (const { one, card } of pairs)
    for (const [type, side] of sides) {
      const ids = idsOf(card.entries, side)
      const names = namesFor(one, type, ids.length)
      for (const [at, name] of names?.entries() ?? []) {
        const id = ids[at] as string
        if (!isNamed(one, type, id, ids.length)) asked.set(keyOf(type, id, name), { type, id, name })
      }
    }
  const { born, near, several } = await readBorn(sql, [...asked.values()], (id) => pretendedCards?.playerNamed(id))
  const areAll = (one: WantedCard, card: CardRecord, [type, side]: (typeof sides)[number], is: ReadonlySet<string>) => {
    const ids = idsOf(card.entries, side)
    const names = namesFor(one, type, ids.length)
    return (
      names?.every((name, at) => {
        const id = ids[at] ?? ''
        return isNamed(one, type, id, ids.length) || is.has(keyOf(type, id, name))
      }) ?? false
    )
  }
  return {
    bears: (one: WantedCard, card: CardRecord) =>
      sides.every((side) => one.item.unsaid?.includes(side[0]) || areAll(one, card, side, born)),
    isNear: (one: WantedCard, card: CardRecord) => areAll(one, card, sides[0], near),
    resembles: (one: WantedCard, card: CardRecord) =>
      areAll(one, card, sides[0], several) ||
      (areAll(one, card, sides[0], near) && idsOf(card.entries, 'teamId').some((id) => one.people.includes(id))),
  }
}

const readBorn = async (sql: Database['sql'], asked: Asked[], pretendedName: (id: string) => string | undefined) => {
  const [born, near, several] = [new Set<string>(), new Set<string>(), new Set<string>()]
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
      if (isBorn || (type === 'teams' && isCalled(own, name))) born.add(keyOf(type, id, name))
      if (isBorn || areNear(name, own)) near.add(keyOf(type, id, name))
      if (areOne(name, own)) several.add(keyOf(type, id, name))
    }
  }
  for (const { type, id, name } of asked) {
    const own = pretendedName(id)
    if (type === 'teams' || own === undefined) continue
    if (alikeKey(own) === alikeKey(name)) born.add(keyOf(type, id, name))
    if (areNear(name, own)) near.add(keyOf(type, id, name))
    if (areOne(name, own)) several.add(keyOf(type, id, name))
  }
  return { born, near, several }
}

const keyOf = (type: Type, id: string, name: string) => `${type} ${id} ${name}`

/**
 * A row's names for some people of a card: one each, or all in one. If somebody took several people for one, a row has their names in one, or a card has
 * one for the names of a row.
 */
const namesFor = (one: WantedCard, type: Type, people: number): string[] | undefined => {
  const names = namesOf(one, type)
  const [only, ...others] = names
  if (names.length === people) return names
  if (type === 'teams' || !only || people === 0) return undefined
  if (others.length > 0) return people === 1 ? [names.join(' / ')] : undefined
  return waysToPart(only).find((parts) => parts.length === people)
}

/** Whether a row has a person of a card, and a name for each of that card's people. */
const isNamed = (one: WantedCard, type: Type, id: string, people: number) =>
  one.people.includes(id) && namesOf(one, type).length === people

/** Whether a team with a full name may be called so. */
const isCalled = (team: string, name: string) => isTeam(team, null) && bestOfTeam(name, team) !== null

/** Whether a name has the same people in it as another. */
const areOne = (name: string, other: string) => {
  const parts = name.split(' / ').map(alikeKey)
  return parts.length > 1 && waysToPart(other).some((others) => Bun.deepEquals(others.map(alikeKey), parts))
}

const namesOf = ({ item: { entries } }: WantedCard, type: Type): string[] => [
  ...new Set(entries.flatMap(({ player, team }) => (type === 'players' ? player && personName(player) : team) ?? [])),
]
