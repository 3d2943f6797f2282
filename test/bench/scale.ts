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

/** The medians of several reads of two pages in turns, after some to warm up: what else the machine does meets both. */
export const timeInTurns = async (
  sides: [Side, Side],
  runs: number,
  read: ReadTotal = get,
): Promise<[Timed, Timed]> => {
  const times: [Timed[], Timed[]] = [[], []]
  for (let run = 0; run < runs + warmUp; run++)
    for (const [index, { rig, path }] of sides.entries()) times[index]?.push(await timeOnce(rig, path, read))
  return times.map((all) => ({
    milliseconds: median(all.slice(warmUp).map(({ milliseconds }) => milliseconds)),
    total: all.at(-1)?.total ?? 0,
  })) as [Timed, Timed]
}

const warmUp = 8

export type ScaleRow = {
  name: string
  page: 'first' | 'last'
  small: Timed
  large: Timed
  ratio: number
  like: boolean
}

/** Times every list and filter, first page and last, on a small and a large catalog in turn. */
export const compareLists = async (small: Rig, large: Rig, runs: number, only = /./): Promise<ScaleRow[]> => {
  const [smallCases, largeCases] = [await listCases(small.db), await listCases(large.db)]
  const rows: ScaleRow[] = []
  for (const [index, one] of smallCases.entries()) {
    if (!only.test(one.name)) continue
    const other = largeCases[index] as ListCase
    for (const page of ['first', 'last'] as const) {
      const [a, b] = await Promise.all([pathOf(small, one.path, page), pathOf(large, other.path, page)])
      const sides: [Side, Side] = [
        { rig: small, path: a },
        { rig: large, path: b },
      ]
      const [smallTimed, largeTimed] = await timeInTurns(sides, runs)
      const ratio = largeTimed.milliseconds / smallTimed.milliseconds
      rows.push({ name: one.name, page, small: smallTimed, large: largeTimed, ratio, like: Boolean(one.like) })
    }
  }
  return rows
}

const pathOf = async (rig: Rig, path: string, page: 'first' | 'last') => {
  if (page === 'first') return path
  const { lastPage } = await get(rig, path)
  return `${path}${path.endsWith('?') ? '' : '&'}page=${lastPage}`
}
