import { expect, test } from 'bun:test'
import { rankingScript } from '../../../src/http/docs/finding.ts'
import { document } from '../openapi/written.ts'

type Operation = { operationId?: string; tags?: string[] }
type Ranked = { method: string; path: string; operation: Operation }

const rank: (one: Ranked, group: string, typed: string) => number = new Function(`${rankingScript}; return rank`)()
const operations = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
)

const found = (typed: string) =>
  operations
    .map((one) => ({ name: `${one.method} ${one.path}`, points: rank(one, one.operation.tags?.[0] ?? '', typed) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .map(({ name }) => name)

test.each([
  ['cards of a set', 'get /v1/cards'],
  ['set cards', 'get /v1/cards'],
  ['player’s cards', 'get /v1/players/{id}/cards'],
  ['filter cards by team', 'get /v1/teams/{id}/cards'],
  ['sets of a year', 'get /v2/years/{id}/sets'],
  ['images of a card', 'get /v1/card-images'],
  ['upload picture', 'post /v1/card-images'],
  ['search', 'get /v2/search'],
  ['typeahead', 'get /v2/autocomplete'],
  ['price', 'get /v1/billing/plans'],
  ['merge players', 'get /internal/merges'],
  ['post merge', 'post /internal/merges'],
  ['publish set', 'patch /v1/sets/{id}'],
  ['delete card', 'delete /v1/cards/{id}'],
  ['api key', 'get /v1/user/api-key'],
  ['rate limit', 'get /v1/user/usage'],
  ['export csv', 'get /bulk/{id}/{name}'],
  ['webhook', 'get /v1/user/webhooks'],
  ['stripe webhook', 'post /webhooks/stripe'],
  ['login', 'post /v1/session'],
  ['change password', 'patch /v1/user/password'],
  ['history of a card', 'get /v2/cards/{id}/revisions'],
  ['import checklist', 'post /internal/imports'],
  ['sync', 'get /v2/changes'],
  ['GET /v1/cards', 'get /v1/cards'],
  ['/v2/search', 'get /v2/search'],
])('who types %p on the page of the API finds %p first', (typed, first) => {
  expect(found(typed)[0]).toBe(first)
})

test('what is called otherwise in nothing is not found', () => {
  expect(found('xyzzy')).toEqual([])
})
