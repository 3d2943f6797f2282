import type { Resource } from '../../src/catalog/model/resource.ts'
import type { TestApp } from './app.ts'
import { aName, factories } from './factories.ts'
import type { World } from './worlds.ts'

/** The resource object of a document that creates a record. */
export type Draft = {
  type: string
  id?: unknown
  attributes?: Record<string, unknown>
  relationships?: Record<string, unknown>
}

/** Makes, for each type that documents create, a valid document with every field and relationship. */
export const goodDocuments = (app: TestApp, world: World): Record<string, () => Draft | Promise<Draft>> => {
  const make = factories(app)
  const identifier = (type: keyof World) => ({ type, id: world[type].id })
  return {
    attributes: () => ({
      type: 'attributes',
      attributes: { attribute: aName('a'), name: 'Rookie', description: null, color: '#fff' },
    }),
    brands: () => ({ type: 'brands', attributes: { name: aName('Brand'), description: 'A label' } }),
    manufacturers: () => ({ type: 'manufacturers', attributes: { name: aName('Maker'), description: null } }),
    genres: () => ({ type: 'genres', attributes: { name: aName('Genre'), description: null } }),
    years: () => ({ type: 'years', attributes: { name: aName('1986-87'), parent_year: world.years.id } }),
    teams: () => ({ type: 'teams', attributes: { name: 'Bulls', location: 'Chicago', abbreviation: 'CHI' } }),
    players: () => ({
      type: 'players',
      attributes: { first_name: 'Michael', last_name: 'Jordan', position: 'SG' },
    }),
    sets: () => ({
      type: 'sets',
      attributes: {
        ...{ name: 'Fleer', description: null, status: 'draft', kind: 'insert', release_date: '1986-11-01' },
        ...{ genre_id: world.genres.id, year_id: world.years.id, brand_id: world.brands.id },
        ...{ manufacturer_id: world.manufacturers.id, parent_id: world.sets.id },
      },
      relationships: {
        ...{ genre: { data: identifier('genres') }, year: { data: identifier('years') }, brand: { data: null } },
        ...{ manufacturer: { data: identifier('manufacturers') }, parent: { data: identifier('sets') } },
      },
    }),
    cards: () => ({
      type: 'cards',
      id: crypto.randomUUID(),
      attributes: { number: '57', serial_number: '/25', image_uuid: world.card_images.id, title: 'Air', notes: null },
      relationships: {
        set: { data: identifier('sets') },
        oncard: { data: [identifier('players'), identifier('teams'), identifier('playerteams')] },
        attributes: { data: [identifier('attributes')] },
      },
    }),
    playerteams: async () => ({
      type: 'playerteams',
      attributes: { player_id: (await make.player()).id, team_id: world.teams.id },
    }),
    'object-attributes': async () => ({
      type: 'object-attributes',
      attributes: {
        ...{ attribute_id: (await make.attribute()).id, attribute_value: 'PSA 10' },
        ...{ object_type: 'card', object_id: world.cards.id },
      },
    }),
    set_sources: () => ({
      type: 'set_sources',
      attributes: { set_id: world.sets.id, source_url: 'https://example.org/a', title: 'A list', notes: null },
    }),
    identifiers: () => ({
      type: 'identifiers',
      attributes: { object_type: 'cards', object_id: world.cards.id, source: 'tcdb', value: aName('id') },
    }),
  }
}

const aliases = { aliases: ['Air', 'MJ'] }

/** The attributes that only /v2 accepts, by type. */
const moreInV2: Record<string, object> = {
  ...{ brands: aliases, manufacturers: aliases, genres: aliases, years: aliases, teams: aliases, sets: aliases },
  players: { ...aliases, disambiguation: 'guard', born_on: '1963-02-17' },
}

/** A resource's valid document, as its version of the API accepts it. */
export const goodDocumentOf = async (
  good: ReturnType<typeof goodDocuments>,
  { type, api }: Pick<Resource, 'type' | 'api'>,
): Promise<Draft> => {
  const draft = await (good[type] as () => Draft | Promise<Draft>)()
  return api ? { ...draft, attributes: { ...draft.attributes, ...moreInV2[type] } } : draft
}
