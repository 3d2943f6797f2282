import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tables } from '../src/catalog/model/tables.ts'

/** Prints how large the house is and where it repeats itself, each row measured, next to what it should be. `bun run house` */
const root = join(import.meta.dir, '..')

type File = { path: string; lines: string[] }

const files: File[] = [...new Bun.Glob('{src,db}/**/*.{ts,tsx}').scanSync(root)]
  .sort()
  .map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').replace(/\n$/, '').split('\n') }))

const under = (...folders: string[]) =>
  files.filter(({ path }) => folders.some((folder) => path.startsWith(`${folder}/`)))
const linesOf = (some: File[]) => some.reduce((sum, { lines }) => sum + lines.length, 0)
const countLines = (some: File[], pattern: RegExp) =>
  some.reduce((sum, { lines }) => sum + lines.filter((line) => pattern.test(line)).length, 0)

/** How many files name something. */
const naming = (word: RegExp, some = files) => some.filter(({ lines }) => lines.some((line) => word.test(line))).length

const typeNames = Object.keys(tables).join('|')
const [imports, search] = [under('src/catalog/import'), under('src/catalog/search')]
const catalog = under('src/catalog').filter((file) => !imports.includes(file) && !search.includes(file))

/** Blocks of six lines and more that stand in two places. Imports, blank lines, lone brackets and lone names don't count. */
const repeatedBlocks = (): string[] => {
  const places = new Map<string, number>()
  const windows = files.map(({ path, lines }) => {
    const said = lines
      .join('\n')
      .replace(/^import [^']* from '.*'$/gm, '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /\w/.test(line) && !/^(import |\*|\/\*|\w+,$)/.test(line))
    return { path, own: said.slice(5).map((_, at) => said.slice(at, at + 6).join('\n')) }
  })
  for (const { own } of windows) for (const one of own) places.set(one, (places.get(one) ?? 0) + 1)
  const isRepeated = (one: string | undefined) => one !== undefined && (places.get(one) ?? 0) > 1
  return windows.flatMap(({ path, own }) =>
    own.flatMap((one, at) => (isRepeated(one) && !isRepeated(own[at - 1]) ? [`${path}: ${one.split('\n')[0]}`] : [])),
  )
}
const repeated = repeatedBlocks()

const climbs = Bun.spawnSync(['bun', 'test', 'test/house.test.ts', '-t', 'lower floors|climbs|circle'], { cwd: root })

const spreads = countLines(files, /^\s*\.\.\.\{ .* \},?$/)
const packed = countLines(files, /^\s*(const|let) \[.*\] = \[.*\]$/)

const rows: [what: string, today: number | string, aim: string][] = [
  ['files (ts, tsx) of src and db', files.length, '≤ 850'],
  ['lines of src and db', linesOf(files), '≤ 74,000'],
  ['lines of the catalog without imports and search', linesOf(catalog), '≤ 19,000'],
  ['lines of imports', linesOf(imports), '≤ 7,500'],
  ['lines of search', linesOf(search), '≤ 5,500'],
  [
    'comparisons of the catalog with a type’s name',
    under('src/catalog').reduce(
      (sum, { lines }) => sum + [...lines.join('\n').matchAll(new RegExp(`[!=]== '(${typeNames})'`, 'g'))].length,
      0,
    ),
    '< 25',
  ],
  ['files that name a filter (serial_limit)', naming(/\bserial_limit\b/), '2'],
  ['files that name a column of cards (serial_number)', naming(/\bserial_number\b/), '6'],
  ['files that name a resource type (set_sources)', naming(/\b(set_sources|setSources)\b/), '4'],
  ['files of the console for a page (merges)', naming(/\bmerges\b/i, under('src/dashboard')), '3'],
  ['files that name a setting (IMPORT_MAX_BYTES)', naming(/\b(IMPORT_MAX_BYTES|importMaxBytes)\b/), '2'],
  ['files of the console for a kind of job (card_batch)', naming(/\bcard[-_]batch\b/, under('src/dashboard')), '1'],
  ['literal spreads and packed destructurings', spreads + packed, '0'],
  ['places that repeat six lines of another', repeated.length, '0'],
  ['imports that run up', climbs.exitCode === 0 ? 0 : 'some: see test/house.test.ts', '0'],
]

const wide = Math.max(...rows.map(([what]) => what.length))
for (const [what, today, aim] of [['', 'today', 'aim'], ...rows] as const)
  console.log(`${what.padEnd(wide)}  ${today.toLocaleString('en').padStart(8)}  ${aim}`)
for (const place of repeated) console.log(`repeated  ${place}`)
