import { Type } from '@sinclair/typebox'
import type { Context } from '../context.ts'
import { compressor } from '../http/docs/compress.ts'
import { pathMatcher } from '../http/path-matcher.ts'
import { readUrl } from '../http/request.ts'
import type { Call, Reply, Route } from '../http/route.ts'
import { notFound } from '../jsonapi/errors.ts'
import { isReadable, type PagePath, pagePaths } from './browser/paths.ts'
import { contentRoutes, showCatalogPage } from './catalog-pages.ts'
import { checklistRoutes } from './checklist-files.ts'
import { collectionPageRoutes } from './collection-routes.ts'
import { contents } from './content/index.ts'
import { drawPage } from './draw.tsx'
import { readFiles } from './files.ts'
import { pageHeaders } from './policy.ts'
import { publicCatalogRoutes, shownByPages } from './public-catalog.ts'
import { openPage } from './settings.ts'
import { shellOf } from './shell.ts'
import { crawlerRoutes } from './sitemap.ts'

/** What all pages and their files share: no credential needed, nothing counted, any query accepted. */
const common = { method: 'GET', tag: 'Pages', access: 'public', flat: true, takesAnyQuery: true } as const

const mediaTypes: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

type Opened = Pick<Call, 'request' | 'caller' | 'now'>

/** The shell, which the scripts fill. Without a path, it is the page for unknown addresses, already drawn. */
const showPage = async (context: Context, call: Opened, path?: PagePath): Promise<Reply> => {
  const { files, who, settings, url } = await openPage(context, call)
  const drawn = path ? undefined : { html: drawPage(settings, path, { url }) }
  return {
    status: path ? 200 : 404,
    mediaType: 'text/html; charset=utf-8',
    body: shellOf(files, settings, path, drawn),
    headers: { ...pageHeaders(context.config), ...who.headers, ...(!path && { Vary: 'Accept, Cookie' }) },
  }
}

const pageAt = pathMatcher(Object.keys(pagePaths).map((path) => ({ method: 'GET' as const, path })))

/**
 * For unknown paths, browsers get an HTML 404 page. A page's path with a trailing slash redirects to the page.
 */
export const showMissing = async (context: Context, call: Opened): Promise<Reply> => {
  const { pathname, search } = readUrl(call.request)
  const path = pathname.replace(/\/$/, '')
  if (path === pathname || !pageAt(path)) return showPage(context, call)
  return { status: 308, headers: { Location: `${context.config.baseUrl}${path}${search}` } }
}

/**
 * The pages' routes: the pages, their files, which browsers cache permanently, and the content that visitors read, with these
 * routes of the API.
 */
export const pageRoutes = (offers: Route[]): Route[] => {
  const compress = compressor()
  const showFile = async (_context: Context, { request, params }: Call): Promise<Reply> => {
    const files = await readFiles()
    const name = params.file ?? ''
    const text = Object.hasOwn(files, name) ? files[name] : undefined
    if (text === undefined) throw notFound()
    const { body, headers } = await compress(request, text)
    const mediaType = mediaTypes[name.split('.').at(-1) ?? ''] ?? 'text/plain'
    return { status: 200, mediaType, body, headers: { ...headers, 'Cache-Control': permanently } }
  }
  return [
    ...(Object.keys(pagePaths) as PagePath[]).map(
      (path): Route => ({
        ...common,
        path,
        operationId: `page ${path}`,
        summary: `The page ${path}`,
        answers: { 200: { description: 'The page.', schema: Type.String(), mediaType: 'text/html' } },
        handle: (context, call) => {
          if (!isReadable(readUrl(call.request).pathname)) return showPage(context, call)
          return contents[path] ? showCatalogPage(context, call, path) : showPage(context, call, path)
        },
      }),
    ),
    {
      ...common,
      path: '/assets/:file',
      operationId: 'pageFile',
      summary: 'A file of the pages',
      answers: { 200: { description: 'The file.', schema: Type.String(), mediaType: 'text/*' } },
      handle: showFile,
    },
    ...crawlerRoutes,
    ...contentRoutes,
    ...checklistRoutes,
    ...collectionPageRoutes,
    ...publicCatalogRoutes,
    ...offers.map(shownByPages),
  ]
}

const permanently = 'public, max-age=31536000, immutable'
