import { expect, test } from 'bun:test'
import type { Shown } from '../../support/answer.ts'
import { type TestApp, testApp, testBaseUrl } from '../../support/app.ts'
import { concurrentDatabase } from '../../support/database.ts'
import { aDocument, aName, factories, toMany, toOne } from '../../support/factories.ts'

const database = await concurrentDatabase('walks of lists that are written to')

const writersAtOnce = 4
const walkersAtOnce = 6
const walksEach = 12

const dice = (seed: number) => {
  let state = seed
  return (sides: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % sides
  }
}

/** Records that nobody touches, among others that come, change and go. */
const aWorldInMotion = async (app: TestApp) => {
  const make = factories(app)
  const genre = await make.genre()
  const sets = [await make.set({ genre, status: 'published' }), await make.set({ genre }), await make.set({ genre })]
  const [stays, moves] = [await make.player(), await make.player()]
  const code = await make.attribute()
  const cards = (count: number, name: string) =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        make.card({
          ...{ set: sets[n % 3], number: n % 7 === 0 ? null : String(n % 9), title: `${name} ${n}` },
          ...{ serial_number: '/25', oncard: [stays], attributes: [code] },
        }),
      ),
    )
  return { genre, sets, stays, moves, code, staying: await cards(40, 'Stays'), others: await cards(30, 'Moves') }
}

type World = Awaited<ReturnType<typeof aWorldInMotion>>

/** Writes at random to everything but what stays, until it is told to stop. */
const write = async ({ operator }: TestApp, world: World, seed: number, goesOn: () => boolean) => {
  const roll = dice(seed)
  const { sets, stays, moves, code, others } = world
  const one = <T>(list: T[]) => list[roll(list.length)] as T
  const aCard = () =>
    aDocument(
      'cards',
      { number: String(roll(12)), title: aName('Comes') },
      { set: toOne(one(sets)), oncard: toMany([stays, moves].slice(roll(2))), attributes: toMany([code]) },
    )
  const replace = async () => {
    const at = roll(others.length)
    const gone = others[at] as Shown
    const made = await operator.post('/v2/cards', aCard())
    if (made.status === 201) others[at] = made.one
    return operator.delete(`/v2/cards/${gone.id}`)
  }
  const change = () => {
    const { id } = one(others)
    return operator.patch(`/v2/cards/${id}`, {
      data: { ...aCard().data, id, relationships: { set: toOne(one(sets)) } },
    })
  }
  const rename = () =>
    operator.patch(`/v2/players/${moves.id}`, aDocument('players', { last_name: aName('New') }, {}, moves.id))
  const addSet = async () => {
    const made = await operator.post(
      '/v2/sets',
      aDocument('sets', { name: aName('Comes') }, { genre: toOne(world.genre) }),
    )
    return operator.delete(`/v2/sets/${made.one.id}`)
  }
  const statuses: number[] = []
  while (goesOn()) statuses.push((await one([replace, replace, change, rename, addSet])()).status)
  return statuses
}

const lists = ({ genre, sets, stays, code }: World) => [
  ...['checklist', 'name', 'created_at', 'updated_at'].flatMap((sort) => [`cards?sort=${sort}`, `cards?sort=-${sort}`]),
  ...['checklist', '-checklist', 'name', '-updated_at'].flatMap((sort) => [
    `cards?sort=${sort}&filter[player]=${stays.id}`,
    `cards?sort=${sort}&filter[genre]=${genre.id}`,
    `cards?sort=${sort}&filter[set]=${sets.map(({ id }) => id).join(',')}`,
    `cards?sort=${sort}&filter[attribute]=${encodeURIComponent(String(code.attributes.attribute))}`,
    `cards?sort=${sort}&filter[serial_limit]=25`,
  ]),
  `players/${stays.id}/cards?sort=checklist`,
  'cards?sort=-name,checklist',
]

/** Walks a list from one end to the other in pages of random sizes, and answers every id that it saw. */
const walk = async ({ operator }: TestApp, list: string, roll: (sides: number) => number) => {
  const backward = roll(2) === 0
  const seen: string[] = []
  const start = await operator.get(`/v2/${list}&page[size]=${roll(9) + 1}`)
  let at: unknown = backward ? start.links.last : start.links.self
  while (at) {
    const page = await operator.get(
      String(at)
        .slice(testBaseUrl.length)
        .replace(/page%5Bsize%5D=\d+/, `page%5Bsize%5D=${roll(9) + 1}`),
    )
    if (page.status !== 200) throw new Error(`${list} answered ${page.status} ${page.text}`)
    seen.push(...page.many.map(({ id }) => id))
    at = backward ? page.links.prev : page.links.next
  }
  return seen
}

const app = database && (await testApp({ db: database }))

test.skipIf(!app)('a walk sees every record that stays exactly once, whatever is written meanwhile', async () => {
  if (!app) return
  const world = await aWorldInMotion(app)
  let walking = true
  const written = Array.from({ length: writersAtOnce }, (_, n) => write(app, world, n + 1, () => walking))
  const wanted = world.staying.map(({ id }) => id).toSorted()
  const staying = new Set(wanted)
  const all = lists(world)
  const walked = Array.from({ length: walkersAtOnce }, async (_, n) => {
    const roll = dice(n + 100)
    for (let count = 0; count < walksEach; count++) {
      const list = all[(n * walksEach + count) % all.length] as string
      const seen = (await walk(app, list, roll)).filter((id) => staying.has(id)).toSorted()
      expect([list, seen]).toEqual([list, wanted])
    }
  })
  await Promise.all(walked).finally(() => {
    walking = false
  })
  const statuses = (await Promise.all(written)).flat()
  expect(statuses.filter((status) => status >= 500)).toEqual([])
  expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(50)
})
