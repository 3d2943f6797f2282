import { expect, test } from 'bun:test'
import type { Shown } from '../../support/answer.ts'
import { testApp } from '../../support/app.ts'
import { factories } from '../../support/factories.ts'

// Words of three letters are found exactly or not at all, so that a few lines say what a search has to find.
const words = ['abe', 'bob', 'cal', 'dan', 'eli', 'fox', 'gus', 'hal']
let seed = 7
const below = (limit: number) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
  return Math.floor((seed / 2 ** 31) * limit)
}
const oneOf = <T>(list: readonly T[]): T => list[below(list.length)] as T
const maybe = <T>(make: () => T): T | undefined => (below(3) === 0 ? make() : undefined)
const aName = () => `${oneOf(words)} ${oneOf(words)}`

const server = process.env.TEST_DATABASE_URL
if (!server) console.log('skipped: a word that thousands of cards have (set TEST_DATABASE_URL to a PostgreSQL server)')

const app = await testApp()
const make = factories(app)

type Named = { record: Shown; name: string }
const several = async (count: number, prefix: string, create: (name: string) => Promise<Shown>): Promise<Named[]> => {
  const made: Named[] = []
  for (let n = 0; n < count; n++) {
    const name = `${prefix}${n < words.length ? `${words[n]} ${oneOf(words)}` : aName()}`
    made.push({ name, record: await create(name) })
  }
  return made
}

const aPlayer = (name: string) => {
  const [first_name, ...rest] = name.split(' ')
  return make.player({ first_name, last_name: rest.join(' ') })
}
// More players than are looked up by name have the word ned, and oli.
const players = [
  ...(await several(24, '', aPlayer)),
  ...(await several(205, 'ned ', aPlayer)),
  ...(await several(205, 'oli ', aPlayer)),
]
const teams = await several(4, 'tea ', (name) => make.team({ name }))
const brands = await several(2, 'bra ', (name) => make.brand({ name }))
const genres = await several(2, 'gen ', (name) => make.genre({ name }))

type SetOf = Named & { kind: string; isPublished: boolean; labels: string[]; parent?: SetOf }
const sets: SetOf[] = []
for (let n = 0; n < 10; n++) {
  const [name, parent, brand, genre] = [
    `set ${n} ${aName()}`,
    maybe(() => sets[0]),
    maybe(() => oneOf(brands)),
    maybe(() => oneOf(genres)),
  ]
  const [kind, isPublished] = [oneOf(['base', 'insert', 'autograph']), n % 4 !== 3]
  const record = await make.set({
    ...{ name, kind, status: isPublished ? 'published' : 'draft' },
    ...{ parent: parent?.record, brand: brand?.record, genre: genre?.record },
  })
  sets.push({ name, record, kind, isPublished, parent, labels: [brand, genre].flatMap((one) => one?.name ?? []) })
}

type CardOf = { id: string; set: SetOf; number: string; title: string; bearers: Named[]; limit?: number }
const cards: CardOf[] = []
for (let n = 0; n < 260; n++) {
  const [set, number, title] = [oneOf(sets), String(below(12)), maybe(aName) ?? '']
  const bearers = [
    oneOf(players),
    ...[maybe(() => oneOf(players)), maybe(() => oneOf(teams))].flatMap((one) => one ?? []),
  ]
  const limit = maybe(() => oneOf([10, 25, 99]))
  const record = await make.card({
    ...{ set: set.record, number, oncard: [...new Set(bearers)].map((one) => one.record) },
    ...(title ? { title } : {}),
    ...(limit ? { serial_number: `/${limit}` } : {}),
  })
  cards.push({ id: record.id as string, set, number, title, bearers, limit })
}

type Term = { text: string; hasCard: (card: CardOf) => boolean; hasSet: (set: SetOf) => boolean }

const has = (name: string, word: string) => name.split(' ').includes(word)
const setHas = (set: SetOf, word: string, level: number): boolean =>
  has(set.name, word) ||
  set.labels.some((label) => has(label, word)) ||
  (set.parent !== undefined && (set.parent.isPublished || level === 1) && has(set.parent.name, word))

const ofPlayer = (word: string): Term => ({
  text: `player:${word}`,
  hasCard: ({ bearers }) => bearers.some((one) => players.includes(one) && has(one.name, word)),
  hasSet: () => false,
})

const ofTeam = (word: string): Term => ({
  text: `team:${word}`,
  hasCard: ({ bearers }) => bearers.some((one) => teams.includes(one) && has(one.name, word)),
  hasSet: () => false,
})

const eitherOf = (a: Term, b: Term): Term => ({
  text: `(${a.text} OR ${b.text})`,
  hasCard: (card) => a.hasCard(card) || b.hasCard(card),
  hasSet: (set) => a.hasSet(set) || b.hasSet(set),
})

