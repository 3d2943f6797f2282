import { arrayOf, arrayOfTexts } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import { numberKey } from '../../../model/card-number.ts'
import { personName } from '../../../model/person-name.ts'
import type { FirstOfName } from '../lookup-cache.ts'
import { nameOf, noteOf } from '../plan/row.ts'
import { addNote } from '../report.ts'
import type { Part } from '../run/chunk-context.ts'
import type { WantedCard } from './cards.ts'

/** How many sets are remembered. Files rarely return to one after so many others. */
const setsAtMost = 100

/**
 * Notes names that may be two people's in one set: two numbers are of two teams, also of a card that the set has already if the team is new to
 * the player, or only one of them has the years of a life. Each name is noted once for its set.
 */
export const noteNamesakes = async (db: Database, wanted: WantedCard[], part: Part) => {
  const { known, report } = part
  const open: { one: WantedCard; first: FirstOfName }[] = []
  const tell = ({ item }: WantedCard, first: FirstOfName, text: string) => {
    first.isTold = true
    addNote(report, noteOf(item, 'ambiguous-player', `${nameOf(item)}: ${text}`))
  }
  for (const one of wanted) {
    const { item, state } = one
    const [entry, ...others] = item.entries
    const [stored] = state.entries
    if (!entry?.player || !stored || others.length > 0 || item.deleted) continue
    const { disambiguation: life } = entry
    if (entry.playerId && !life) continue
    const { playerId, teamId } = stored
    const name = personName(entry.player)
    const names = namesIn(known.namedIn, state.set_id)
    const first = names.get(name) ?? { number: item.number, playerId, teamId, life, isTold: false }
    names.set(name, first)
    if (first.isTold) continue
    const isOther = first.number !== item.number
    if (isOther && (first.life === undefined) !== (life === undefined))
      tell(one, first, `${first.number} in this set is${life ? ' not' : ''} (${life ?? first.life})`)
    else if (isOther && !life && first.playerId === playerId && teamId && first.teamId && first.teamId !== teamId)
      tell(one, first, `${first.number} in this set is of another team`)
    else if (!life && teamId && known.newPairs.has(`${playerId}:${teamId}`)) open.push({ one, first })
    first.teamId ??= teamId
  }
  known.newPairs.clear()
  if (open.length === 0) return
  for (const { place, number } of await findOfOtherTeams(
    db,
    open.map(({ one }) => one),
  )) {
    const { one, first } = open[Number(place) - 1] ?? {}
    if (one && first && !first.isTold) tell(one, first, `${number} in this set is of another team`)
  }
}

const namesIn = (sets: Map<string, Map<string, FirstOfName>>, id: string) => {
  const names = sets.get(id) ?? new Map<string, FirstOfName>()
  if (!sets.has(id)) {
    for (const oldest of sets.keys()) {
      if (sets.size < setsAtMost) break
      sets.delete(oldest)
    }
    sets.set(id, names)
  }
  return names
}

/** The places of rows whose player is alone on a card of the set with another number and team, and that card's number. */
const findOfOtherTeams = ({ sql }: Database, rows: WantedCard[]) => {
  const idsOf = (side: 'playerId' | 'teamId') => arrayOf(rows.map(({ state }) => state.entries[0]?.[side] as string))
  return sql<{ place: string; number: string | null }[]>`
    select n.place, min(c.number) as number
    from unnest(${arrayOf(rows.map(({ state }) => state.set_id))}::uuid[], ${idsOf('playerId')}::uuid[], ${idsOf('teamId')}::uuid[],
      ${arrayOfTexts(rows.map(({ state }) => numberKey(state.number)))}::text[])
      with ordinality as n (set_id, player_id, team_id, number_key, place)
    join sets s on s.id = n.set_id
    join oncard o on o.player_id = n.player_id and o.set_no = s.no and o.team_id <> n.team_id
    join cards c on c.id = o.card_id and c.deleted_at is null and c.number_key <> n.number_key
    where not exists (select from oncard other where other.card_id = o.card_id and other.position <> o.position)
    group by n.place order by n.place`
}
