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

/** The median of several reads of a page, in milliseconds, after some to warm up; nothing is answered from memory. */
const time = async (rig: Rig, path: string, runs: number): Promise<Timed> => {
  const times: number[] = []
  let total = 0
  for (let run = 0; run < runs + 8; run++) {
    await moveOn(rig.db)
    const started = performance.now()
    total = (await get(rig, path)).total
    if (run >= 8) times.push(performance.now() - started)
  }
  return { milliseconds: median(times), total }
}

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
      const smallTimed = await time(small, a, runs)
      const largeTimed = await time(large, b, runs)
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