const aTerm = (level: number): Term => {
  if (below(6) === 0) return eitherOf(aTerm(level), aTerm(level))
  const [word, number, limit] = [
    oneOf([...words, 'ned', 'ned', 'oli', 'tea', 'set', 'bra']),
    String(below(12)),
    oneOf([10, 25, 99]),
  ]
  const never = () => false
  const bears = (card: CardOf, among: Named[]) => card.bearers.some((one) => among.includes(one) && has(one.name, word))
  return oneOf<Term>([
    ...Array.from({ length: 4 }, () => ({
      text: word,
      hasCard: (card: CardOf) => setHas(card.set, word, level) || bears(card, card.bearers) || has(card.title, word),
      hasSet: (set: SetOf) => setHas(set, word, level),
    })),
    { text: `#${number}`, hasCard: (card) => card.number === number, hasSet: never },
    { text: `number>=${number}`, hasCard: (card) => Number(card.number) >= Number(number), hasSet: never },
    {
      text: `serial:10..${limit}`,
      hasCard: (card) => card.limit !== undefined && card.limit <= limit,
      hasSet: never,
    },
    { text: 'is:numbered', hasCard: (card) => card.limit !== undefined, hasSet: never },
    { text: `/${limit}`, hasCard: (card) => card.limit === limit, hasSet: never },
    { text: `serial:<=${limit}`, hasCard: (card) => card.limit !== undefined && card.limit <= limit, hasSet: never },
    ofPlayer(word),
    ofPlayer(word),
    ofTeam(word),
    { text: 'is:insert', hasCard: (card) => card.set.kind === 'insert', hasSet: (set) => set.kind === 'insert' },
    {
      text: `genre:${word}`,
      hasCard: (card) => card.set.labels.some((label) => label.startsWith('gen') && has(label, word)),
      hasSet: (set) => set.labels.some((label) => label.startsWith('gen') && has(label, word)),
    },
  ])
}

const pagesOf = async (path: string, who: typeof app.reader) => {
  const found: string[] = []
  let [next, total]: [string | null, unknown] = [path, undefined]
  while (next) {
    const answer = await who.get(next)
    expect([path, answer.status]).toEqual([path, 200])
    found.push(...answer.many.map(({ id }) => id as string))
    total ??= answer.meta?.page
    next = (answer.links.next as string | null)?.replace(app.baseUrl, '') ?? null
  }
  return { found, total }
}

test('whatever is asked for, a search finds the cards and sets that have it, each once, and counts them', async () => {
  for (let n = 0; n < 60; n++) {
    const [who, level] =
      n % 3 === 0 || n < 2 * words.length ? ([app.draftReader, 1] as const) : ([app.reader, 2] as const)
    const [player, team] = [n === 0 ? 'oli' : words[n], words[n - words.length]]
    const second = player ? ofPlayer(player) : team ? ofTeam(team) : undefined
    const both = second === undefined ? [] : [ofPlayer('ned'), second]
    const wanted = [...both, ...Array.from({ length: both.length > 0 ? 0 : 1 + below(3) }, () => aTerm(level))]
    const excluded = Array.from({ length: below(2) }, () => aTerm(level))
    const q = [...wanted.map(({ text }) => text), ...excluded.map(({ text }) => `-${text}`)].join(' ')
    const isSeen = (set: SetOf) => set.isPublished || level === 1
    const expectedCards = cards.filter(
      (card) =>
        isSeen(card.set) && wanted.every((one) => one.hasCard(card)) && !excluded.some((one) => one.hasCard(card)),
    )
    const expectedSets = sets.filter(
      (set) => isSeen(set) && wanted.every((one) => one.hasSet(set)) && !excluded.some((one) => one.hasSet(set)),
    )
    for (const [type, expected] of [
      ['cards', expectedCards.map(({ id }) => id)],
      ['sets', expectedSets.map(({ record }) => record.id as string)],
    ] as const) {
      const size = 1 + below(40)
      const path = `/v2/search?q=${encodeURIComponent(q)}&filter[type]=${type}&page[size]=${size}`
      const { found, total } = await pagesOf(path, who)
      expect([q, type, found.toSorted()]).toEqual([q, type, expected.toSorted()])
      expect([q, type, total]).toEqual([q, type, { total: expected.length }])
    }
  }
}, 240_000)

test.skipIf(!server)(
  'cards of a word that more than 10,000 have are read to the end in both directions, and their number is an estimate',
  async () => {
    const [team, set, count] = [
      await make.team({ name: 'Zed' }),
      await make.set({ name: 'Zoo', status: 'published' }),
      10_300,
    ]
    await make.card({ set, number: '1', oncard: [team] })
    const { sql } = app.context.db
    await sql`
    insert into cards (id, set_id, set_no, number, number_key, name, created_at, updated_at)
    select gen_random_uuid(), s.id, s.no, n::text, '0' || length(n::text) || n, n::text, now(), now()
    from sets s, generate_series(2, ${count}::int) n where s.id = ${set.id as string}`
    await sql`
    insert into oncard (card_id, position, team_id, set_no, number_key, lists_player, lists_team, lists_player_team)
    select c.id, 0, ${team.id as string}::uuid, c.set_no, c.number_key, false, true, false
    from cards c where c.set_id = ${set.id as string} and c.number <> '1'`
    await sql`analyze`
    await sql`update tallies set live = ${count}, published = ${count} where list = 2 and id = ${team.id as string}`
    const numbers: number[] = []
    let next: string | null = '/v2/search?q=zed&filter[type]=cards&page[size]=100&fields[cards]=number'
    let last = next
    while (next) {
      const answer = await app.reader.get(next)
      expect(answer.meta).toEqual({ page: { estimatedTotal: { bestGuess: count } } })
      numbers.push(...answer.many.map(({ attributes }) => Number(attributes.number)))
      last = next
      next = (answer.links.next as string | null)?.replace(app.baseUrl, '') ?? null
    }
    expect(numbers).toEqual(Array.from({ length: count }, (_, index) => index + 1))
    const end = await app.reader.get(last)
    const before = await app.reader.get((end.links.prev as string).replace(app.baseUrl, ''))
    expect(before.many.map(({ attributes }) => Number(attributes.number))).toEqual(numbers.slice(-200, -100))
    await sql`delete from cards where set_id = ${set.id as string} and number <> '1'`
    await sql`update tallies set live = 1, published = 1 where list = 2 and id = ${team.id as string}`
  },
  240_000,
)
