import type { Answer, Shown } from './answer.ts'
import type { Client } from './callers.ts'
import { aDocument, aName, factories, toMany, toOne } from './factories.ts'

/** The result of one request in a storm. */
export type Blow = { kind: string; status: number; text: string; milliseconds: number }

/** Numbers that look random, the same for the same seed. */
const dice = (seed: number) => {
  let state = seed
  return (sides: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % sides
  }
}

const many = <T>(count: number, make: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)))

const atomic = { 'Content-Type': 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"' }

/** A request of several operations. */
export const operate = ({ post }: Client, operations: object[]) =>
  post('/v2/operations', { 'atomic:operations': operations }, { ...atomic, Accept: atomic['Content-Type'] })

/**
 * Creates fifty records, and in the background cards with the players among them. Returns a writer for a seed, which writes
 * these records with operations, PATCH, relationships, batches and renames, one request after the other, while `goesOn`.
 */
export const storm = async (operator: Client) => {
  const make = factories({ operator })
  const [sets, players, teams] = [
    await many(12, () => make.set()),
    await many(8, () => make.player()),
    await many(5, () => make.team()),
  ]
  const [codes, brands, years] = [
    await many(3, () => make.attribute()),
    await many(2, () => make.brand()),
    await many(2, () => make.year()),
  ]
  const pairs = await many(3, (n) => make.playerTeam({ player: players[n] as Shown, team: teams[n] as Shown }))
  const cards = await many(15, (n) =>
    make.card({
      set: sets[n % 12] as Shown,
      oncard: [players[n % 8], pairs[n % 3]] as Shown[],
      attributes: [codes[n % 3] as Shown],
    }),
  )
  const row = (id: string, set: Shown, oncard: Shown[], number: string) => ({
    ...{ type: 'cards', id, attributes: { number } },
    relationships: { set: toOne(set), oncard: toMany(oncard) },
  })
  const batch = (by: Client, data: object[], propagate = false) =>
    by.post('/internal/card-batches', { data, meta: { propagate } })
  const background = Array.from({ length: 300 }, (_, n) =>
    row(Bun.randomUUIDv7(), sets[n % 12] as Shown, [players[n % 8], teams[n % 5]] as Shown[], String(n % 40)),
  )
  for (let at = 0; at < background.length; at += 100) await batch(operator, background.slice(at, at + 100))

  /** Posts a pair as it was at first, which restores it if it was deleted. */
  const postAgain = (by: Client, { attributes }: Shown) =>
    by.post(
      '/v1/player-teams',
      aDocument('playerteams', { player_id: attributes.player_id, team_id: attributes.team_id }),
    )

  return async (writer: Client, seed: number, goesOn: () => boolean): Promise<Blow[]> => {
    const roll = dice(seed)
    const one = <T>(list: T[]) => list[roll(list.length)] as T
    const some = (list: Shown[], most: number) => [...new Set(Array.from({ length: roll(most + 1) }, () => one(list)))]
    const bearers = () => some([...players, ...teams, ...pairs], 4)
    const update = (record: Shown, attributes: object, relationships: object = {}) => ({
      op: 'update',
      data: { type: record.type, id: record.id, attributes, relationships },
    })
    const operations: (() => object)[] = [
      () => update(one(teams), { location: aName('Town') }),
      () => update(one(teams), { name: aName('Team') }),
      () => update(one(players), { last_name: aName('Player') }),
      () => update(one(sets), { description: aName('Words') }, { brand: toOne(one(brands)), year: toOne(one(years)) }),
      () => update(one(sets), { status: one(['draft', 'published']) }),
      () => update(one(cards), { title: aName('Title') }, { set: toOne(one(sets)), oncard: toMany(bearers()) }),
      () => update(one(cards), { number: String(roll(40)) }, { card_attributes: toMany(some(codes, 3)) }),
      () => update(one(codes), { color: `#${100_000 + roll(900_000)}` }),
      () => ({
        op: 'add',
        data: {
          type: 'cards',
          attributes: { number: String(roll(40)) },
          relationships: { set: toOne(one(sets)), oncard: toMany(bearers()) },
        },
      }),
      () => ({
        op: 'add',
        data: {
          type: 'sets',
          attributes: { name: aName('Set') },
          relationships: { brand: toOne(one(brands)), parent: toOne(one(sets)) },
        },
      }),
      () => ({
        op: 'add',
        ref: { type: 'cards', id: one(cards).id, relationship: 'oncard' },
        data: toMany(bearers()).data,
      }),
      () => ({
        op: 'update',
        ref: { type: 'sets', id: one(sets).id, relationship: 'year' },
        data: toOne(one([...years, null])).data,
      }),
      () => update(one(brands), { description: aName('Words') }),
      () => ({ op: 'remove', ref: { type: 'playerteams', id: one(pairs).id } }),
    ]
    const patch = (path: string, { type, id }: Shown, attributes: object, relationships: object = {}) =>
      writer.patch(`/v1/${path}/${id}`, aDocument(type, { ...attributes }, { ...relationships }, id))
    const members = (name: 'oncard' | 'card_attributes') => ({
      path: `/v2/cards/${one(cards).id}/relationships/${name}`,
      document: toMany(name === 'oncard' ? bearers() : some(codes, 3)),
    })
    const kinds: [kind: string, write: () => Promise<Answer>][] = [
      [
        'operations',
        () =>
          operate(
            writer,
            Array.from({ length: 2 + roll(6) }, () => one(operations)()),
          ),
      ],
      [
        'operations',
        () =>
          operate(
            writer,
            Array.from({ length: 2 + roll(6) }, () => one(operations)()),
          ),
      ],
      [
        'patch',
        () =>
          patch(
            'sets',
            one(sets),
            { status: one(['draft', 'published']) },
            { brand: toOne(one(brands)), year: toOne(one([...years, null])) },
          ),
      ],
      [
        'patch',
        () =>
          patch('cards', one(cards), { title: aName('Title') }, { set: toOne(one(sets)), oncard: toMany(bearers()) }),
      ],
      ['patch', () => patch('player-teams', one(pairs), { team_id: one(teams).id })],
      ['pair', () => writer.delete(`/v1/player-teams/${one(pairs).id}`)],
      ['pair', () => postAgain(writer, one(pairs))],
      ['pair', () => postAgain(writer, one(pairs))],
      ['patch', () => patch('years', one(years), { name: aName('Year') })],
      [
        'relationship',
        () => {
          const { path, document } = members('oncard')
          return writer.patch(path, document)
        },
      ],
      [
        'relationship',
        () => {
          const { path, document } = members(one(['oncard', 'card_attributes']))
          return writer.post(path, document)
        },
      ],
      [
        'relationship',
        () => {
          const { path, document } = members('card_attributes')
          return writer.send('DELETE', path, {
            body: JSON.stringify(document),
            headers: { 'Content-Type': 'application/vnd.api+json' },
          })
        },
      ],
      [
        'batch',
        () =>
          batch(
            writer,
            Array.from({ length: 1 + roll(12) }, () =>
              row(one([...cards, ...background]).id, one(sets), bearers(), String(roll(40))),
            ),
            roll(4) === 0,
          ),
      ],
      ['rename', () => patch('players', one(players), { last_name: aName('Player') })],
      ['rename', () => patch('teams', one(teams), { name: aName('Team') })],
      ['rename', () => patch('attributes', one(codes), { attribute: aName('C') })],
    ]
    const blows: Blow[] = []
    while (goesOn()) {
      const [kind, write] = one(kinds)
      const started = performance.now()
      const { status, text } = await write()
      blows.push({ kind, status, text, milliseconds: performance.now() - started })
    }
    return blows
  }
}
