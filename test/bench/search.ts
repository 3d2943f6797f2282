import type { Database } from '../../db/client.ts'
import { moveOn } from './figures.ts'
import type { Rig } from './rig.ts'

const syllables = 'ma ri ko ja bel ton ver san dro lin gar es mor wil den ka ro pe ter son'.split(' ')
const word = (n: number, length: number) => {
  let text = ''
  for (let at = 0, rest = n * 7919 + 13; at < length; at++, rest = Math.floor(rest / syllables.length) + n)
    text += syllables[rest % syllables.length]
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** 400 first and 6,000 last names, for people who mostly have the first of them. */
export const peopleNames = () => ({
  first: Array.from({ length: 400 }, (_, n) => word(n, 2 + (n % 2))),
  last: Array.from({ length: 6000 }, (_, n) => word(n, 2 + (n % 3))),
})

/** Gives the players of a generated catalog names as people have them: few first names, of which some are very common. */
export const namePeople = async ({ sql }: Database) => {
  const { first, last } = peopleNames()
  await sql.unsafe(
    `update players p set first_name = n.first, last_name = n.last, name = n.first || ' ' || n.last from (
      select id, ($1::text[])[1 + floor(400 * power(random(), 3))::int] as first, ($2::text[])[1 + floor(6000 * power(random(), 2))::int] as last
      from players
    ) n where n.id = p.id`,
    [`{${first}}`, `{${last}}`],
  )
  await sql`vacuum analyze players`
}

/** Queries with common and rare words, and one with letters that are wrong for each. */
const queries = async ({ sql }: Database) => {
  const people = await sql<{ first: string; last: string }[]>`
    select first_name as first, last_name as last from players where audience = 2 order by md5(id::text) limit 12`
  const wrong = (text: string) => `${text.slice(0, 2)}${text.slice(3)}`
  return [
    ...people.flatMap(({ first, last }) => [
      first,
      last,
      `${first} ${last}`,
      `${wrong(first)} ${wrong(last)}`,
      `${last} -#57`,
    ]),
    ...['#57', '#57 teams', 'brands 0007', 'years 0011 teams', 'teams 0042', 'zzyzx', 'is:rookie', 'genres 0003 #12'],
    ...people
      .slice(4, 8)
      .flatMap(({ first, last }) => [
        ...[`${first.charAt(0)} ${last}`, `(${last} OR ${first}) #57`, `${last.slice(0, 4)}* teams`],
        ...[`${last} "brands 0007" -"teams 0042"`, `${last} order:name`],
      ]),
    ...people
      .slice(0, 4)
      .flatMap(({ first, last }) => [`${last} teams`, `${first} "brands 0011"`, `player:${last} "years 0011"`]),
  ]
}

const facets = 'genre,year,brand,kind,code,set,player'

type Times = { p50: number; p99: number }

/** How long something takes, how many times as long as what it is compared with, and how many times it may be. */
export type SearchRow = { name: string; times: Times; ratios: Times; bounds: Times; slowest: string }

/** Against a read by id; facets against a search without them. */
const boundsOf = (cards: number): Record<string, Times> => ({
  'GET /v2/search': cards < 10_000_000 ? { p50: 4, p99: 8 } : { p50: 8, p99: 25 },
  'GET /v2/search with facets': { p50: 2, p99: 2 },
  'GET /v2/autocomplete': { p50: 2, p99: 2 },
})

/** Times reads by id, searches and completions in turns, when nothing is answered from memory, and compares them. */
export const compareSearch = async (rig: Rig, count: number, rounds: number): Promise<SearchRow[]> => {
  const { db } = rig
  const cards = await db.sql<{ id: string }[]>`
    select c.id from cards c join sets s on s.id = c.set_id and s.audience = 2 order by md5(c.id::text) limit 60`
  const asked = await queries(db)
  const parts = asked.map((q) => q.slice(0, 3 + (q.length % 4)))
  const kinds = {
    'GET /v2/cards/{id}': cards.map(({ id }) => `/v2/cards/${id}`),
    'GET /v2/search': asked.map((q) => `/v2/search?q=${encodeURIComponent(q)}`),
    'GET /v2/search with facets': asked.map((q) => `/v2/search?q=${encodeURIComponent(q)}&facets=${facets}`),
    'GET /v2/autocomplete': parts.map((q) => `/v2/autocomplete?q=${encodeURIComponent(q)}`),
  }
  // A million names take more seconds to read than a search waits.
  while ((await rig.fetch('/v2/search?q=a')).status === 503);
  const times = new Map<string, { path: string; milliseconds: number }[]>()
  for (let round = 0; round <= rounds; round++)
    for (const [name, paths] of Object.entries(kinds))
      for (const path of paths) {
        const milliseconds = await timeOnce(rig, path)
        if (round > 0) times.set(name, [...(times.get(name) ?? []), { path, milliseconds }])
      }
  const at = (name: string, share: number) => {
    const sorted = (times.get(name) ?? []).toSorted((a, b) => a.milliseconds - b.milliseconds)
    return sorted[Math.floor(sorted.length * share)] as { path: string; milliseconds: number }
  }
  const timesOf = (name: string): Times => ({ p50: at(name, 0.5).milliseconds, p99: at(name, 0.99).milliseconds })
  const bounds = boundsOf(count)
  return Object.keys(kinds).map((name) => {
    const times = timesOf(name)
    const base = timesOf(name.includes('facets') ? 'GET /v2/search' : 'GET /v2/cards/{id}')
    return {
      ...{ name, times, bounds: bounds[name] ?? { p50: 1, p99: 1 }, slowest: at(name, 0.99).path },
      ratios: { p50: times.p50 / base.p50, p99: times.p99 / base.p99 },
    }
  })
}

const timeOnce = async (rig: Rig, path: string) => {
  await moveOn(rig.db)
  const started = performance.now()
  const response = await rig.fetch(path)
  await response.text()
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
  return performance.now() - started
}
