import { post, remove } from '../../kit/api.ts'
import type { One, Resource } from '../../kit/documents.ts'
import { sayCount, sayGiven } from '../../kit/format.ts'
import type { RecordType } from '../../kit/records.tsx'

type Side = { id: string; name: string; aliases: string[]; cards_count: number }

/** The API's preview of a merge. */
export type Preview = {
  into: Side
  from: Side[]
  moves: { cards: number; sets: number; player_teams: number; attached: number }
  becomes_one: { cards: number; player_teams: number; entries: number }
  aliases: string[]
}

/** Records of one type to merge into another one of them. */
export type Merging = { type: RecordType; from: string[]; into: string }

/** The path of a merge's preview. */
export const previewOf = ({ type, from, into }: Merging) =>
  `/internal/merges/preview?${new URLSearchParams({ object_type: type, from_ids: from.join(), into_id: into })}`

/** Merges records. Returns the id of the merge. */
export const merge = async ({ type, from, into }: Merging, note?: string): Promise<string> => {
  const body = { object_type: type, from_ids: from, into_id: into, ...(note ? { note } : {}) }
  return (await post<One<Resource>>('/internal/merges', body, { flat: true })).data.id
}

export const undoMerge = (id: string) => remove(`/internal/merges/${id}`)

/** What a merge would do, in words. */
export const MergePreview = ({ preview }: { preview: Preview }) => (
  <ul class="merge-preview">
    {linesOf(preview).map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
)

const linesOf = ({ into, from, moves, becomes_one: one, aliases }: Preview) => {
  const names = from.map(({ name }) => sayGiven(name)).join(', ')
  const target = sayGiven(into.name)
  return [
    `${names} ${from.length === 1 ? 'becomes' : 'become'} ${target}.`,
    sayMoves(moves),
    one.cards > 0 && `${sayCount(one.cards, 'card')} that both have ${one.cards === 1 ? 'becomes' : 'become'} one.`,
    one.player_teams > 0 &&
      `${sayCount(one.player_teams, 'player-team')} that both have ${one.player_teams === 1 ? 'becomes' : 'become'} one.`,
    one.entries > 0 &&
      `${sayCount(one.entries, 'card')} that ${one.entries === 1 ? 'names' : 'name'} both will name ${target} once.`,
    aliases.length > 0 && `${sayAliases(aliases)} of ${target}. Searches and imports find it by ${pronoun(aliases)}.`,
    `${from.length === 1 ? 'Its old URL redirects' : 'Their old URLs redirect'} to ${target}.`,
  ].filter((line) => line !== false)
}

const sayMoves = ({ cards, sets, player_teams, attached }: Preview['moves']) => {
  const moved = [
    cards > 0 && sayCount(cards, 'card'),
    sets > 0 && sayCount(sets, 'set'),
    player_teams > 0 && sayCount(player_teams, 'player-team'),
    attached > 0 && sayCount(attached, 'image, source, value or identifier', 'images, sources, values or identifiers'),
  ].filter((one) => one !== false)
  const isOne = moved.length === 1 && cards + sets + player_teams + attached === 1
  return moved.length > 0 ? `${moved.join(' and ')} ${isOne ? 'moves' : 'move'} to it.` : 'Nothing refers to it yet.'
}

const sayAliases = (aliases: string[]) =>
  `${aliases.map((alias) => `“${alias}”`).join(', ')} ${aliases.length === 1 ? 'becomes an alias' : 'become aliases'}`

const pronoun = ({ length }: string[]) => (length === 1 ? 'that name' : 'those names')
