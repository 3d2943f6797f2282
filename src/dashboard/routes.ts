import { Type } from '@sinclair/typebox'
import type { Context } from '../context.ts'
import { compressor } from '../http/docs/compress.ts'
import type { Call, Reply, Route } from '../http/route.ts'
import { notFound } from '../jsonapi/errors.ts'
import { type PagePath, pagePaths } from './browser/paths.ts'
import { readFiles } from './files.ts'
import { pageHeaders } from './policy.ts'
import { publicCatalogRoutes } from './public-catalog.ts'
import { settingsFor } from './settings.ts'
import { shellOf } from './shell.ts'
import { whoAsks } from './who.ts'

/** What all pages and their files share: nobody needs a credential, nothing is counted, and any query is taken. */
const common = { method: 'GET', tag: 'Pages', access: 'public', flat: true, query: {} } as const

const mediaTypes: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

const showPage = async (context: Context, call: Call, path: PagePath): Promise<Reply> => {
  const [files, who] = await Promise.all([readFiles(), whoAsks(context, call)])
  return {
    status: 200,
    mediaType: 'text/html; charset=utf-8',
    body: shellOf(files, settingsFor(context, who.person), path),
    headers: { ...pageHeaders(context.config), ...who.headers },
  }
}

/** The pages: each path answers with the shell, the files that it names are kept for good, and what visitors read. */
export const pageRoutes = (): Route[] => {
  const compress = compressor()
  const showFile = async (_context: Context, { request, params }: Call): Promise<Reply> => {
    const files = await readFiles()
    const name = params.file ?? ''
    const text = Object.hasOwn(files, name) ? files[name] : undefined
    if (text === undefined) throw notFound()
    const { body, headers } = compress(request, text)
    const mediaType = mediaTypes[name.split('.').at(-1) ?? ''] ?? 'text/plain'
    return { status: 200, mediaType, body, headers: { ...headers, 'Cache-Control': forGood } }
  }
  return [
    ...(Object.keys(pagePaths) as PagePath[]).map(
      (path): Route => ({
        ...common,
        path,
        operationId: `page ${path}`,
        summary: `The page ${path}`,
        answers: { 200: { description: 'The page.', schema: Type.String(), mediaType: 'text/html' } },
        handle: (context, call) => showPage(context, call, path),
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
    ...publicCatalogRoutes,
  ]
}

const forGood = 'public, max-age=31536000, immutable'
