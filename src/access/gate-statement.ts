import { arrayOf, arrayOfTexts } from '../../db/arrays.ts'
import type { Database } from '../../db/client.ts'
import { type PrimaryState, positionColumns } from '../../db/replicas/position.ts'
import { anonymousAllowance, tokenAllowance } from '../limits.ts'
import { lesserScopes } from './caller.ts'
import { type Counted, countOnWindow } from './counted.ts'

/** A credential in a batch, or an address without one. `requests` is 0 for what isn't counted. */
export type Asked = {
  hash: string
  clientId: string | null
  tokenId: string
  /** The client's generation when the access token was issued. */
  generation: number
  scopes: string
  address: string
  requests: number
}

/** What the database found: the credential, if it is valid, and its window after these requests. */
export type Answered = Counted &
  PrimaryState & {
    no: number
    credential_id: string | null
    kind: string | null
    user_id: string | null
    scopes: string[] | null
    operator: boolean | null
    status: string | null
    /** Whether requests that its window lets through also count on its account's (`drawOnAccounts`). */
    draws_on_account: boolean
    /** Whether the database is a mirror, so that nobody writes its catalog here. */
    is_mirror: boolean
  }

/** A client's scopes and the lesser ones that they imply: what its tokens may still do, since it may have lost some. */
const reach = ['scopes']
  .concat(
    Object.entries(lesserScopes).map(
      ([scope, lesser]) => `case when '${scope}' = any(scopes) then '{${lesser.join()}}'::text[] else '{}' end`,
    ),
  )
  .join(' || ')

const columns = `id, kind, user_id, scopes, internal_pool, plan_limit, plan_window_seconds, agreed_limit, agreed_window_seconds,
  next_limit, next_window_seconds, next_from, expires_at, revoked_at`

const bySecret = `
  select ${columns} from credentials where a.hash <> '' and secret_hash = decode(a.hash, 'hex') and kind <> 'oauth_client'`

const byAccessToken = `
  select ${columns.replace('scopes', `${reach} as scopes`)} from credentials
  where id = a.client_id and kind = 'oauth_client' and generation = a.generation
    and string_to_array(a.scopes, ' ') && (${reach})
    and (internal_approved or not 'internal' = any(scopes) or not 'internal' = any(string_to_array(a.scopes, ' ')))
    and not exists (select 1 from revoked_tokens r where r.token_id = a.token_id)`

/** What a request says about a secret, with the types of its arrays, and what it says about an access token in addition. */
const ofSecret = { hash: 'text', address: 'text', requests: 'int' }
const ofAny = { ...ofSecret, client_id: 'uuid', token_id: 'text', generation: 'int', scopes: 'text' }

/** The arguments behind the first two, an array each. */
const arraysOf = (asks: Record<string, string>) => Object.values(asks).map((type, at) => `$${at + 3}::${type}[]`)

/**
 * The statement for some sources of credentials and what is asked of them. Starting it costs more than running it, so a batch
 * gets only the parts that it needs.
 */
