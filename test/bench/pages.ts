import { sortsOf } from '../../src/catalog/model/criteria.ts'
import { resourcesInV2 } from '../../src/catalog/model/v2.ts'
import type { Rig } from './rig.ts'
import { compareSides, type ScaleRow, type Side } from './scale.ts'

type Page = { links: { last: string; prev: string | null }; meta: { page: { total?: number } } }

const get = async (rig: Rig, path: string) => {
  const response = await rig.fetch(path)
  const { links, meta } = (await response.json()) as Page
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
  return { links, total: meta.page.total ?? -1 }
}

/** One filter of each kind that an index serves in the first order, with the columns of the row that give its value. */
const filters: [path: string, filter: string, from: string][] = [
  ['players', 'first_name', 'players'],
  ['players', 'last_name', 'players'],
  ['player-teams', 'team', 'teams'],
  ...['genre', 'year', 'brand', 'manufacturer'].flatMap((name): [string, string, string][] => [
    ['sets', name, `${name}s`],
    ['cards', name, `${name}s`],
  ]),
  ['sets', 'parent[null]', 'true'],
  ['sets', 'kind', 'base'],
  ['sets', 'status', 'published'],
  ['cards', 'set', 'sets'],
  ['cards', 'player', 'players'],
  ['cards', 'team', 'teams'],
  ['cards', 'number', '57'],
  ['cards', 'number[null]', 'true'],
  ['cards', 'serial_limit', '25'],
  ['cards', 'attribute', 'A1'],
  ['cards', 'name', 'cards'],
  ['object-attributes', 'object_type', 'card'],
  ['set-sources', 'set', 'sets'],
]

/** Every sort key of every list alone, and one filter alone in the first order, as paths with values of a catalog. */
const pageCases = async ({ db }: Rig): Promise<string[]> => {
  const aValue = async (filter: string, from: string) => {
    if (!/^[a-z]+s$/.test(from)) return from
    const column = filter.endsWith('name') ? filter : 'id'
    const [row] = await db.sql.unsafe<{ value: string }[]>(
      `select ${column}::text as value from ${from} where ${from === 'cards' ? 'set_no = 7' : 'audience = 2'} order by id limit 1`,
    )
    return encodeURIComponent(row?.value ?? '')
  }
  const sorted = resourcesInV2.flatMap((resource) =>
    Object.keys(sortsOf(resource)).flatMap((key) =>
      [key, `-${key}`].map((sort) => `/v2/${resource.path}?sort=${sort}`),
    ),
  )
  const filtered = filters.map(async ([path, filter, from]) => {
    const [, name, operator = ''] = /^(\w+)(\[\w+\])?$/.exec(filter) ?? []
    return `/v2/${path}?filter[${name}]${operator}=${await aValue(filter, from)}`
  })
  return [...sorted, ...(await Promise.all(filtered))]
}

/** Times the first page of every list whose name matches, and the one before its last, on a small and a large catalog in turn. */
export async function* comparePages(small: Rig, large: Rig, runs: number, only: RegExp): AsyncGenerator<ScaleRow> {
  const [smallCases, largeCases] = [await pageCases(small), await pageCases(large)]
  for (const [index, path] of smallCases.entries()) {
    const name = path.replace('/v2/', '').replace(/=[0-9a-f]{8}-[0-9a-f-]+$/, '')
    if (!only.test(name)) continue
    for (const page of ['first', 'last'] as const) {
      const sides = await Promise.all([sideOf(small, path, page), sideOf(large, largeCases[index] as string, page)])
      yield { name, page, like: false, ...(await compareSides(sides, runs, get)) }
    }
  }
}

const sideOf = async (rig: Rig, path: string, page: 'first' | 'last'): Promise<Side> => {
  if (page === 'first') return { rig, path }
  const last = pathOf((await get(rig, path)).links.last)
  const { prev } = (await get(rig, last)).links
  return { rig, path: prev ? pathOf(prev) : last }
}

const pathOf = (link: string) => link.replace(/^https?:\/\/[^/]+/, '')
