import type postgres from 'postgres'

/** Who asks. */
export type Caller = { headers: Record<string, string> }
/** What one caller asks all at once, and who reads by id beside it, under which prefix. */
export type Storm = {
  name: string
  paths: string[]
  headers: Record<string, string>[]
  atOnce: number
  other: Caller
  prefix: string
}

/** The header of a token. */
export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
const from = (address: string) => ({ 'X-Forwarded-For': address })

/**
 * What costs most, by routes: filters and orders that no index serves together, common words, parts of names, and deep
 * includes, each asked once; and long answers that the service has in memory.
 */
export const storms = async (sql: postgres.Sql, stormer: string, other: string): Promise<Storm[]> => {
  const people = await sql<{ first: string; last: string }[]>`
    select first_name as first, last_name as last from players order by md5(id::text) limit 60`
  const words = people.flatMap(({ first, last }) => [
    `${first} teams`,
    `${last} #57`,
    `${first.slice(0, 4)}x ${last}`,
    'teams brands',
  ])
  const once = <T>(list: T[], path: (one: T, no: number) => string) =>
    Array.from({ length: 10_000 }, (_, no) => path(list[no % list.length] as T, no))
  const searches = once(
    words,
    (q, no) => `/v2/search?q=${encodeURIComponent(q)}&page[size]=${100 - (Math.floor(no / words.length) % 60)}`,
  )
  const filters = once([0], (_, no) => `/v2/cards?filter[name][like]=zz${no}&sort=-created_at&filter[number][ne]=5`)
  const parts = once(
    people,
    ({ last }, no) => `/v1/players?filter[last_name]=like:${last.slice(0, 2)}&page=${1 + no}&per_page=100`,
  )
  const sets = await sql<{ id: string }[]>`select id from sets where audience = 2 order by md5(id::text) limit 10000`
  const include = 'include=set.parent,set.genre,oncard.player,oncard.team&page[size]=100'
  const deep = sets.map(({ id }) => `/v2/cards?filter[set]=${id}&${include}`)
  const named = { headers: [bearer(stormer)], atOnce: 300, other: { headers: bearer(other) }, prefix: '/v1' }
  const network = Array.from({ length: 250 }, (_, no) => from(`2001:db8:1:2:${no.toString(16)}::1`))
  return [
    { name: 'lists by part of a name, number[ne] and created_at', paths: filters, ...named },
    { name: 'searches of common words', paths: searches, ...named },
    { name: 'deep includes, 100 a page', paths: deep, ...named },
    { name: 'all of these, and players by parts of names', paths: mixed([filters, searches, deep, parts]), ...named },
    { name: 'a few pages with deep includes, from memory', paths: deep.slice(0, 10), ...named },
    {
      ...{ name: 'anonymous searches of the pages from one /64', paths: searches.map((path) => `/pages${path}`) },
      ...{ headers: network, atOnce: 250, other: { headers: from('192.0.2.7') }, prefix: '/pages/v1' },
    },
  ]
}

const mixed = (lists: string[][]) =>
  lists[0]?.flatMap((_, no) => lists.map((list) => list[no % list.length] as string)) ?? []
