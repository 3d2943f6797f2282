/**
 * Whom a route serves: everybody (`page`: with any query), a scope's holder (`change`: write or delete; `curator`: internal and
 * write; `history`: read:all-status), a signed-in user, an account, or whoever sends something else.
 */
export type Audience =
  | 'public'
  | 'page'
  | 'read'
  | 'write'
  | 'delete'
  | 'change'
  | 'history'
  | 'session'
  | 'account'
  | 'internal'
  | 'curator'
  | 'signature'
  | 'token'

/**
 * The form of the body: a JSON:API document, one of the atomic operations, flat JSON (as JSON or as JSON:API), that or a form,
 * a message of JSON-RPC, an image, or any bytes (something other than the media type then says what they are).
 */
export type BodyForm = 'document' | 'operations' | 'json' | 'form' | 'message' | 'image' | 'bytes'

export type Row = { audience: Audience; body?: BodyForm; isFlat: boolean }

/** The catalog's types by path, with the writes that each supports. playerteams is a deprecated second name. */
const resources = {
  ...{ attributes: 'document', brands: 'document', manufacturers: 'document', genres: 'document', years: 'document' },
  ...{ teams: 'document', players: 'document', 'player-teams': 'document', playerteams: 'document', sets: 'document' },
  ...{ cards: 'document', 'object-attributes': 'document', 'set-sources': 'document', 'card-images': 'image' },
} as const

/** Those that /v1 doesn't have. */
const onlyInV2 = { identifiers: 'document' } as const

const catalog = ['/v1', '/v2'].flatMap((version) =>
  Object.entries({ ...resources, ...(version === '/v2' ? onlyInV2 : {}) }).flatMap(([name, body]) => {
    const path = `${version}/${name}`
    if (path === '/v2/playerteams') return []
    return [
      `GET ${path} read`,
      `POST ${path} write ${body}`,
      `GET ${path}/:id read`,
      `PATCH ${path}/:id write document`,
      `DELETE ${path}/:id delete`,
      ...(version === '/v2' ? [`GET ${path}/:id/revisions history`] : []),
    ]
  }),
)

/**
 * The relationships of /v2 with their own URLs. One with `!` can be replaced, and a list with `+` can also be added to and
 * removed from.
 */
const relationships: Record<string, string> = {
  ...{ brands: 'sets', manufacturers: 'sets', genres: 'sets', years: 'sets parent children' },
  ...{ 'player-teams': 'player team', 'object-attributes': 'attribute object', 'card-images': 'card' },
  ...{ 'set-sources': 'set', sets: 'genre! year! brand! manufacturer! parent! children identifiers' },
  cards: 'set! oncard!+ card_attributes!+ children images parent identifiers',
  ...{ players: 'identifiers', teams: 'identifiers', identifiers: 'object' },
}

const related = Object.entries(relationships).flatMap(([resource, names]) =>
  names.split(' ').flatMap((word) => {
    const name = word.replace(/\W/g, '')
    const linkage = `/v2/${resource}/:id/relationships/${name}`
    const changes = [...(word.includes('!') ? ['PATCH'] : []), ...(word.includes('+') ? ['POST', 'DELETE'] : [])]
    return [
      `GET /v2/${resource}/:id/${name} read`,
      `GET ${linkage} read`,
      ...changes.map((method) => `${method} ${linkage} write document`),
    ]
  }),
)

