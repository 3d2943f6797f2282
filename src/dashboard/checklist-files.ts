import { Type } from '@sinclair/typebox'
import type { Context } from '../context.ts'
import type { Call, Reply, Route } from '../http/route.ts'
import { streamed } from '../http/streamed.ts'
import { type Line, lineOf } from './browser/catalog/card-lines.ts'
import type { ChecklistGroup } from './browser/catalog/content.ts'
import { asJson } from './catalog-pages.ts'
import { writeJson } from './checklist-lines.ts'
import { checklistTable } from './checklist-table.ts'
import type { Ask } from './content/ask.ts'
import { mostRows, narrowedBy, openChecklist, readStretch } from './content/checklist.ts'
import { fullName, readSet } from './content/set.ts'
import { openCatalog } from './open.ts'
import { refuseOtherSites } from './public-catalog.ts'
import { whoAsks } from './who.ts'
import { zippedStream } from './zipped.ts'

/** How many of a file's cards are in memory at a time. */
const atOnce = 2000

/** More rows of a checklist, for a page that shows the first ones. */
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

type Kind = keyof typeof kinds

type Opened = { ask: Ask; set: Awaited<ReturnType<typeof readSet>>; checklist: OpenChecklist }

const kinds = {
  csv: {
    mediaType: 'text/csv; charset=utf-8',
    write: ({ ask, set, checklist }: Opened) => checklistTable(ask, set, piecesOf(checklist)),
  },
  json: {
    mediaType: 'application/json',
    write: async ({ set, checklist }: Opened) => writeJson(fullName(set.path), plainLines(checklist)),
  },
}

/** A checklist of any length as a file, filtered and sorted like the page that links to it. It is sent while it is read. */
const showFile =
  (kind: Kind) =>
  async (context: Context, call: Call): Promise<Reply> => {
    const { ask, window } = await openCatalog(context, call, await whoAsks(context, call))
    const set = await readSet(ask)
    const { path } = set
    const checklist = await openChecklist(ask, set.listed, narrowedBy(ask.query))
    const { mediaType, write } = kinds[kind]
    const body = await streamed(await write({ ask, set, checklist }), { ...context, requestId: call.requestId })
    const packed = zippedStream(call.request, body)
    const name = encodeURIComponent(`${fullName(path).replaceAll(' › ', ' - ')}.${kind}`)
    return {
      status: 200,
      mediaType,
      body: packed.body,
      headers: {
        'Cache-Control': 'private, no-cache',
        ...packed.headers,
        ...window,
        Vary: 'Cookie, Accept-Encoding',
        'Content-Disposition': `attachment; filename="checklist.${kind}"; filename*=UTF-8''${name}`,
      },
    }
  }

type OpenChecklist = Awaited<ReturnType<typeof openChecklist>>

/** A checklist by sets, `atOnce` cards at a time. */
async function* piecesOf({ total, read }: OpenChecklist): AsyncGenerator<ChecklistGroup[]> {
  for (let from = 0; from < total; from += atOnce) yield await read(from, atOnce)
}

async function* plainLines(checklist: OpenChecklist): AsyncGenerator<Line[]> {
  for await (const groups of piecesOf(checklist))
    yield groups.flatMap(({ set, rows }) => rows.map((card) => lineOf(set.name, card)))
}

const file = (kind: Kind): Route => ({
  method: 'GET',
  path: `/sets/:id/checklist.${kind}`,
  operationId: `checklist ${kind}`,
  tag: 'Pages',
  summary: 'A checklist as a file',
  access: 'public',
  flat: true,
  query: {},
  answers: { 200: { description: 'The file.', schema: Type.String(), mediaType: 'text/*' } },
  handle: showFile(kind),
})

/** Rows of checklists: more of them for a page, or all of them as a file. */
export const checklistRoutes: Route[] = [
  {
    method: 'GET',
    path: '/pages/content/sets/:id/checklist',
    operationId: 'checklist rows',
    tag: 'Pages',
    summary: 'More rows of a checklist',
    access: 'public',
    flat: true,
    query: {},
    answers: { 200: { description: 'The rows.', schema: Type.Object({}) } },
    handle: showMore,
  },
  file('csv'),
  file('json'),
]
