import { Type } from '@sinclair/typebox'
import type { Config } from '../../config.ts'
import { notFound } from '../../jsonapi/errors.ts'
import { readQuery } from '../../jsonapi/query.ts'
import { capital } from '../../lib/capital.ts'
import { version } from '../../version.ts'
import { openApiDocument } from '../openapi/document.ts'
import { mediaForms, mediaParameter, withPlainMedia } from '../openapi/plain-media.ts'
import type { Route } from '../route.ts'
import { assets } from './assets.ts'
import { compressor } from './compress.ts'
import { pageOf } from './page.ts'

const anHour = { 'Cache-Control': 'public, max-age=3600' }
const mediaShape = { include: [], fields: {}, filters: {}, options: { media: { values: mediaForms } } }
const common = { method: 'GET', tag: 'Service', access: 'public', flat: true } as const
const aText = () => Type.String()

/**
 * The OpenAPI document of all routes, and a page that shows it. Both are public and uncounted, and the page loads nothing from
 * elsewhere. `allRoutes` is called at the first request, so the list can include these routes.
 */
export const docsRoutes = (allRoutes: () => Route[]): Route[] => {
  const compress = compressor()
  const documentText = once(async (config) =>
    JSON.stringify(await openApiDocument(allRoutes(), { ...config, version })),
  )
  const plainText = once(async (config) => JSON.stringify(withPlainMedia(JSON.parse(await documentText(config)))))
  return [
    {
      ...common,
      path: '/openapi.json',
      operationId: 'getOpenApiDocument',
      summary: 'This document',
      description: 'OpenAPI 3.1, generated from the route declarations that serve the requests.',
      query: mediaParameter,
      answers: {
        200: { description: 'The document.', schema: Type.Object({}, { additionalProperties: true }) },
      },
      handle: async ({ config }, { request, url }) => {
        const { media } = readQuery(url.searchParams, mediaShape).options
        const { body, headers } = await compress(request, await (media ? plainText : documentText)(config))
        return { status: 200, body, headers: { ...headers, ...anHour } }
      },
    },
    {
      ...common,
      path: '/docs',
      operationId: 'getDocs',
      summary: 'View this document as a web page',
      description: 'An HTML page with every operation. It loads nothing from other hosts.',
      takesAnyQuery: true,
      answers: { 200: { description: 'The page.', schema: aText(), mediaType: 'text/html' } },
      handle: ({ config }) => ({
        status: 200,
        mediaType: 'text/html; charset=utf-8',
        body: pageOf(capital(config.brand), config.baseUrl),
        headers: pageHeaders(config),
      }),
    },
    {
      ...common,
      path: '/docs/assets/:file',
      operationId: 'getDocsAsset',
      summary: 'Get a file that the page loads',
      description: 'A script or a style sheet.',
      params: { file: { schema: aText(), description: 'The name of the file.', example: 'page.js' } },
      answers: { 200: { description: 'The file.', schema: aText(), mediaType: 'text/*' } },
      handle: async (_context, { request, params }) => {
        const asset = Object.hasOwn(assets, params.file ?? '') ? assets[params.file ?? ''] : undefined
        if (!asset) throw notFound()
        const { body, headers } = await compress(request, await asset.read())
        return { status: 200, mediaType: asset.mediaType, body, headers: { ...headers, ...anHour } }
      },
    },
  ]
}

/** Writes a text once for each service. */
const once = (write: (config: Config) => Promise<string>) => {
  const written = new WeakMap<Config, Promise<string>>()
  return (config: Config) => written.getOrInsertComputed(config, () => write(config))
}

/** Only the service's own scripts, styles and requests. The document may be at another origin than the page. */
const pageHeaders = ({ baseUrl }: Config) => ({
  ...anHour,
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    'img-src data:',
    `connect-src 'self' ${new URL(baseUrl).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
})