const statementOver = (credentials: string, asks: Record<string, string>) => (more: string) =>
  `
  with clock as (
    select (now() + make_interval(secs => $1::float8))::timestamptz(3) as at,
      set_config('synchronous_commit', 'off', true) as relaxed
  ), found as (
    select a.no, a.address, ${asks.token_id ? 'a.token_id' : `''`} as token_id, a.requests, c.id as credential_id, c.kind, c.user_id, c.scopes, c.internal_pool,
      u.operator, s.status, s.plan, clock.at,
      case when c.next_from <= clock.at then c.next_limit else c.agreed_limit end as agreed_limit,
      case when c.next_from <= clock.at then c.next_window_seconds else c.agreed_window_seconds end as agreed_window_seconds,
      case
        when c.id is null then ${anonymousAllowance.limit}
        when c.plan_limit is not null then c.plan_limit
        when c.internal_pool then $2::int
        else ${tokenAllowance.limit}
      end as usual_limit,
      case when c.id is null then ${anonymousAllowance.windowSeconds}
        else coalesce(c.plan_window_seconds, ${tokenAllowance.windowSeconds}) end as usual_window_seconds
    from clock cross join unnest(${arraysOf(asks)})
      with ordinality as a (${Object.keys(asks).join()}, no)
    left join lateral (${credentials}) c on c.revoked_at is null and (c.expires_at is null or c.expires_at > clock.at)
    left join users u on u.id = c.user_id
    left join subscriptions s on s.user_id = c.user_id
  ), keyed as (
    select no, credential_id, kind, user_id, scopes, operator, status, requests, at,
      coalesce(agreed_limit, usual_limit) as "limit", coalesce(agreed_window_seconds, usual_window_seconds) as window_seconds,
      case
        when credential_id is null then 'address ' || address
        when kind = 'session' then 'session ' || user_id
        when kind = 'subscriber_key' then 'key ' || user_id
        when kind = 'oauth_client' and agreed_limit is null and not internal_pool then 'token ' || token_id
        else 'credential ' || credential_id
      end as key,
      kind in ('oauth_client', 'personal_token') and agreed_limit is null and not internal_pool and not operator
        and plan is not null as draws_on_account
    from found
  ), counted as (
    insert into rate_windows as w (key, opened_at, closes_at, count)
    select key, at, at + make_interval(secs => max(window_seconds)), sum(requests)
    from keyed where requests > 0 group by key, at order by key
    ${countOnWindow}
    returning key, count, closes_at
  ), used as (
    insert into usage_days as d (credential_id, day, user_id, requests, last_request_at)
    select credential_id, (at at time zone 'UTC')::date, user_id, sum(requests), at
    from keyed where credential_id is not null and requests > 0 group by credential_id, user_id, at order by credential_id
    on conflict (credential_id, day) do update set
      requests = d.requests + excluded.requests, last_request_at = greatest(d.last_request_at, excluded.last_request_at)
  )
  select k.no::int as no, (
      select f.last + w.count from feed f, (select count(*) from (select 1 from changes where no is null limit 100) c) w
      where w.count < 100
    ) as catalog_state, exists (select 1 from mirror) as is_mirror, k.credential_id, k.kind, k.user_id, k.scopes, k.operator,
    k.status, k.key, k."limit", k.window_seconds, coalesce(c.count, 0) as count,
    date_part('epoch', k.at) as at, date_part('epoch', coalesce(c.closes_at, k.at)) as closes_at,
    coalesce(k.draws_on_account, false) as draws_on_account${more}
  from keyed k left join counted c on c.key = k.key`

/** The statements for secrets alone and for all, and what they also say with replicas: how far they have to be. */
const statementsWith = (more: string) => ({
  forSecrets: statementOver(bySecret, ofSecret)(more),
  forAll: statementOver(`${bySecret} union all ${byAccessToken}`, ofAny)(more),
})
const usual = statementsWith('')
const withPosition = statementsWith(`, ${positionColumns}`)

/**
 * Looks up the credentials of a batch and counts its requests on their windows and usage, in one statement with the database's
 * clock. The keys that a user has one after the other share a window. A token has its own, unless its client has an allowance by
 * agreement or from the internal pool, which all of the client's tokens share (interface.md, Limits). The keys of windows are
 * merged and sorted, so that batches from several instances lock them in the same order. Only this statement commits asynchronously: a crash of the database may lose the last second of
 * counts, and nothing else.
 */
export const askGate = (
  { gate, replicas }: Pick<Database, 'gate' | 'replicas'>,
  asked: Asked[],
  offsetSeconds: number,
  internalPoolLimit: number,
): Promise<Answered[]> => {
  const { forAll, forSecrets } = replicas ? withPosition : usual
  const hasTokens = asked.some(({ clientId }) => clientId !== null)
  const secrets = [
    arrayOfTexts(asked.map(({ hash }) => hash)),
    arrayOfTexts(asked.map(({ address }) => address)),
    arrayOf(asked.map(({ requests }) => requests)),
  ]
  return gate.sql.unsafe<Answered[]>(
    hasTokens ? forAll : forSecrets,
    [offsetSeconds, internalPoolLimit, ...secrets, ...(hasTokens ? tokensOf(asked) : [])],
    { prepare: true },
  )
}

const tokensOf = (asked: Asked[]) => [
  arrayOf(asked.map(({ clientId }) => clientId)),
  arrayOfTexts(asked.map(({ tokenId }) => tokenId)),
  arrayOf(asked.map(({ generation }) => generation)),
  arrayOfTexts(asked.map(({ scopes }) => scopes)),
]
