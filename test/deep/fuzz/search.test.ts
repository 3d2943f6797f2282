import { expect, test } from 'bun:test'
import { searchFields, searchMarks, searchOrders, searchSigns } from '../../../src/lib/search-language.ts'
import { testApp } from '../../support/app.ts'
import { factories } from '../../support/factories.ts'
import { randomOf } from '../../support/random.ts'

const seed = Number(process.env.FUZZ_SEED ?? 15)
const count = Number(process.env.FUZZ_REQUESTS ?? 1000)
const { below, isTrue, pick } = randomOf(seed)

const app = await testApp()
const make = factories(app)
const year = await make.year({ name: '1986-87' })
const set = await make.set({ name: '1986-87 Fleer Basketball', year, status: 'published' })
const jordan = await make.player({ first_name: 'Michael', last_name: 'Jordan' })
await make.card({ set, number: '57', oncard: [jordan], title: 'League Leaders', notes: 'Off center' })

const words = [
  'jordan',
  'fleer',
  '1986',
  '86-87',
  "'86",
  '#57',
  '57/132',
  '/25',
  '1/1',
  'rookie',
  'auto',
  'k',
  'mc',
  'and',
  '大谷 翔平',
]
const fields = Object.values(searchFields).map(({ example }) => example)
const marks = Object.keys(searchMarks).map((mark) => `is:${mark}`)
const orders = Object.keys(searchOrders).map((order) => `order:${order}`)
const signs = [
  ...searchSigns.map(({ example }) => example),
  ...['(', ')', '-', '"', '!"', '*', ' OR ', '..', '>=', ':', '\\', '%', "'", '\0', '👍', '\u0301', '\u202e'],
]
const piece = () => pick([...words, ...words, ...fields, ...marks, ...orders, ...signs])
const letter = () =>
  String.fromCodePoint(pick([1 + below(127), 0xa0 + below(0x200), 0x4e00 + below(0x5000), 0x1f300 + below(0x300)]))
const nested = (depth: number): string =>
  depth === 0
    ? piece()
    : `${isTrue(0.3) ? '-' : ''}(${nested(depth - 1)} ${isTrue(0.5) ? 'OR ' : ''}${nested(depth - 1)})`
const several = (most: number, one: () => string, between: string) =>
  Array.from({ length: 1 + below(most) }, one).join(between)

/** A query: pieces of the language in any order, letters of any script, or parentheses in parentheses; sometimes mutated. */
const aQuery = () => {
  const q = pick([
    () => several(8, piece, ' '),
    () => several(8, piece, isTrue(0.5) ? '' : ' '),
    () => several(512, letter, ''),
    () => nested(1 + below(4)),
    () => pick([...words, ...fields]).repeat(1 + below(60)),
  ])()
  const letters = [...q]
  if (isTrue(0.5)) letters.splice(below(letters.length + 1), below(3), letter())
  return letters.slice(0, 512).join('')
}

test('whatever is typed, a search and a completion answer it or say what is wrong with it', async () => {
  for (let n = 0; n < count; n++) {
    const q = encodeURIComponent(aQuery())
    const path = isTrue(0.2)
      ? `/v2/autocomplete?q=${q}`
      : `/v2/search?q=${q}${pick(['', '&facets=genre,year,brand,kind,code,set,player', '&sort=-year'])}`
    const { status } = await app.reader.get(path)
    if (status !== 200 && status !== 400) throw new Error(`${status} for ${path} (FUZZ_SEED=${seed}, request ${n})`)
    expect([200, 400]).toContain(status)
  }
}, 600_000)
