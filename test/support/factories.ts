import type { Shown } from './answer.ts'
import type { TestApp } from './app.ts'
import type { Client } from './callers.ts'

type Values = Record<string, unknown>
type Reference = Pick<Shown, 'type' | 'id'>

/** All numbers have the same length, so that names sort in the order in which they were made, whatever ran before. */
let made = 100_000

/** A name that no other record in the test has, and that sorts after earlier ones with the same noun. */
export const aName = (noun: string) => `${noun} ${++made}`

/** A document that creates a record or, with an id, changes one. */
export const aDocument = (type: string, attributes: Values = {}, relationships: Values = {}, id?: unknown) => ({
  data: { type, ...(id === undefined ? {} : { id }), attributes, relationships },
})

/** A relationship to a record, to several, or to none. */
export const toOne = (record: Reference | null) => ({ data: record && { type: record.type, id: record.id } })
export const toMany = (records: Reference[]) => ({ data: records.map(({ type, id }) => ({ type, id })) })

type SetValues = Values & {
  parent?: Shown | null
  genre?: Shown
  year?: Shown
  brand?: Shown
  manufacturer?: Shown
}
type CardValues = Values & { id?: string; set?: Shown; oncard?: Shown[]; attributes?: Shown[] }

/** Creates records through the API as an operator. A test passes what it cares about, and the factory makes up the rest. */
export const factories = ({ operator }: Pick<TestApp, 'operator'>) => {
  const create = async (path: string, type: string, attributes: Values, relationships?: Values, id?: string) =>
    made201(operator, `/v1/${path}`, aDocument(type, attributes, relationships, id))
  const named =
    (type: string, noun: string) =>
    (values: Values = {}) =>
      create(type, type, { name: aName(noun), ...values })
  const set = ({ parent, genre, year, brand, manufacturer, ...values }: SetValues = {}) => {
    const references = Object.entries({ parent, genre, year, brand, manufacturer })
    const relationships = references.flatMap(([name, record]) => (record ? [[name, toOne(record)]] : []))
    return create('sets', 'sets', { name: aName('Set'), ...values }, Object.fromEntries(relationships))
  }
  const card = async ({ id, set: given, oncard = [], attributes = [], ...values }: CardValues = {}) => {
    const relationships = {
      set: toOne(given ?? (await set())),
      oncard: toMany(oncard),
      attributes: toMany(attributes),
    }
    return create('cards', 'cards', values, relationships, id)
  }
  const player = (values: Values = {}) =>
    create('players', 'players', { first_name: 'Pat', last_name: aName('Player'), ...values })
  const team = named('teams', 'Team')
  const attribute = (values: Values = {}) =>
    create('attributes', 'attributes', { attribute: aName('A'), name: aName('Attribute'), ...values })
  return {
    attribute,
    brand: named('brands', 'Brand'),
    manufacturer: named('manufacturers', 'Manufacturer'),
    genre: named('genres', 'Genre'),
    year: named('years', 'Year'),
    team,
    player,
    playerTeam: async (pair: { player?: Shown; team?: Shown } = {}) =>
      create('player-teams', 'playerteams', {
        player_id: (pair.player ?? (await player())).id,
        team_id: (pair.team ?? (await team())).id,
      }),
    set,
    card,
    objectAttribute: async (object: Shown, values: Values = {}) =>
      create('object-attributes', 'object-attributes', {
        attribute_id: values.attribute_id ?? (await attribute()).id,
        attribute_value: 'PSA 10',
        object_type: object.type.slice(0, -1),
        object_id: object.id,
        ...values,
      }),
    setSource: (owner: Shown, values: Values = {}) =>
      create('set-sources', 'set_sources', { set_id: owner.id, source_url: 'https://example.org/list', ...values }),
    identifier: (object: Reference, values: Values = {}) =>
      made201(
        operator,
        '/v2/identifiers',
        aDocument('identifiers', {
          ...{ object_type: object.type, object_id: object.id, source: 'tcdb', value: aName('id') },
          ...values,
        }),
      ),
  }
}

const made201 = async (operator: Client, path: string, document: unknown): Promise<Shown> => {
  const answer = await operator.post(path, document)
  if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status} ${answer.text}`)
  return answer.one
}

/** Gives a set another status, as an operator. */
export const setStatus = async ({ operator }: Pick<TestApp, 'operator'>, set: Shown, status: 'draft' | 'published') => {
  const answer = await operator.patch(`/v1/sets/${set.id}`, aDocument('sets', { status }, {}, set.id))
  if (answer.status !== 200) throw new Error(`${status} answered ${answer.status} ${answer.text}`)
}
