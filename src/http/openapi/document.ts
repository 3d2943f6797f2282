import { Elysia } from 'elysia'
import type { Config } from '../../config.ts'
import { capital } from '../../lib/capital.ts'
import { anonymousAllowance, planAllowances, sayNumber, sayWindow, sizes, tokenAllowance } from '../../limits.ts'
import { isCountedRoute, type Route } from '../route.ts'
import { type Json, makeComponents } from './components.ts'
import { headerComponents } from './headers.ts'
import { operationOf } from './operation.ts'
import { idempotencyKeyParameter, requestIdParameter } from './parameters.ts'
import { refusedStatuses, sharedRefusals } from './responses.ts'
import { securitySchemes } from './security.ts'
import { tagsOf } from './tags.ts'

/** The settings that the document needs, and the running version. */
type DocumentConfig = Pick<Config, 'baseUrl' | 'brand'> & { version: string }

/**
 * The OpenAPI 3.1 document of the routes. @elysiajs/swagger writes it from operations that are made from the declarations that serve
 * the routes. A self-hoster's brand replaces ours in keys, headers and the title. Rejects if two schemas of one name differ.
 */
export const openApiDocument = async (routes: Route[], { baseUrl, brand, version }: DocumentConfig): Promise<Json> => {
  const components = makeComponents()
  const operations = routes.map((route) => branded(operationOf(route, { brand }, components), brand))
  const shared = new Set(routes.filter(sharesRefusals).flatMap(refusedStatuses))
  const documentation = {
    openapi: '3.1.0',
    info: {
      title: capital(brand),
      version,
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: `Whoever runs ${baseUrl}`, url: baseUrl },
    },
    servers: [{ url: baseUrl, description: 'This service' }],
    tags: tagsOf(routes.map(({ tag }) => tag)),
    security: [],
    components: {
      securitySchemes: securitySchemes({ brand, baseUrl }),
      parameters: { RequestId: requestIdParameter, IdempotencyKey: idempotencyKeyParameter },
      headers: headerComponents,
      responses: sharedRefusals(components, shared),
      schemas: branded(components.schemas(), brand),
    },
  }
  const { swagger } = await import('@elysiajs/swagger')
  const specPath = '/written'
  const app = new Elysia().use(
    swagger({ path: '/unused', specPath, excludeStaticFile: false, documentation: documentation as never }),
  )
  for (const [index, { method, path }] of routes.entries())
    app.route(method, path, () => new Response(), { detail: operations[index] } as never)
  return (await app.handle(new Request(`http://localhost${specPath}`))).json()
}

const sharesRefusals = (route: Route) => isCountedRoute(route) && !route.renderError

/** Replaces our brand in descriptions and examples. */
const branded = (part: Json, brand: string): Json => {
  if (brand === 'cardstock') return part
  return JSON.parse(
    JSON.stringify(part)
      .replaceAll('cardstock_', `${brand}_`)
      .replaceAll('X-Cardstock-', `X-${capital(brand)}-`),
  )
}

const introduction = `A catalog of trading cards: sets, cards, players, teams and everything around them, over
[JSON:API 1.1](https://jsonapi.org/format/1.1/).

**Media type.** Documents are \`application/vnd.api+json\`. Flat responses (\`/health\`, \`/oauth/*\`, \`/v1/stats/*\`) are
\`application/json\`. Times are RFC 3339 in UTC with milliseconds, ids are UUIDs, links are absolute. A \`type\`
that you send is known without its case, \`-\` and \`_\`. A body may also be \`application/json\` if \`Accept\` names that and not
JSON:API, and \`/openapi.json?media=json\` is this document for code generators that only read that.

**Credentials.** Send \`Authorization: Bearer <TOKEN>\` with a subscriber key, a personal access token, or a token from
\`POST /oauth/token\`. Its scopes decide what you see: anything hidden from you returns 404.

**Limits.** Every request under \`/v1\`, \`/v2\` and \`/internal\`, and every message to \`/mcp\`, counts once against a fixed window: ${sayNumber(anonymousAllowance.limit)} ${sayWindow(anonymousAllowance.windowSeconds)} without a
credential, ${sayNumber(tokenAllowance.limit)} ${sayWindow(tokenAllowance.windowSeconds)} with a token or a session, and what the plan allows ${sayWindow(planAllowances.pro.windowSeconds)} with a subscriber key. An account’s clients and
personal tokens also share what the plan allows. The \`X-RateLimit-*\` headers report the window with fewer requests left,
\`X-RateLimit-Window\` its length in seconds, and a 429 has \`Retry-After\`.

**Lists.** \`page\` and \`per_page\` (${sizes.page.usual}, at most ${sizes.page.most}), or \`page[number]\` and \`page[size]\`; \`filter[name]=value\` is exact,
\`filter[name]=like:value\` matches any part, ignoring case; \`include\` adds related records, \`fields[type]\` picks the fields to show.
Lists are separated by commas, or repeat the parameter. Unknown parameters return 400, and so does any other parameter that is
sent twice.

**/v2.** The same resources for programs that read a lot: cursor pages (\`page[size]\`, \`page[after]\`,
\`page[before]\`), \`sort\`, filters with operators and lists, includes two relationships deep, and relationship endpoints. Only /v2
has \`aliases\`, \`disambiguation\` for players with the same name, and identifiers.

**Conditional requests.** A single record has an \`ETag\`. With \`If-None-Match\` you get a 304 if it is unchanged, and \`If-Match\`
keeps your change from overwriting somebody else’s.

**Repeating a POST.** Send an \`Idempotency-Key\`, and you can send the request again if its answer got lost: it is done once.

**Errors.** Every refusal is a JSON:API error document with a \`code\` for programs. A wrong method returns 405 with
\`Allow\`. Deprecated paths and parameters return \`Deprecation\` and \`Sunset\` headers.
`
