import { arrayOf } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import { counted } from '../../../../lib/counted.ts'
import type { Part } from '../run/chunk-context.ts'

type Called = {
  id: string
  name: string
  above: string | null
  year: string | null
  genre: string | null
  cards: number
}

/**
 * How a report calls sets, in a dry run also those that it would make: by name, parent, year, sport, number of cards and id. An id that no set
 * has stands for itself.
 */
export const callSets = async (
  { sql }: Pick<Database, 'sql'>,
  ids: string[],
  { known, session: { pretendedCards, pretendedNames } }: Part,
): Promise<(id: string) => string> => {
  if (ids.length === 0) return (id) => id
  const pretended = [...known.pretendedSets.values()].flat().filter(({ id }) => ids.includes(id))
  const moved = ids.flatMap((id) => known.pretendedChanges.get(id) ?? [])
  const all = new Set([...ids, ...[...pretended, ...moved].flatMap(({ parent_id }) => parent_id ?? [])])
  const stored = await sql<Called[]>`
    select s.id, s.name, p.name as above, s.year_key as year, g.name as genre, s.live_cards as cards
    from sets s left join sets p on p.id = s.parent_id left join genres g on g.id = s.genre_id
    where s.id = any(${arrayOf([...all])}::uuid[])`
  const nameOf = (id: string) => pretendedNames.get(id) ?? stored.find((set) => set.id === id)?.name ?? null
  const made = pretended.map(({ id, name, year, genre, parent_id }): Called => {
    const above = parent_id && nameOf(parent_id)
    return { ...{ id, name, year, genre, above }, cards: 0 }
  })
  const changed = stored.map((set) => {
    const change = known.pretendedChanges.get(set.id)
    if (!change) return set
    const { name, year = set.year, genre = set.genre, parent_id } = change
    return { ...set, name, year, genre, above: parent_id && nameOf(parent_id) }
  })
  const byId = new Map([...changed, ...made].map((set) => [set.id, set]))
  return (id) => {
    const set = byId.get(id)
    if (!set) return id
    const cards = counted(set.cards + (pretendedCards?.newIn(id) ?? 0), 'card')
    const facts = [set.year, set.genre, cards, id].filter((fact) => fact !== null)
    return `${set.above ? `${set.above}: ` : ''}${set.name} (${facts.join(', ')})`
  }
}
