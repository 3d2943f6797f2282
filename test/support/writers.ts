import type { Answer, Shown } from './answer.ts'
import type { TestApp } from './app.ts'
import { aDocument, aName, factories, toMany, toOne } from './factories.ts'

/** Numbers that look random and are the same in every run, unlike how the writers interleave. */
const dice = (seed: number) => {
  let state = seed
  return (sides: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % sides
  }
}

/**
 * Creates a few records of each type, and returns a writer that makes `operationsEach` changes to them: publishes, moves,
 * renames, re-pairs, deletes, attaches. The same seed gives the same operations.
 */
export const writers = async (app: TestApp, operationsEach: number) => {
  const make = factories(app)
  const { operator } = app
  const few = <T>(makeOne: () => Promise<T>) => Promise.all([makeOne(), makeOne(), makeOne()])
  const [sets, players, teams, codes] = [
    await few(make.set),
    await few(make.player),
    await few(make.team),
    await few(make.attribute),
  ]
  const [brands, years] = [await few(make.brand), await few(make.year)]
  const makers = new Map<Shown[], () => Promise<Shown>>([
    ...([
      [sets, make.set],
      [players, make.player],
      [teams, make.team],
    ] as const),
    ...([
      [codes, make.attribute],
      [brands, make.brand],
      [years, make.year],
    ] as const),
  ])
  const pairs = await Promise.all(players.map((player, n) => make.playerTeam({ player, team: teams[n] as Shown })))
  const cards = await Promise.all(
    sets.flatMap((set) => [0, 1].map(() => make.card({ set, oncard: pairs, attributes: codes }))),
  )
  const parallels = await Promise.all([0, 1].map(() => make.set({ parent: sets[0], kind: 'parallel' })))
  const propagate = (set: Shown, card: Shown) =>
    operator.post('/internal/card-batches', {
      data: [{ ...{ type: 'cards', id: card.id }, relationships: { set: toOne(set) } }],
      meta: { propagate: true },
    })
  for (const [n, card] of cards.slice(0, 4).entries()) await propagate(sets[n > 1 ? 1 : 0] as Shown, card)
  const made = await operator.get(`/v2/cards?filter[parent]=${cards.map(({ id }) => id).join(',')}`)
  cards.push(...made.many)
  sets.push(...parallels)

  return async (seed: number) => {
    const roll = dice(seed)
    const one = <T>(list: T[]) => list[roll(list.length)] as T
    const some = (list: Shown[]) => list.filter(() => roll(2) === 0)
    const patch = ({ type, id }: Shown, attributes: object, relationships: object = {}) =>
      operator.patch(`/v1/${pathOf(type)}/${id}`, aDocument(type, { ...attributes }, { ...relationships }, id))
    const post = (type: string, attributes: object, relationships: object = {}) =>
      operator.post(`/v1/${pathOf(type)}`, aDocument(type, { ...attributes }, { ...relationships }))
    const remove = ({ type, id }: Shown) => operator.delete(`/v1/${pathOf(type)}/${id}`)
    /** Deletes one record of a list. If that works, another takes its place, so that the storm continues. */
    const replace = async (list: Shown[]) => {
      const at = roll(list.length)
      const answer = await remove(list[at] as Shown)
      if (answer.status === 204) list[at] = await (makers.get(list) as typeof make.set)()
      return answer
    }
    const bearing = () => ({
      oncard: toMany(some([...players, ...teams, ...pairs])),
      attributes: toMany(some(codes)),
    })
    const operations: (() => Promise<Answer>)[] = [
      () => patch(one(sets), { status: one(['draft', 'published']) }),
      () =>
        patch(
          one(sets),
          { status: one(['draft', 'published']) },
          { brand: toOne(one(brands)), year: toOne(one(years)) },
        ),
      () => post('cards', { number: String(roll(30)) }, { set: toOne(one(sets)), ...bearing() }),
      () => patch(one(cards), { title: aName('Title') }, { set: toOne(one(sets)), ...bearing() }),
      () => patch(one(cards), {}, bearing()),
      () => remove(one(cards)),
      () => propagate(one(sets), one(cards)),
      () => replace(one([players, teams, brands, years, codes])),
      () => patch(one(players), { last_name: aName('Player') }),
      () => patch(one(teams), { name: aName('Team') }),
      () => patch(one(codes), { attribute: aName('C') }),
      () => patch(one(years), { name: aName('Year') }),
      () => patch(one(pairs), { team_id: one(teams).id }),
      () => remove(one(pairs)),
      () => post('playerteams', { player_id: one(players).id, team_id: one(teams).id }),
      () => patch(one(sets), {}, { parent: toOne(one([...sets, null])) }),
      () => replace(sets),
      () => post('object-attributes', valueOn(one([...cards, ...players, ...sets, ...teams]), one(codes))),
      () => post('set_sources', { set_id: one(sets).id, source_url: 'https://example.org' }),
      () => operator.get('/v1/cards?include=set,oncard,attributes'),
      () => operator.get('/v1/sets?scope=all&include=children,brand'),
    ]
    const answers: Answer[] = []
    for (let n = 0; n < operationsEach; n++) {
      const answer = await one(operations)()
      answers.push(answer)
      if (answer.status !== 201 || answer.headers.get('location')?.includes('/cards/') !== true) continue
      cards[roll(cards.length)] = answer.one
    }
    return answers
  }
}

const pathOf = (type: string) => ({ playerteams: 'player-teams', set_sources: 'set-sources' })[type] ?? type

const valueOn = (object: Shown, { id }: Shown) => ({
  ...{ attribute_id: id, attribute_value: 'x', object_type: object.type.slice(0, -1), object_id: object.id },
})