const others = `
  GET     /health                                     public    flat
  GET     /version                                    public    flat
  GET     /metrics                                    token     flat
  GET     /openapi.json                               public    flat
  GET     /docs                                       page      flat
  GET     /docs/assets/:id                          public    flat
  POST    /webhooks/stripe                            public    flat bytes

  POST    /oauth/token                                public    flat form
  POST    /oauth/revoke                               public    flat form
  POST    /oauth/introspect                           public    flat form
  GET     /.well-known/oauth-authorization-server     public    flat
  GET     /oauth/clients                              session   flat
  POST    /oauth/clients                              session   flat json
  DELETE  /oauth/clients/:id                   session   flat
  GET     /oauth/tokens                               session   flat
  POST    /oauth/tokens                               session   flat json
  DELETE  /oauth/tokens/:id                           session   flat

  POST    /v1/signup                                  public    document
  POST    /v1/signup/verify                           public    document
  POST    /v1/signup/resend                           public    document
  GET     /v1/founding-slots/remaining                public    flat
  POST    /v1/invites/validate                        public    flat json
  POST    /v1/session                                 public    document
  DELETE  /v1/session                                 session
  GET     /v1/me                                      session
  PATCH   /v1/me                                      session   document
  DELETE  /v1/me                                      session   document
  GET     /user                                       session   flat
  PATCH   /user                                       session   flat json
  DELETE  /user                                       session   flat json
  PATCH   /v1/user/password                           session   document
  POST    /v1/user/password/forgot                    public    document
  POST    /v1/user/password/reset                     public    document
  PATCH   /v1/user/email                              session   document
  POST    /v1/user/email/confirm                      public    document
  POST    /v1/user/email/undo                         public    document
  GET     /v1/user/api-key                            session
  POST    /v1/user/api-key                            session
  DELETE  /v1/user/api-key                            session
  GET     /v1/user/subscription                       session
  GET     /v1/user/usage                              account   flat
  GET     /v1/user/usage/daily                        account   flat
  GET     /v1/billing/plans                           public    flat
  POST    /v1/billing/checkout                        session   flat json
  POST    /v1/billing/portal                          session   flat json

  GET     /v1/user/collection                         session
  POST    /v1/user/collection                         session   document
  GET     /v1/user/collection/:id                     session
  PATCH   /v1/user/collection/:id                     session   document
  DELETE  /v1/user/collection/:id                     session
  POST    /v1/user/collection/batch                   session   flat json
  GET     /v1/user/collection/marks                   session   flat

  GET     /v1/user/webhooks                           session
  POST    /v1/user/webhooks                           session   document
  GET     /v1/user/webhooks/:id                       session
  PATCH   /v1/user/webhooks/:id                       session   document
  DELETE  /v1/user/webhooks/:id                       session
  POST    /v1/user/webhooks/:id/rotate                session
  POST    /v1/user/webhooks/:id/test                  session
  GET     /v1/user/webhooks/:id/deliveries            session
  GET     /v1/user/webhooks/:id/deliveries/:id        session
  POST    /v1/user/webhooks/:id/deliveries/:id/retry  session

  GET     /v1/sets/:id/checklist                      read      flat
  POST    /v1/sets/:id/checklist                      write     flat document
  GET     /v2/sets/:id/checklist                      read
  GET     /v1/players/:id/cards                       read
  GET     /v1/teams/:id/cards                         read
  GET     /v2/players/:id/cards                       read
  GET     /v2/teams/:id/cards                         read
  POST    /v2/cards/collection                        read      document
  POST    /v2/operations                              change    operations
  GET     /v2/search                                  read
  POST    /mcp                                        read      message
  GET     /v2/autocomplete                            read      flat
  GET     /v2/changes                                 read
  GET     /v2/bulk                                    read
  GET     /bulk/:id/:id                               signature flat
  GET     /images/:id/:id                             signature flat
  GET     /v1/stats/counts                            public    flat
  GET     /v1/stats/snapshots                         public    flat
  GET     /v1/stats/growth                            public    flat
  GET     /v1/stats/:id                               public    flat

  GET     /internal/analytics/customer-usage          internal
  GET     /internal/analytics/sales-readiness         internal  flat
  GET     /internal/audit-logs                        internal
  POST    /internal/audit-logs                        internal  document
  GET     /internal/audit-logs/:id                    internal
  GET     /internal/clients                           internal
  GET     /internal/clients/:id                       internal
  PATCH   /internal/clients/:id                       internal  document
  POST    /internal/card-batches                      internal  flat json
  GET     /internal/card-batches/:id                  internal  flat
  GET     /internal/imports                           internal
  POST    /internal/imports                           internal  flat bytes
  GET     /internal/imports/:id                   internal  flat
  POST    /internal/imports/:id/apply             curator   flat
  POST    /internal/imports/:id/undo              curator   flat
  GET     /internal/imports/:id/refused           internal  flat
  GET     /internal/imports/:id/bad_rows                  internal  flat
  GET     /internal/imports/:id/kept                      internal  flat
  GET     /internal/imports/:id/missing                   internal  flat
  GET     /internal/imports/:id/changes                   internal  flat
  GET     /internal/imports/:id/left                      internal  flat
  GET     /internal/duplicates                        internal
  POST    /internal/duplicates/dismissals             curator   json
  DELETE  /internal/duplicates/dismissals/:id         curator
  POST    /internal/reverts                           curator   json
  GET     /internal/merges                            internal
  POST    /internal/merges                            curator   json
  GET     /internal/merges/preview                    internal  flat
  GET     /internal/merges/:id                        internal
  DELETE  /internal/merges/:id                        curator
  POST    /internal/splits                            curator   json
  GET     /internal/splits/preview                    internal  flat
  GET     /internal/invites                           internal
  POST    /internal/invites                           internal  document
  GET     /internal/invites/:id                       internal
  DELETE  /internal/invites/:id                       internal
  GET     /internal/users                             internal
  GET     /internal/users/:id                         internal
  POST    /internal/users/:id/promote                 internal
  POST    /internal/users/:id/demote                  internal
  POST    /internal/users/:id/sign-out                internal
  POST    /internal/users/:id/close                   internal
  GET     /internal/jobs                              internal
  GET     /internal/jobs/:id                          internal
  POST    /internal/jobs/:id/retry                    internal
  GET     /internal/webhooks                          internal
  POST    /internal/webhooks                          internal  document
  GET     /internal/webhooks/:id                      internal
  PATCH   /internal/webhooks/:id                      internal  document
  DELETE  /internal/webhooks/:id                      internal
  POST    /internal/webhooks/:id/rotate               internal
  POST    /internal/webhooks/:id/test                 internal
  GET     /internal/webhooks/:id/deliveries           internal
  GET     /internal/webhooks/:id/deliveries/:id       internal
  POST    /internal/webhooks/:id/deliveries/:id/retry internal
  GET     /internal/actionable-sets                   internal  flat
  GET     /internal/actionable-sets/count             internal  flat
  POST    /internal/todo-initialization-jobs          internal  flat json
  GET     /internal/todo-initialization-jobs/:id      internal  flat
  GET     /internal/sets/:id/workflow                 internal  flat
  GET     /internal/sets/:id/publication              internal  flat
  GET     /internal/workflow/:id                      internal  flat
  GET     /internal/workflow/actionable-sets          internal  flat
  GET     /internal/workflow/actionable-sets/count    internal  flat
  POST    /internal/workflow/bulk-initialize          internal  flat json
  GET     /internal/workflow/bulk-initialize/:id      internal  flat
`

