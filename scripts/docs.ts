import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aboutSetting } from '../src/commands/settings.ts'
import { searchFields, searchMarks, searchOrders, searchSigns } from '../src/lib/search-language.ts'
import {
  anonymousAllowance,
  lifetimes,
  ownWindows,
  planAllowances,
  sayDuration,
  sayNumber,
  sayWindow,
  sizes,
  tighterLimits,
  tokenAllowance,
} from '../src/limits.ts'
import { settingSections } from '../src/settings.ts'
import { clientSchema, clientSchemaPath } from './client-schema.ts'

/**
 * Writes what is generated from the code: the tables in the docs, and the types of the TypeScript client. Run `bun run docs` after
 * changing what they tell.
 */
const root = join(import.meta.dir, '..')

type Cells = readonly (string | number)[]

/** A table whose columns are aligned. */
const table = (head: Cells, rows: readonly Cells[]): string => {
  const all = [head, ...rows].map((cells) => cells.map(String))
  const widths = head.map((_, at) => Math.max(3, ...all.map((cells) => cells[at]?.length ?? 0)))
  const line = (cells: string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const [first = [], ...rest] = all
  return [line(first), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)].join('\n')
}

const settingTables = () =>
  Object.entries(settingSections)
    .map(([title, section]) => {
      const rows = Object.entries(section).map(([name, setting]) => [
        ...[
          `\`${name}\``,
          /^[\w.:/-]+$/.test(setting.shown) && setting.shown !== 'none' ? `\`${setting.shown}\`` : setting.shown,
        ],
        ...[setting.takes, aboutSetting(setting)],
      ])
      return `## ${title}\n\n${table(['variable', 'default', 'accepts', 'what it does'], rows)}`
    })
    .join('\n\n')

const allowanceTable = () =>
  table(
    ['caller', 'requests'],
    [
      ['an IP address without a credential', anonymousAllowance] as const,
      ['a personal token, a client’s token, a session', tokenAllowance] as const,
      ...Object.entries(planAllowances).map(([plan, allowance]) => [`a key on the ${plan} plan`, allowance] as const),
    ].map(([caller, { limit, windowSeconds }]) => [caller, `${sayNumber(limit)} ${sayWindow(windowSeconds)}`]),
  )

const ownWindowTable = () =>
  table(
    ['what counts', 'by', 'limit'],
    Object.values(ownWindows).map(({ counts, by, limit, windowSeconds }) => [
      ...[counts, by, `${sayNumber(limit)} ${sayWindow(windowSeconds)}`],
    ]),
  )

const sizeTable = () =>
  table(
    ['what', 'at most'],
    Object.values(sizes).map(({ of, ...size }) => {
      const least = 'least' in size ? `${size.least} to ` : ''
      return ['usual' in size ? `${of} (${size.usual} by default)` : of, least + sayNumber(size.most)]
    }),
  )

const lifetimeTable = () =>
  table(
    ['what', 'how long'],
    Object.values(lifetimes).map(({ seconds, of }) => [of, sayDuration(seconds)]),
  )

const tighterTable = () =>
  table(
    ['what counts', 'by', 'limit', 'variable'],
    Object.values(tighterLimits).map(({ counts, by, limit, windowSeconds, setting }) => [
      ...[counts, by, `${limit} ${sayWindow(windowSeconds)}`, `\`LIMIT_${setting}\``],
    ]),
  )

/** The search language. No cell contains `|`. */
const code = (text: string) => `\`${text}\``

const signTable = () =>
  table(
    ['write', 'meaning', 'example'],
    searchSigns.map(({ sign, about, example }) => [code(sign), about, code(example)]),
  )

const accepted = { words: 'words', order: 'comparisons', choice: 'one of its values', id: 'source and value' }

const fieldTable = () =>
  table(
    ['field', 'matches', 'accepts', 'example'],
    Object.entries(searchFields).map(([name, field]) => [
      ...[[name, ...('also' in field ? field.also : [])].map((one) => code(`${one}:`)).join(' '), field.about],
      ...[accepted[field.takes], code(field.example)],
    ]),
  )

const markTable = () =>
  table(
    ['mark', 'finds'],
    Object.entries(searchMarks).map(([name, { about }]) => [code(`is:${name}`), about]),
  )

const orderTable = () =>
  table(
    ['order', 'meaning'],
    Object.entries(searchOrders).map(([name, { about }]) => [code(name), about]),
  )

/** The generated tables, by file and by the name in their markers. */
const made: Record<string, Record<string, () => string>> = {
  'docs/reference/settings.md': { settings: settingTables },
  'docs/reference/limits.md': {
    allowances: allowanceTable,
    'own-windows': ownWindowTable,
    'tighter-limits': tighterTable,
    sizes: sizeTable,
    lifetimes: lifetimeTable,
  },
  'docs/api.md': { allowances: allowanceTable },
  'docs/search.md': { signs: signTable, fields: fieldTable, marks: markTable, orders: orderTable },
  'docs/operations.md': { 'tighter-limits': tighterTable },
}

/** Every file with something generated: its text, and what it should be. */
export const madeFiles = async () => [
  { path: clientSchemaPath, written: readFileSync(join(root, clientSchemaPath), 'utf8'), wanted: await clientSchema() },
  ...Object.entries(made).map(([path, parts]) => {
    const written = readFileSync(join(root, path), 'utf8')
    const wanted = Object.entries(parts).reduce((text, [name, part]) => replaced(text, name, part(), path), written)
    return { path, written, wanted }
  }),
]

const replaced = (text: string, name: string, part: string, path: string): string => {
  const [begin, end] = [`<!-- ${name}: made by bun run docs -->\n`, `<!-- /${name} -->`]
  const [before, rest] = text.split(begin)
  const [, after] = rest?.split(end) ?? []
  if (after === undefined) throw new Error(`${path} has no place for ${name}`)
  return `${before}${begin}\n${part}\n\n${end}${after}`
}

if (import.meta.main)
  for (const { path, written, wanted } of await madeFiles())
    if (written !== wanted) {
      writeFileSync(join(root, path), wanted)
      console.log(path)
    }
