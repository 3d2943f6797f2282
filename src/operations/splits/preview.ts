import { Type } from '@sinclair/typebox'
import type { ChosenCards } from '../../catalog/curate/split/chosen.ts'
import { listedMost, previewSplit } from '../../catalog/curate/split/preview.ts'
import type { Context } from '../../context.ts'
import { type Call, flatForOperators, type Reply, type Route } from '../../http/route.ts'
import { invalidParameter } from '../../jsonapi/errors.ts'
import { integer, nullable, uuid } from '../../jsonapi/fields.ts'
import type { RefuseParameter } from '../../jsonapi/parameter.ts'
import { idIn, idsIn, readAsked } from '../preview-query.ts'
import { chosen, path } from './document.ts'

const choices = Type.Array(Type.Object({ id: uuid(), name: Type.String(), cards: integer(1) }), {
  maxItems: listedMost,
})

const schema = Type.Object(
  {
    player: Type.Object({
      id: uuid(),
      name: Type.String(),
      disambiguation: nullable(Type.String()),
      cards_count: integer(0),
    }),
    moves: Type.Integer({ minimum: 0, description: 'How many cards the new player would have.' }),
    cards: Type.Array(
      Type.Object({
        id: uuid(),
        name: Type.String(),
        set: Type.Object({ id: uuid(), name: Type.String() }),
        year: nullable(Type.String()),
      }),
      { maxItems: listedMost, description: `The first ${listedMost} of them.` },
    ),
    choices: Type.Object(
      { genres: choices, years: choices, sets: choices, teams: choices },
      { description: 'The values to choose the player’s cards by, with the number of cards for each.' },
    ),
  },
  { $id: 'SplitPreview' },
)

const preview = async ({ db }: Context, { url }: Call): Promise<Reply> => {
  const { playerId, cards } = readSplit(url.searchParams)
  const body = await previewSplit(db, playerId, cards)
  if (!body) throw invalidParameter('player_id', 'There is no such player.')
  return { status: 200, body }
}

type Chosen = Exclude<ChosenCards, string[]>

const readSplit = (search: URLSearchParams): { playerId: string; cards: Chosen } => {
  let playerId = ''
  const cards: Chosen = {}
  readAsked(search, { lists: ['set_ids'], required: ['player_id'] }, (name, values, refuse) => {
    if (name === 'player_id') playerId = idIn(values, refuse)
    else if (name === 'genre_id' || name === 'team_id') cards[name] = idIn(values, refuse)
    else if (name === 'year_from' || name === 'year_to') cards[name] = yearIn(values, refuse)
    else if (name === 'set_ids') cards.set_ids = idsIn(values, refuse)
    else return false
    return true
  })
  return { playerId, cards }
}

const yearIn = ([value = '']: string[], refuse: RefuseParameter) => {
  if (!/^\d{1,4}$/.test(value)) refuse('Must be a year.')
  return Number(value)
}

const { genre_id, year_from, year_to, team_id } = chosen.properties
const exampleId = '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e'
const exampleSet = { id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2f', name: '1961 Topps' }

/** What a split would do. */
export const previewRoute: Route = {
  ...flatForOperators,
  method: 'GET',
  path: `${path}/preview`,
  operationId: 'previewSplit',
  summary: 'Preview a split',
  description:
    'Lists the cards that a split with these parameters would move to the new player, and the genres, years, sets and teams to choose cards by. With only `player_id`, lists all of the player’s cards. Nothing is written.',
  query: {
    player_id: { required: true, schema: uuid(), description: 'The player to split.', example: exampleId },
    genre_id: { schema: genre_id, description: 'Only cards in sets of this genre.', example: exampleId },
    year_from: {
      schema: year_from,
      description: 'Only cards from this year or later. A season counts as its first year.',
      example: 1929,
    },
    year_to: { schema: year_to, description: 'Only cards from this year or earlier.', example: 1966 },
    set_ids: { schema: Type.Array(uuid()), description: 'Only cards in these sets.', example: [exampleSet.id] },
    team_id: { schema: team_id, description: 'Only cards that show the player with this team.', example: exampleId },
  },
  answers: {
    200: {
      description: 'The preview.',
      schema,
      example: {
        player: { id: exampleId, name: 'Frank Thomas', disambiguation: null, cards_count: 212 },
        moves: 1,
        cards: [{ id: exampleId, name: '382 Frank Thomas', set: exampleSet, year: '1961' }],
        choices: { genres: [], years: [], sets: [{ ...exampleSet, cards: 1 }], teams: [] },
      },
    },
  },
  refusals: [400],
  handle: preview,
}
