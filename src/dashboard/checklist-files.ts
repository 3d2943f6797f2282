import { Type } from '@sinclair/typebox'
import type { Context } from '../context.ts'
import type { Call, Reply, Route } from '../http/route.ts'
import type { CardRow } from './browser/catalog/content.ts'
import { asJson } from './catalog-pages.ts'
import type { Ask } from './content/ask.ts'
import { mostRows, narrowedBy, readStretch } from './content/checklist.ts'
import { fullName, readSet } from './content/set.ts'
import { openCatalog } from './open.ts'
import { refuseOtherSites, zipped } from './public-catalog.ts'
import { whoAsks } from './who.ts'

/** So many cards are in a file; a longer checklist is read by the API, page by page. */
const mostInFile = 20_000

/** More rows of a checklist, for a page that shows its beginning. */
const showMore = async (context: Context, call: Call): Promise<Reply> => {
  refuseOtherSites(call.request)
  const { ask, window } = await openCatalog(context, call, await whoAsks(context, call))
  const { listed } = await readSet(ask)
  const from = wholeNumber(ask.query.from, 0, 10_000_000)
  const size = wholeNumber(ask.query.size, 1, mostRows)
  return asJson(call, await readStretch(ask, listed, narrowedBy(ask.query), from, size), window)
}

const wholeNumber = (text: string | undefined, least: number, most: number) =>
  Math.min(most, Math.max(least, Math.trunc(Number(text)) || 0))

/** A checklist as a file, narrowed and sorted as the page that offers it. */
const showFile =
  (kind: 'csv' | 'json') =>
  async (context: Context, call: Call): Promise<Reply> => {
    const { ask, window } = await openCatalog(context, call, await whoAsks(context, call))
    const { path, listed } = await readSet(ask)
    const groups = await readGroups(ask, listed)
    const lines = groups.flatMap(({ set, rows }) => rows.map((card) => lineOf(set.name, card)))
    const body = kind === 'csv' ? csvOf(lines) : `${JSON.stringify({ set: fullName(path), cards: lines }, null, 2)}\n`
    const mediaType = kind === 'csv' ? 'text/csv; charset=utf-8' : 'application/json'
    const packed = await zipped(call.request, { status: 200, body })
    const name = encodeURIComponent(`${fullName(path).replaceAll(' › ', ' - ')}.${kind}`)
    return {
      ...{ status: 200, mediaType, body: packed.body },
      headers: {
        'Cache-Control': 'private, no-cache',
        ...packed.headers,
        ...window,
        Vary: 'Cookie, Accept-Encoding',
        'Content-Disposition': `attachment; filename="checklist.${kind}"; filename*=UTF-8''${name}`,
      },
    }
  }

const readGroups = async (ask: Ask, listed: Awaited<ReturnType<typeof readSet>>['listed']) =>
  (await readStretch(ask, listed, narrowedBy(ask.query), 0, mostInFile)).groups

type Line = Record<(typeof columns)[number], string>

/** Named as the columns of an import. */
const columns = ['set', 'number', 'player', 'team', 'title', 'attributes', 'serial_number', 'id'] as const

const lineOf = (set: string, { id, number, on, title, codes, serial }: CardRow): Line => ({
  ...{ set, number: number ?? '' },
  // A player and a team in the same place are one entry.
  player: placed(on.map(({ name, player }) => (player ? name : ''))),
  team: placed(on.map(({ team }) => team?.name ?? '')),
  title: title ?? '',
  attributes: codes.map(({ code }) => code).join('|'),
  serial_number: serial ?? '',
  id,
})

const placed = (names: string[]) => (names.some(Boolean) ? names.join('|') : '')

const csvOf = (lines: Line[]) =>
  [columns.join(','), ...lines.map((line) => columns.map((name) => cell(line[name])).join(',')), ''].join('\r\n')

/** A cell of a CSV file; what a spreadsheet would take for a formula begins with an apostrophe. */
const cell = (text: string) => {
  const safe = /^[=+@\t\r-]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const file = (kind: 'csv' | 'json'): Route => ({
  ...{ method: 'GET', path: `/sets/:id/checklist.${kind}`, operationId: `checklist ${kind}`, tag: 'Pages' },
  ...{ summary: 'A checklist as a file', access: 'public', flat: true, query: {} },
  answers: { 200: { description: 'The file.', schema: Type.String(), mediaType: 'text/*' } },
  handle: showFile(kind),
})

/** The rows of checklists: more of them for a page, and all of them as files. */
export const checklistRoutes: Route[] = [
  {
    ...{ method: 'GET', path: '/pages/content/sets/:id/checklist', operationId: 'checklist rows', tag: 'Pages' },
    ...{ summary: 'More rows of a checklist', access: 'public', flat: true, query: {} },
    answers: { 200: { description: 'The rows.', schema: Type.Object({}), mediaType: 'application/json' } },
    handle: showMore,
  },
  file('csv'),
  file('json'),
]
