/*
 * Pages of the catalog are rendered by the service. For each, `content/` has a function that reads everything the page
 * shows, as `browser/catalog/content.ts` describes it, through the API's own routes (`content/ask.ts`) and the
 * catalog's floors `list` and `show`. This file renders the page's component with it (`draw.tsx`) and adds the content
 * as JSON, so that the browser renders the same (`browser/main.tsx` hydrates). When a visitor goes on to another page,
 * the browser reads its content at `/pages/content` plus the page's path. Both count on the catalog browser's window.
 * A refusal (404, 429, 503) is rendered as that page with that status.
 */

import { Type } from '@sinclair/typebox'
import type { Context } from '../context.ts'
import { logFault } from '../http/log-lines.ts'
import { asApiError } from '../http/respond.ts'
import type { Call, Reply, Route } from '../http/route.ts'
import { ApiError } from '../jsonapi/errors.ts'
import type { Given } from './browser/kit/server-data.ts'
import type { PagePath } from './browser/paths.ts'
import { contents } from './content/index.ts'
import { drawPage } from './draw.tsx'
import { openCatalog, readContent } from './open.ts'
import { pageHeaders } from './policy.ts'
import { refuseOtherSites } from './public-catalog.ts'
import { openPage } from './settings.ts'
import { shellOf } from './shell.ts'
import { type Who, whoAsks } from './who.ts'
import { zipped } from './zipped.ts'

/** A catalog page as HTML, with its content in it. A refusal is rendered as a page too, with its status. */
export const showCatalogPage = async (context: Context, call: Call, path: PagePath): Promise<Reply> => {
  const { files, who, settings, url } = await openPage(context, call)
  const { given, status, headers } = await readGiven(context, call, path, who)
  const shown = { ...given, url }
  const html = shellOf(files, settings, path, { html: drawPage(settings, path, shown), given: shown })
  const packed = await zipped(call.request, { status, body: html })
  return {
    status,
    mediaType: 'text/html; charset=utf-8',
    body: packed.body,
    headers: {
      ...pageHeaders(context.config),
      ...packed.headers,
      Vary: 'Cookie, Accept-Encoding',
      ...headers,
      ...who.headers,
    },
  }
}

type Read = { given: Omit<Given, 'url'>; status: number; headers: Record<string, string> }

const readGiven = async (context: Context, call: Call, path: PagePath, who: Who): Promise<Read> => {
  try {
    const { ask } = await openCatalog(context, call, who)
    const content = await readContent(ask, path)
    if (!('moved' in content)) return { given: { content }, status: 200, headers: {} }
    const { baseUrl } = context.config
    return { given: {}, status: 301, headers: { Location: `${baseUrl}${content.moved}${call.url.search}` } }
  } catch (error) {
    if (!(error instanceof ApiError)) logFault(context.log, error, call.requestId)
    const { status, errors, headers } = asApiError(error)
    const wait = headers['Retry-After']
    const failure = { status, faults: errors, ...(wait ? { waitSeconds: Number(wait) } : {}) }
    return { given: { failure }, status: statusOf(status, path), headers: wait ? { 'Retry-After': wait } : {} }
  }
}

/** If the catalog isn't public, pages ask visitors to sign in, and records are a 404 (decisions.md §16). */
const statusOf = (status: number, path: PagePath) => {
  if (status !== 401) return status
  return path.includes(':id') ? 404 : 200
}

/** What a page shows, as JSON, for a browser that navigates to it. */
const showContent = async (context: Context, call: Call, path: PagePath): Promise<Reply> => {
  refuseOtherSites(call.request)
  const who = await whoAsks(context, call)
  const { ask, window } = await openCatalog(context, call, who)
  const body = await readContent(ask, path)
  return asJson(call, body, window)
}

/** A JSON answer, compressed. */
export const asJson = async ({ request }: Call, json: object, window: Record<string, string>): Promise<Reply> => {
  const { body, headers } = await zipped(request, { status: 200, body: JSON.stringify(json) })
  return {
    status: 200,
    body,
    headers: { 'Cache-Control': 'private, no-cache', ...headers, ...window, Vary: 'Cookie, Accept-Encoding' },
  }
}

/** The content of each catalog page, at the page's path below `/pages/content`. */
export const contentRoutes: Route[] = (Object.keys(contents) as PagePath[]).map((path) => ({
  method: 'GET',
  path: `/pages/content${path === '/' ? '' : path}`,
  operationId: `content ${path}`,
  summary: `What the page ${path} shows`,
  tag: 'Pages',
  access: 'public',
  flat: true,
  query: {},
  answers: { 200: { description: 'The content.', schema: Type.Object({}) } },
  handle: (context, call) => showContent(context, call, path),
}))
