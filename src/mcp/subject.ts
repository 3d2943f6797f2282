import { Type } from '@sinclair/typebox'
import { findSetsOf, yearsOf } from '../catalog/list/grouped/by-year.ts'
import { integer } from '../jsonapi/fields.ts'
import { identifiersIn } from './card.ts'
import { followMerged, includedIn, type Many, type One, pageAddress, type Reader, relatedTo } from './reader.ts'
import { identifiers, named, only, textOrNull, years } from './schema.ts'

const shared = {
  id: Type.String(),
  name: Type.String(),
  aliases: Type.Array(Type.String()),
  identifiers: identifiers(),
  cards_count: integer(0),
  years: { ...years(), description: 'Of the first 20,000 cards, oldest year first.' },
  url: Type.String({ description: 'The page with the cards.' }),
}

/** A player. */
export const wholePlayer = () =>
  only({
    ...shared,
    position: textOrNull(),
    disambiguation: { ...textOrNull(), description: 'Tells players of one name apart.' },
    born_on: textOrNull(),
    teams: Type.Array(named(), { description: 'Teams that the player is on cards with, the first 100.' }),
  })

type PlayerAttributes = {
  name: string
  aliases: string[]
  position: string | null
  disambiguation: string | null
  born_on: string | null
}

/** A player by the id. */
export const getPlayer = (reader: Reader, id: string) =>
  followMerged(reader, 'player', id, async (id) => {
    const [{ data, included }, pairs, cards] = await Promise.all([
      reader.read<One<PlayerAttributes>>(`/v2/players/${id}`, { include: 'identifiers' }),
      reader.read<Many>('/v2/player-teams', { 'filter[player]': id, include: 'team', 'page[size]': '100' }),
      cardsOf(reader, 'player', id),
    ])
    const find = includedIn(pairs.included)
    const teams = pairs.data.flatMap((pair) => relatedTo(pair, 'team').flatMap((team) => find(team) ?? []))
    const { name, aliases, position, disambiguation, born_on } = data.attributes
    return {
      id: data.id,
      name,
      aliases,
      position,
      disambiguation,
      born_on,
      identifiers: identifiersIn(included ?? []),
      teams: teams.map(({ id, attributes }) => ({ id, name: String(attributes.name) })),
      ...cards,
      url: pageAddress(reader, 'players', id),
    }
  })

type TeamAttributes = { name: string; aliases: string[]; location: string | null; abbreviation: string | null }

/** A team by the id. */
export const getTeam = (reader: Reader, id: string) =>
  followMerged(reader, 'team', id, async (id) => {
    const [{ data, included }, cards] = await Promise.all([
      reader.read<One<TeamAttributes>>(`/v2/teams/${id}`, { include: 'identifiers' }),
      cardsOf(reader, 'team', id),
    ])
    const { name, aliases, location, abbreviation } = data.attributes
    return {
      id: data.id,
      name,
      aliases,
      location,
      abbreviation,
      identifiers: identifiersIn(included ?? []),
      ...cards,
      url: pageAddress(reader, 'teams', id),
    }
  })

/** How many cards a subject is on, in all and by year. */
const cardsOf = async ({ context, level }: Reader, kind: 'player' | 'team', id: string) => {
  const { sets, total } = await findSetsOf(context.db.heavy, { kind, id }, level)
  return { cards_count: total, years: yearsOf(sets).map(({ year, cards }) => ({ year, cards_count: cards })) }
}