/** The todos of a set, at the current and the deprecated path. */
const todos = ['/internal/sets/:id/todos', '/internal/workflow/:id/todos'].flatMap((path) => [
  `GET ${path} internal`,
  `POST ${path} internal document`,
  `GET ${path}/:id internal`,
  `PATCH ${path}/:id internal document`,
  `DELETE ${path}/:id internal`,
])

const forms: readonly string[] = [
  'document',
  'operations',
  'json',
  'form',
  'message',
  'image',
  'bytes',
] satisfies BodyForm[]

const readRow = (line: string): [string, Row] => {
  const [method, path, audience, ...rest] = line.trim().split(/\s+/)
  const body = rest.find((word) => forms.includes(word)) as BodyForm | undefined
  return [`${method} ${path}`, { audience: audience as Audience, body, isFlat: rest.includes('flat') }]
}

/** A route as the table names it, where all parameters are called id. */
export const routeName = ({ method, path }: { method: string; path: string }) =>
  `${method} ${path.replace(/:\w+/g, ':id')}`

/**
 * Every route with what the contract and the decisions say about it: whom it serves (their endpoint tables, and
 * Authentication), the body that it accepts, and whether its answer is flat, so that any Accept is served (decisions.md §3).
 */
export const contract: ReadonlyMap<string, Row> = new Map(
  [...catalog, ...related, ...todos, ...others.split('\n').filter((line) => line.trim())].map(readRow),
)
