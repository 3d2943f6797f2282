import { median, moveOn } from './figures.ts'
import type { ListCase } from './lists.ts'
import { listCases } from './lists.ts'
import type { Rig } from './rig.ts'

type Timed = { milliseconds: number; total: number }

const get = async (rig: Rig, path: string): Promise<{ total: number; lastPage: number }> => {
  const response = await rig.fetch(path)
  const document = (await response.json()) as { meta: { total: number; last_page: number } }
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${JSON.stringify(document)}`)
  return { total: document.meta.total, lastPage: document.meta.last_page }
}

/** How long a page took to read, in milliseconds, when nothing was answered from memory. */
const timeOnce = async (rig: Rig, path: string, read: ReadTotal) => {
  await moveOn(rig.db)
  const started = performance.now()
  const { total } = await read(rig, path)
  return { milliseconds: performance.now() - started, total }
}

export type Side = { rig: Rig; path: string }
type ReadTotal = (rig: Rig, path: string) => Promise<{ total: number }>

/** How much longer a page may take on the large catalog than on the small one. */
export const scaleBound = 1.5

/** How many times what misses the bound is measured before it counts as a miss; the middle of its ratios stands. */
const roundsOfMiss = 3

/** Two pages beside each other, measured again where they miss the bound. */
export const compareSides = async (
  sides: [Side, Side],
  runs: number,
  read?: ReadTotal,
  bound = scaleBound,
): Promise<Compared> => {
  const rounds = [await compareOnce(sides, runs, read)]
  while ((rounds[0] as Compared).ratio > bound && rounds.length < roundsOfMiss)
    rounds.push(await compareOnce(sides, runs, read))
  return rounds.toSorted((a, b) => a.ratio - b.ratio)[Math.floor(rounds.length / 2)] as Compared
}

const compareOnce = async (sides: [Side, Side], runs: number, read?: ReadTotal): Promise<Compared> => {
  const [small, large] = await timeInTurns(sides, runs, read)
  return { small, large, ratio: large.milliseconds / small.milliseconds }
}

/** The medians of several reads of two pages in turns, after some to warm up: what else the machine does meets both. */
const timeInTurns = async (sides: [Side, Side], runs: number, read: ReadTotal = get): Promise<[Timed, Timed]> => {
  const times: [Timed[], Timed[]] = [[], []]
  for (let run = 0; run < runs + warmUp; run++)
    for (const [index, { rig, path }] of sides.entries()) times[index]?.push(await timeOnce(rig, path, read))
  return times.map((all) => ({
    milliseconds: median(all.slice(warmUp).map(({ milliseconds }) => milliseconds)),
    total: all.at(-1)?.total ?? 0,
  })) as [Timed, Timed]
}

const warmUp = 8

type Compared = { small: Timed; large: Timed; ratio: number }

export type ScaleRow = Compared & { name: string; page: 'first' | 'last'; like: boolean }

/** Times every list and filter whose name matches, first page and last, on a small and a large catalog in turn. */
export async function* compareLists(small: Rig, large: Rig, runs: number, only: RegExp): AsyncGenerator<ScaleRow> {
  const [smallCases, largeCases] = [await listCases(small.db), await listCases(large.db)]
  for (const [index, one] of smallCases.entries()) {
    if (!only.test(one.name)) continue
    const other = largeCases[index] as ListCase
    for (const page of ['first', 'last'] as const) {
      const [a, b] = await Promise.all([pathOf(small, one.path, page), pathOf(large, other.path, page)])
      const sides: [Side, Side] = [
        { rig: small, path: a },
        { rig: large, path: b },
      ]
      const bound = one.like ? Number.POSITIVE_INFINITY : scaleBound
      yield { name: one.name, page, like: Boolean(one.like), ...(await compareSides(sides, runs, get, bound)) }
    }
  }
}

const pathOf = async (rig: Rig, path: string, page: 'first' | 'last') => {
  if (page === 'first') return path
  const { lastPage } = await get(rig, path)
  return `${path}${path.endsWith('?') ? '' : '&'}page=${lastPage}`
}
