import { Type } from '@sinclair/typebox'
import type { Database } from '../../db/client.ts'
import type { Context } from '../context.ts'
import type { Call, Reply, Route } from '../http/route.ts'
import { notFound } from '../jsonapi/errors.ts'
import { isUuid } from '../jsonapi/fields.ts'
import { Audience } from '../lib/audience.ts'

/** Records whose pages crawlers may find, by the first part of the path. */
const listed = ['sets', 'players'] as const
type Listed = (typeof listed)[number]

/** How many pages a sitemap file lists. The protocol allows 50,000. */
const pagesInFile = 10_000

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** Where crawlers must not go: pages that need an account or a key, and endless lists. */
const closed = ['/account', '/operations', '/search', '/v1/', '/v2/']

const showRobots = ({ config: { baseUrl, publicCatalog } }: Context): Reply => {
  const lines = publicCatalog
    ? [...closed.map((path) => `Disallow: ${path}`), '', `Sitemap: ${baseUrl}/sitemap.xml`]
    : ['Disallow: /']
  return answer('text/plain; charset=utf-8', ['User-agent: *', ...lines, ''].join('\n'))
}

/** The sitemap's index of files. Each file starts at a record. The index is empty if visitors may not browse. */
const showIndex = async ({ db, config: { baseUrl, publicCatalog } }: Context): Promise<Reply> => {
  const starts = publicCatalog ? await findStarts(db) : []
  const files = starts.map(({ type, id }) => `<sitemap><loc>${xml(`${baseUrl}/sitemap/${type}/${id}`)}</loc></sitemap>`)
  return answer(xmlType, `${declaration}<sitemapindex xmlns="${namespace}">${files.join('\n')}</sitemapindex>\n`)
}

const findStarts = ({ heavy: { sql } }: Database) =>
  sql.unsafe<{ type: Listed; id: string }[]>(
    `select type, id from (${listed
      .map(
        (type) => `select '${type}' as type, id, row_number() over (order by id) as place
          from ${type} where audience >= ${Audience.published}`,
      )
      .join(' union all ')}) numbered
    where place % ${pagesInFile} = 1 order by type desc, id`,
  )

const showFile = async ({ db, config: { baseUrl, publicCatalog } }: Context, { params }: Call): Promise<Reply> => {
  const type = listed.find((one) => one === params.type)
  const first = params.first ?? ''
  if (!type || !isUuid(first) || !publicCatalog) throw notFound()
  const { sql } = db.heavy
  const rows = await sql<{ id: string; day: string }[]>`
    select id, to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD') as day from ${sql(type)}
    where id >= ${first} and audience >= ${Audience.published} order by id limit ${pagesInFile}`
  const pages = rows.map(
    ({ id, day }) => `<url><loc>${xml(`${baseUrl}/${type}/${id}`)}</loc><lastmod>${day}</lastmod></url>`,
  )
  return answer(xmlType, `${declaration}<urlset xmlns="${namespace}">${pages.join('\n')}</urlset>\n`)
}

const xmlType = 'application/xml; charset=utf-8'
const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const xml = (text: string) => text.replaceAll('&', '&amp;')

const answer = (mediaType: string, body: string): Reply => ({
  status: 200,
  mediaType,
  body,
  headers: { 'Cache-Control': 'public, max-age=3600' },
})

const page = (path: string, operationId: string, summary: string, handle: Route['handle']): Route => ({
  method: 'GET',
  path,
  operationId,
  summary,
  tag: 'Pages',
  access: 'public',
  flat: true,
  query: {},
  handle,
  answers: { 200: { description: summary, schema: Type.String(), mediaType: 'text/*' } },
})

/** Files for crawlers (decisions.md §16). They count on no rate limit. */
export const crawlerRoutes: Route[] = [
  page('/robots.txt', 'robots', 'What crawlers may read', showRobots),
  page('/sitemap.xml', 'sitemap', 'The index of the sitemap', showIndex),
  page('/sitemap/:type/:first', 'sitemapFile', 'A file of the sitemap', showFile),
]
