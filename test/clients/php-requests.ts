import type { Answer } from '../support/answer.ts'

/** The ids of the records that the methods before made, by resource. */
export type Made = Record<string, string>

/** A request as the client sends it. `json` is its JSON document; `form` a multipart form. */
export type Request = { verb: string; path: string; json?: unknown; form?: FormData }

/**
 * A method of the client. `reads` is what it reads from the answer, and `keeps` the resource whose id it leaves for the methods
 * behind it. `refused` names the reason why the answer is another than the client wants. `instead` is where the answer has what
 * the client finds nothing of.
 */
export type Method = {
  name: string
  request: (made: Made) => Request
  reads?: (answer: Answer, made: Made) => void
  keeps?: string
  refused?: Reason
  instead?: Way
}

/** Why methods are refused, with the status that they get. Both are in docs/moving.md. */
export const reasons = {
  put: { status: 405, why: 'PUT was removed in favor of PATCH: [Updates](#updates).' },
  todo: { status: 404, why: 'The hosted service never had this path: [Todos](#todos).' },
  deleted: { status: 404, why: 'The hosted service never had this path: [Deleted records](#deleted-records).' },
  step: { status: 422, why: '`step` is required.' },
  id: { status: 400, why: 'The list has no `id`: use `get($id)`.' },
  parent: { status: 400, why: 'Players have no parents. Their other names are `aliases` in `/v2`.' },
  alias: { status: 422, why: 'Players have no parents.' },
  sort: { status: 400, why: 'In `/v1` only years (`name`, `-name`) and sets (`asc`, `desc`) have a `sort`.' },
  filter: { status: 400, why: 'It has its brackets here: `filter[set_id]`.' },
  name: { status: 400, why: '`filter[name]` takes a whole name: [Cards by name](#cards-by-name).' },
  described: { status: 422, why: 'It goes into `data`: [Audit logs](#audit-logs).' },
  limit: { status: 400, why: 'A page holds at most 100 records.' },
  include: { status: 400, why: "A set's cards are its `checklist`." },
  images: { status: 400, why: "Its images are `cardImage()->list(['filter[card_id]' => $id])`." },
  primary: { status: 422, why: 'Leave it out: a card has one image of each `image_type`.' },
  size: { status: 400, why: "At most 100 to a page: `card()->list(['filter[player_id]' => $id, 'limit' => 100])`." },
} as const
type Reason = keyof typeof reasons

const related = (type: string) => `\`getRelationships()['${type}']\``

/** Where an answer has what the client's models look for under another name. Each is in docs/moving.md. */
export const ways = {
  sets: related('sets'),
  playerteams: related('playerteams'),
  players: related('players'),
  teams: related('teams'),
  cards: related('cards'),
  variants: "`array_column($image->variants, null, 'name')['small']->url`",
  counts: "`getByEntityType('set')`",
  rows: 'The rows are flat: [Todos](#todos).',
} as const
/** The name of one of these ways. */
export type Way = keyof typeof ways

/** A path with its query. */
export const query = (path: string, parameters: Record<string, string> = {}) =>
  `${path}?${new URLSearchParams(parameters)}`

/** A GET. */
export const get = (path: string): Request => ({ verb: 'GET', path })

/** A request with a document's `data`, or without a body. */
export const send = (verb: string, path: string, data?: object): Request => ({
  verb,
  path,
  ...(data && { json: { data } }),
})

/** What the client's lists of pages ask for if nobody says so. */
export const paged = { limit: '50', page: '1', pageName: 'page' }
