import { Fragment } from 'preact'
import type { Identifier, Resource } from '../../kit/documents.ts'
import { at } from '../../kit/settings.ts'
import type { Field, InputProps } from '../fields.tsx'
import type { Known } from '../record.ts'
import { CodesInput, Pick } from './pick.tsx'
import { type Picked, settle, settleCodes, settlePair } from './vocabulary.ts'

/** Who is on a card in one position: a player, a team, or a player with a team. `as` is how the record refers to them. */
type Person = { player: Picked; team: Picked; as?: Identifier }

const nobody = { text: '' }

const pickedOf = (data: unknown, included: Resource[]): Picked => {
  const { id } = (data ?? {}) as Partial<Identifier>
  const found = id ? included.find((one) => one.id === id) : undefined
  return found ? { text: String(found.attributes.name), id } : nobody
}

const manyOf = ({ record }: Known, name: string) => [record.relationships?.[name]?.data ?? []].flat()

const personOf = (as: Identifier, included: Resource[]): Person => {
  if (as.type === 'players') return { player: pickedOf(as, included), team: nobody, as }
  if (as.type === 'teams') return { player: nobody, team: pickedOf(as, included), as }
  const { player, team } = included.find(({ id }) => id === as.id)?.relationships ?? {}
  return { player: pickedOf(player?.data, included), team: pickedOf(team?.data, included), as }
}

/** How a record refers to a person. New players and teams are created first. Undefined if nobody is named. */
export const settlePerson = async ({ player, team, as }: Person): Promise<Identifier | undefined> => {
  if (as) return as
  const playerId = await settle('players', player)
  const teamId = await settle('teams', team)
  if (playerId && teamId) return settlePair(playerId, teamId)
  if (playerId) return { type: 'players', id: playerId }
  return teamId ? { type: 'teams', id: teamId } : undefined
}

/** The players and teams on a card, in their order. */
export const people: Field<Person[]> = {
  name: 'oncard',
  label: 'On the card',
  read: (known) => manyOf(known, 'oncard').map((one) => personOf(one, known.included)),
  write: async (persons) => {
    const data: Identifier[] = []
    for (const person of persons) {
      const settled = await settlePerson(person)
      if (settled) data.push(settled)
    }
    return { relationships: { oncard: { data } } }
  },
  show: (persons) =>
    persons.length > 0 && (
      <span class="on">
        {persons.map(({ player, team }, place) => (
          <Fragment key={place}>
            {place > 0 && ' / '}
            {player.id ? <a href={at(`/players/${player.id}`)}>{player.text}</a> : player.text}
            {player.text && team.text && ' '}
            {team.id ? <a href={at(`/teams/${team.id}`)}>{team.text}</a> : team.text}
          </Fragment>
        ))}
      </span>
    ),
  Input: (props) => <PeopleInput {...props} />,
}

const PeopleInput = ({ id, value, onChange, ...described }: InputProps<Person[]>) => {
  const rows = value.length > 0 ? value : [{ player: nobody, team: nobody }]
  const change = (place: number, next: Partial<Person>) =>
    onChange(rows.map((row, at) => (at === place ? { player: row.player, team: row.team, ...next } : row)))
  return (
    <span class="people">
      {rows.map(({ player, team }, place) => (
        <span key={place} class="person">
          <Pick
            {...{ id: place === 0 ? id : `${id}-player-${place}`, type: 'players', name: 'player' }}
            {...{ label: place === 0 ? 'Player' : `Player ${place + 1}`, value: player, ...described }}
            onChange={(next) => change(place, { player: next })}
          />
          <Pick
            {...{ id: `${id}-team-${place}`, type: 'teams', name: 'team' }}
            {...{ label: place === 0 ? 'Team' : `Team ${place + 1}`, value: team, ...described }}
            onChange={(next) => change(place, { team: next })}
          />
          <button
            type="button"
            class="small"
            aria-label={`Take ${player.text || team.text || 'this one'} off the card`}
            onClick={() => onChange(rows.filter((_, at) => at !== place))}
          >
            ✕
          </button>
        </span>
      ))}
      <button type="button" class="link" onClick={() => onChange([...rows, { player: nobody, team: nobody }])}>
        Add another
      </button>
    </span>
  )
}

/** The codes on a card, such as RC, separated by commas. */
export const codes: Field<string> = {
  name: 'codes',
  label: 'Codes',
  show: (value) => value,
  read: (known) =>
    manyOf(known, 'card_attributes')
      .flatMap(({ id }) => known.included.find((one) => one.id === id)?.attributes.attribute ?? [])
      .join(', '),
  write: async (value) => ({ relationships: { card_attributes: { data: await settleCodes(value) } } }),
  Input: (input) => (
    <>
      <CodesInput {...input} name="codes" aria-describedby={`${input.id}-hint ${input['aria-describedby'] ?? ''}`} />
      <p class="hint" id={`${input.id}-hint`}>
        Separate them with commas: RC, AU.
      </p>
    </>
  ),
}
